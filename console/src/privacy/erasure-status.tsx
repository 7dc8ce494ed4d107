import type { ErasureBody } from "@hearback/sdk";
import type { Names } from "../audit/names.ts";
import { StatusBadge } from "../ui/feedback/status-badge.tsx";
import { SubjectLink } from "./subject-link.tsx";
import { useTexts } from "./texts.ts";

const states = {
  queued: { text: "queued", color: "gray" },
  running: { text: "running", color: "blue" },
  done: { text: "done", color: "green" },
} as const;

export function ErasureState({ state }: { readonly state: ErasureBody["state"] }) {
  const { t } = useTexts();
  const { text, color } = states[state];
  return <StatusBadge color={color}>{t(text)}</StatusBadge>;
}

/** Subject of an erasure. The metadata value of a customer is not stored. */
export function ErasureSubject({ erasure, names }: { readonly erasure: ErasureBody; readonly names: Names }) {
  const { t } = useTexts();
  const { kind, campaign_id } = erasure;
  if (kind === "metadata") return t("kindMetadata");
  if (kind === "workspace") return t("kindWorkspace");
  if (kind === "retention") {
    return t("retentionOf", { name: (campaign_id && names.campaign(campaign_id)) || campaign_id || "?" });
  }
  return <SubjectLink {...erasure} names={names} />;
}
