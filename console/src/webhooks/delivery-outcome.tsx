import type { DeliveryBody, DeliveryState } from "@hearback/sdk";
import { StatusBadge } from "../ui/feedback/status-badge.tsx";
import { type TextKey, type Translate, useTexts } from "./texts.ts";

export type Attempt = DeliveryBody["attempts"][number];

const colors = { pending: "blue", delivered: "green", failed: "red", cancelled: "gray" } as const;

export function DeliveryBadge({ state }: { readonly state: DeliveryState }) {
  const { t } = useTexts();
  return <StatusBadge color={colors[state]}>{t(state)}</StatusBadge>;
}

const errorTexts: Readonly<Record<string, TextKey>> = {
  timeout: "errorTimeout",
  econnrefused: "errorRefused",
  econnreset: "errorCut",
  connection_failed: "errorCut",
  address_unreachable: "errorAddress",
};

/** Response status or network error. */
export function answerText({ status, error }: Attempt, t: Translate): string {
  if (status !== null) return t("answered", { status });
  const known = errorTexts[error ?? ""];
  return known ? t(known) : t("errorOther", { error: error ?? "?" });
}

export function LastAnswer({ delivery }: { readonly delivery: DeliveryBody }) {
  const { t } = useTexts();
  const last = delivery.attempts.at(-1);
  return last ? answerText(last, t) : t("notYet");
}
