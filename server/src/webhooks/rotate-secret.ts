import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { findEndpoint } from "./find-endpoint.ts";
import { newSecret } from "./sign-payload.ts";

/** Gives an endpoint another secret. Until the overlap is over, what is sent is signed with both. */
export async function rotateSecret(app: App, workspaceId: string, id: string, overlapHours: number) {
  return inWorkspace(app, workspaceId, async (tx) => {
    const { secret } = await findEndpoint(tx, workspaceId, id, { lock: true });
    const overlaps = overlapHours > 0;
    return tx
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
  });
}
