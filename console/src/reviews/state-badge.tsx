import type { ReviewBody } from "@hearback/sdk";
import { StatusBadge } from "../ui/feedback/status-badge.tsx";
import { useTexts } from "./texts.ts";

const colors = { draft: "gray", submitted: "orange", released: "green", voided: "red" } as const;

export function StateBadge({ state }: Pick<ReviewBody, "state">) {
  const { t } = useTexts();
  return <StatusBadge color={colors[state]}>{t(`state_${state}`)}</StatusBadge>;
}
