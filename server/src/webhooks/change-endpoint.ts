import { findHorizon } from "../events/read-events.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { withRetries } from "../platform/database/with-retries.ts";
import { checkUrl } from "./create-endpoint.ts";
import { disableEndpoint } from "./disable-endpoint.ts";
import { findEndpoint } from "./find-endpoint.ts";

export interface ChangeEndpointInput {
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly enabled?: boolean | undefined;
}

/** Changes what is given. An endpoint that is enabled again is told of what happens from then on. */
export async function changeEndpoint(app: App, workspaceId: string, id: string, input: ChangeEndpointInput) {
  const { url, description, types, enabled } = input;
  const change = () =>
    inWorkspace(app, workspaceId, async (tx) => {
      const before = await findEndpoint(tx, workspaceId, id, { lock: true });
      if (url !== undefined) checkUrl(app, url);
      const values = {
        ...(url !== undefined && { url }),
        ...(description !== undefined && { description }),
        ...(types !== undefined && { types: [...new Set(types)] }),
      };
      if (Object.keys(values).length > 0) {
        const row = tx.updateTable("webhookEndpoint").set(values);
        await row.where("workspaceId", "=", workspaceId).where("id", "=", id).execute();
      }
      if (enabled === true && before.disabledAt) await enable(tx, workspaceId, id);
      if (enabled === false && !before.disabledAt) await disableEndpoint(tx, workspaceId, id, "by_request");
      return findEndpoint(tx, workspaceId, id);
    });
  return withRetries(change);
}

async function enable(tx: Db, workspaceId: string, id: string): Promise<void> {
  const { epoch, xid, seq } = await findHorizon(tx);
  await tx
    .updateTable("webhookEndpoint")
    .set({
      disabledAt: null,
      disabledReason: null,
      failingSince: null,
      cursorEpoch: epoch,
      cursorXid: xid,
      cursorSeq: seq,
    })
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .execute();
  await tx.insertInto("webhookFollower").values({ endpointId: id, workspaceId }).execute();
}
