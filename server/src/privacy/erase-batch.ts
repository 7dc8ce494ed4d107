import { sql } from "kysely";
import { removeCalls } from "../calls/remove-calls.ts";
import { announceAll } from "../events/announce.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { withRetries } from "../platform/database/with-retries.ts";
import { lockCalls, nextIds, readVersions } from "./concerned-calls.ts";
import { type Erasure, type ErasureRef, findErasure, lockErasure } from "./erasure.ts";
import { forgetReasons, lockHolds } from "./held.ts";
import { addIds } from "./ids-digest.ts";
import { writeEntry } from "./ledger.ts";

const batchSize = 100;

/**
 * Erases the next calls of an erasure behind `after`, in one transaction, and gives the last one it looked at; undefined:
 * there are no more. Whoever is stopped anywhere begins again from the first: what is erased is not found again.
 */
export async function eraseBatch(app: App, ref: ErasureRef, after: string): Promise<string | undefined> {
  const last = await withRetries(() =>
    inWorkspace(app, ref.workspaceId, async (tx) => {
      const { workspaceId } = ref;
      await lockHolds(tx, workspaceId, "to erase");
      const ids = await nextIds(tx, await findErasure(tx, workspaceId, ref.id), after, batchSize);
      const versions = await readVersions(tx, workspaceId, ids);
      const erasure = await lockErasure(tx, ref);
      if (!erasure) return undefined;
      // Those that have changed are found again when this comes to its end.
      const { erasable } = await lockCalls(tx, erasure, workspaceId, versions);
      await eraseCalls(app, tx, erasure, erasable);
      return ids.at(-1);
    }),
  );
  await removeObjects(app, ref.id);
  return last;
}

/** Whether an erased call must stay erased when it is sent again, and after a restore. What expired is erased again anyway. */
export const isOnRequest = ({ kind }: Pick<Erasure, "kind">) => kind !== "retention";

/** Erases calls that are locked and not held. The ledger has them before they are gone. */
export async function eraseCalls(app: App, tx: Db, erasure: Erasure, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { workspaceId } = erasure;
  if (isOnRequest(erasure) && erasure.kind !== "workspace") {
    await noteEntry(tx, erasure, await writeEntry(app.storage, erasure, { callIds: ids }));
    await addTombstones(tx, workspaceId, ids);
  }
  await countErased(tx, erasure, ids);
}

/** Removes the calls that are there, tells of them, and adds them to the figures of the erasure. */
export async function countErased(tx: Db, erasure: Erasure, ids: readonly string[]): Promise<void> {
  const { workspaceId, id } = erasure;
  const removed = await removeCalls(tx, { workspaceId, ids, erasureId: id });
  await forgetReasons(tx, workspaceId, "call", ids);
  const data = removed.map((call) => ({ call_id: call.id, campaign_id: call.campaignId, agent_id: call.agentId }));
  await announceAll(tx, { workspaceId, type: "call.erased", data });
  const bytes = removed.reduce((sum, { recordingBytes }) => sum + recordingBytes, 0);
  const removedIds = removed.map((call) => call.id);
  await tx
    .updateTable("erasure")
    .set({
      erased: sql`erased + ${removed.length}`,
      bytes: sql`bytes + ${bytes}`,
      idsDigest: addIds(erasure.idsDigest, removedIds),
    })
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .execute();
}

export async function addTombstones(tx: Db, workspaceId: string, ids: readonly string[]): Promise<void> {
  await sql`
    insert into erased_call (workspace_id, id) select ${workspaceId}::uuid, id from unnest(${ids}::uuid[]) as id
    on conflict do nothing`.execute(tx);
}

/** An entry of the ledger is carried out. */
export async function noteEntry(tx: Db, { workspaceId, id: erasureId }: ErasureRef, id: string): Promise<void> {
  const row = { workspaceId, erasureId, id };
  await tx
    .insertInto("erasureEntry")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const objectsAtOnce = 500;

/**
 * Removes the objects of calls that an erasure has erased: its own, and what one that was stopped has left. They were
 * condemned with their calls, so nobody can claim them.
 */
export async function removeObjects(app: App, erasureId: string): Promise<void> {
  for (;;) {
    const rows = await app.db
      .selectFrom("stagedObject")
      .select("key")
      .where("erasureId", "=", erasureId)
      .limit(objectsAtOnce)
      .execute();
    if (rows.length === 0) return;
    const keys = rows.map(({ key }) => key);
    await app.storage.deleteWhole(keys);
    await app.db.deleteFrom("stagedObject").where("key", "in", keys).execute();
  }
}
