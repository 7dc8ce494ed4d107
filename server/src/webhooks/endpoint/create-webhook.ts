import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import { findHorizon } from "../../events/read-events.ts";
import type { WorkspaceActor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { fieldInvalid } from "../../platform/errors.ts";
import { webhookLimitReached } from "../errors.ts";
import { openAddressRules } from "./address-rules.ts";
import { maxWebhooks } from "./list-webhooks.ts";
import { newSecret } from "./sign-payload.ts";
import { webhookSecretLocation } from "./webhook-secret.ts";
import { validateWebhookUrl } from "./webhook-url.ts";

export interface CreateWebhookInput {
  readonly url: string;
  readonly description: string;
  readonly types: readonly string[];
}

/** Throws if the URL can never receive events. */
export function checkUrl(app: App, url: string): void {
  const wrong = validateWebhookUrl(url, openAddressRules(app.config.webhooks.allowedNetworks));
  if (!wrong) return;
  throw fieldInvalid("url", wrong.code, `url ${wrong.detail}.`);
}

/** Creates a webhook that receives events from now on. Returns it with its secret in plain text. */
export async function createWebhook(app: App, by: WorkspaceActor, { url, description, types }: CreateWebhookInput) {
  const { workspaceId, actor } = by;
  checkUrl(app, url);
  const id = randomUUID();
  const secret = newSecret();
  return inWorkspace(app, workspaceId, async (tx) => {
    // Serialises concurrent requests, so that they cannot exceed the limit together.
    await sql`select pg_advisory_xact_lock(hashtext('hearback.webhooks'), hashtext(${workspaceId}))`.execute(tx);
    const { count } = await tx
      .selectFrom("webhookEndpoint")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("workspaceId", "=", workspaceId)
      .executeTakeFirstOrThrow();
    if (count >= maxWebhooks) throw webhookLimitReached(count);
    const { epoch, xid, seq } = await findHorizon(tx);
    const webhook = await tx
      .insertInto("webhookEndpoint")
      .values({
        workspaceId,
        id,
        url,
        description,
        types: [...new Set(types)],
        secret: app.secretBox.encrypt(secret, webhookSecretLocation({ workspaceId, id })),
        cursorEpoch: epoch,
        cursorXid: xid,
        cursorSeq: seq,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await tx.insertInto("webhookFollower").values({ endpointId: webhook.id, workspaceId }).execute();
    const subject = { type: "webhook", id: webhook.id };
    await recordAuditEntry(tx, workspaceId, { actor, action: "webhook.created", subject });
    return { ...webhook, secret };
  });
}
