import type { WebhookBody } from "@hearback/contract";
import type { Selectable } from "kysely";
import type { WebhookEndpoint } from "../platform/database/tables.ts";

export type Endpoint = Selectable<WebhookEndpoint>;

type Disabled = NonNullable<WebhookBody["disabled"]>;

/** Never with the secret: that is shown by those who make one. */
export function toWebhookBody(endpoint: Endpoint): WebhookBody {
  const { disabledAt, disabledReason, failingSince, previousSecretUntil } = endpoint;
  const overlapping = previousSecretUntil && previousSecretUntil.getTime() > Date.now();
  return {
    id: endpoint.id,
    url: endpoint.url,
    description: endpoint.description,
    types: endpoint.types,
    enabled: disabledAt === null,
    disabled: disabledAt && { at: disabledAt.toISOString(), reason: disabledReason as Disabled["reason"] },
    failing_since: failingSince?.toISOString() ?? null,
    previous_secret_until: overlapping ? previousSecretUntil.toISOString() : null,
    created_at: endpoint.createdAt.toISOString(),
  };
}
