import type { Db } from "../../platform/database/database.ts";
import { isUuid } from "../../platform/is-uuid.ts";
import { webhookDisabled, webhookNotFound } from "../errors.ts";
import type { Webhook } from "../webhook-body.ts";

interface FindOptions {
  /** Locks the row until the transaction ends. */
  readonly lock?: boolean;
}

export async function findWebhook(tx: Db, workspaceId: string, id: string, { lock = false }: FindOptions = {}) {
  const found = isUuid(id)
    ? await tx
        .selectFrom("webhookEndpoint")
        .selectAll()
        .where("workspaceId", "=", workspaceId)
        .where("id", "=", id)
        .$if(lock, (query) => query.forNoKeyUpdate())
        .executeTakeFirst()
    : undefined;
  if (!found) throw webhookNotFound(id);
  return found;
}

/** Returns and locks the webhook. Throws if it is disabled. */
export async function findEnabledWebhook(tx: Db, workspaceId: string, id: string): Promise<Webhook> {
  const webhook = await findWebhook(tx, workspaceId, id, { lock: true });
  if (webhook.disabledAt) {
    throw webhookDisabled(id, webhook.disabledReason);
  }
  return webhook;
}
