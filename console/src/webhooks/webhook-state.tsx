import type { WebhookBody } from "@hearback/sdk";
import { StatusBadge } from "../ui/feedback/status-badge.tsx";
import { useTexts } from "./texts.ts";

export function WebhookState({ webhook }: { readonly webhook: WebhookBody }) {
  const { t } = useTexts();
  if (webhook.disabled) {
    const texts = { by_request: "paused", gone: "gone", failing: "givenUp" } as const;
    const { reason } = webhook.disabled;
    return <StatusBadge color={reason === "by_request" ? "gray" : "red"}>{t(texts[reason])}</StatusBadge>;
  }
  if (webhook.failing_since) return <StatusBadge color="orange">{t("failing")}</StatusBadge>;
  return <StatusBadge color="green">{t("active")}</StatusBadge>;
}
