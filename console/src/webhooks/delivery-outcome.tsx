import type { DeliveryBody, DeliveryState } from "@hearback/sdk";
import { type TextKey, type Translate, useTexts } from "../i18n/use-texts.ts";
import { StatusBadge } from "../ui/status-badge.tsx";

export type Attempt = DeliveryBody["attempts"][number];

const colors = { pending: "blue", delivered: "green", failed: "red", cancelled: "gray" } as const;

export function DeliveryBadge({ state }: { readonly state: DeliveryState }) {
  const { t } = useTexts("webhooks");
  return <StatusBadge color={colors[state]}>{t(state)}</StatusBadge>;
}

const errorTexts: Readonly<Record<string, TextKey<"webhooks">>> = {
  timeout: "errorTimeout",
  econnrefused: "errorRefused",
  econnreset: "errorCut",
  connection_failed: "errorCut",
  enotfound: "errorName",
  eai_again: "errorName",
  address_forbidden: "errorForbidden",
};

/** What the receiver answered, or why it did not. */
export function answerText({ status, error }: Attempt, t: Translate<"webhooks">): string {
  if (status !== null) return t("answered", { status });
  const known = errorTexts[error ?? ""];
  return known ? t(known) : t("errorOther", { error: error ?? "?" });
}

export function LastAnswer({ delivery }: { readonly delivery: DeliveryBody }) {
  const { t } = useTexts("webhooks");
  const last = delivery.attempts.at(-1);
  return last ? answerText(last, t) : t("notYet");
}
