import type { ErasureBody } from "@hearback/sdk";
import type { Names } from "../audit/names.ts";
import { useTexts } from "../i18n/use-texts.ts";
import { StatusBadge } from "../ui/status-badge.tsx";
import { About } from "./about.tsx";

const states = {
  queued: { text: "queued", color: "gray" },
  running: { text: "running", color: "blue" },
  done: { text: "done", color: "green" },
} as const;

export function ErasureState({ state }: { readonly state: ErasureBody["state"] }) {
  const { t } = useTexts("privacy");
  const { text, color } = states[state];
  return <StatusBadge color={color}>{t(text)}</StatusBadge>;
}

/** What was to be erased. Of a customer nothing is known any more, and that is as it should be. */
export function ErasureSubject({ erasure, names }: { readonly erasure: ErasureBody; readonly names: Names }) {
  const { t } = useTexts("privacy");
  const { kind, campaign_id } = erasure;
  if (kind === "metadata") return t("kindMetadata");
  if (kind === "workspace") return t("kindWorkspace");
  if (kind === "retention") {
    return t("retentionOf", { name: (campaign_id && names.campaign(campaign_id)) || campaign_id || "?" });
  }
  return <About {...erasure} names={names} />;
}
