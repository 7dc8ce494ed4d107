import type { WebhookBody } from "@hearback/contract";
import type { Selectable } from "kysely";
import type { WebhookEndpoint } from "../platform/database/tables.ts";

export type Webhook = Selectable<WebhookEndpoint>;

type Disabled = NonNullable<WebhookBody["disabled"]>;

/** Never contains the secret. Only creation and rotation return it. */
export function toWebhookBody(webhook: Webhook): WebhookBody {
  const { disabledAt, disabledReason, failingSince, previousSecretUntil } = webhook;
  const overlapping = previousSecretUntil && previousSecretUntil.getTime() > Date.now();
  return {
    id: webhook.id,
    url: webhook.url,
    description: webhook.description,
    types: webhook.types,
    enabled: disabledAt === null,
    disabled: disabledAt && { at: disabledAt.toISOString(), reason: disabledReason as Disabled["reason"] },
    failing_since: failingSince?.toISOString() ?? null,
    previous_secret_until: overlapping ? previousSecretUntil.toISOString() : null,
    created_at: webhook.createdAt.toISOString(),
  };
}
