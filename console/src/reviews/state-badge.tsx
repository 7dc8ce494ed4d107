import type { ReviewBody } from "@hearback/sdk";
import { StatusBadge } from "../ui/feedback/status-badge.tsx";
import { isNeverReleased } from "./never-released.ts";
import { useTexts } from "./texts.ts";

const colors = { draft: "gray", submitted: "orange", released: "green", voided: "red" } as const;

/** The state of a review. Those of calibrations and second reviews are never released, so they do not wait for it. */
export function StateBadge({ state, selection }: Pick<ReviewBody, "state" | "selection">) {
  const { t } = useTexts();
  if (state === "submitted" && isNeverReleased(selection)) {
    return <StatusBadge color="gray">{t("submittedOnly")}</StatusBadge>;
  }
  return <StatusBadge color={colors[state]}>{t(`state_${state}`)}</StatusBadge>;
}
