import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import type { WorkspaceActor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { findWebhook } from "./find-webhook.ts";
import { newSecret } from "./sign-payload.ts";
import { webhookSecretLocation } from "./webhook-secret.ts";

/** Creates a new secret. During the overlap, payloads are signed with both. Returns the new secret in plain text. */
export async function rotateSecret(app: App, by: WorkspaceActor, id: string, overlapHours: number) {
  const { workspaceId, actor } = by;
  return inWorkspace(app, workspaceId, async (tx) => {
    const { secret: stored } = await findWebhook(tx, workspaceId, id, { lock: true });
    const overlaps = overlapHours > 0;
    const secret = newSecret();
    const location = webhookSecretLocation({ workspaceId, id });
    const encrypted = (plain: string) => app.secretBox.encrypt(plain, location);
    const webhook = await tx
      .updateTable("webhookEndpoint")
      .set({
        secret: encrypted(secret),
        previousSecret: overlaps ? encrypted(app.secretBox.decrypt(stored, location)) : null,
        previousSecretUntil: overlaps ? new Date(Date.now() + overlapHours * 3_600_000) : null,
      })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordAuditEntry(tx, workspaceId, {
      actor,
      action: "webhook.secret_rotated",
      subject: { type: "webhook", id },
    });
    return { ...webhook, secret };
  });
}
