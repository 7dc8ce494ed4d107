import { record } from "../audit/record.ts";
import type { Acting } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { findEndpoint } from "./find-endpoint.ts";
import { newSecret } from "./sign-payload.ts";

/** Gives an endpoint another secret. Until the overlap is over, what is sent is signed with both. */
export async function rotateSecret(app: App, by: Acting, id: string, overlapHours: number) {
  const { workspaceId, actor } = by;
  return inWorkspace(app, workspaceId, async (tx) => {
    const { secret } = await findEndpoint(tx, workspaceId, id, { lock: true });
    const overlaps = overlapHours > 0;
    const endpoint = await tx
      .updateTable("webhookEndpoint")
      .set({
        secret: newSecret(),
        previousSecret: overlaps ? secret : null,
        previousSecretUntil: overlaps ? new Date(Date.now() + overlapHours * 3_600_000) : null,
      })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await record(tx, workspaceId, { actor, action: "webhook.secret_rotated", subject: { type: "webhook", id } });
    return endpoint;
  });
}
