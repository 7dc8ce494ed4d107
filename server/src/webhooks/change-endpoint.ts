import { record } from "../audit/record.ts";
import { findHorizon } from "../events/read-events.ts";
import type { Acting } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { withRetries } from "../platform/database/with-retries.ts";
import { differences } from "../platform/differences.ts";
import { checkUrl } from "./create-endpoint.ts";
import { disableEndpoint } from "./disable-endpoint.ts";
import { findEndpoint } from "./find-endpoint.ts";

export interface ChangeEndpointInput {
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly enabled?: boolean | undefined;
}

/** Changes what is given and differs. An endpoint that is enabled again is told of what happens from then on. */
export async function changeEndpoint(app: App, by: Acting, id: string, input: ChangeEndpointInput) {
  const { workspaceId, actor } = by;
  const { url, description, types, enabled } = input;
  const change = () =>
    inWorkspace(app, workspaceId, async (tx) => {
      const before = await findEndpoint(tx, workspaceId, id, { lock: true });
      if (url !== undefined) checkUrl(app, url);
      const values = differences(before, { url, description, types: types && [...new Set(types)] });
      const switched = enabled !== undefined && enabled === (before.disabledAt !== null);
      const changed = [...Object.keys(values), ...(switched ? ["enabled"] : [])];
      if (changed.length === 0) return before;
      if (Object.keys(values).length > 0) {
        const row = tx.updateTable("webhookEndpoint").set(values);
        await row.where("workspaceId", "=", workspaceId).where("id", "=", id).execute();
      }
      if (switched && enabled) await enable(tx, workspaceId, id);
      if (switched && !enabled) await disableEndpoint(tx, workspaceId, id, "by_request");
      const endpoint = await findEndpoint(tx, workspaceId, id);
      const subject = { type: "webhook", id };
      await record(tx, workspaceId, { actor, action: "webhook.changed", subject, data: { changed } });
      return endpoint;
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
