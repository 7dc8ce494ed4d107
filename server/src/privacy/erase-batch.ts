import { sql } from "kysely";
import { removeCalls } from "../calls/call/remove-calls.ts";
import { discardErased } from "../calls/objects/staged-objects.ts";
import { emitEvents } from "../events/emit-event.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { withRetries } from "../platform/database/with-retries.ts";
import { lockCalls, nextIds, readVersions } from "./calls-in-scope.ts";
import { type Erasure, type ErasureRef, findErasure, lockErasure } from "./erasure.ts";
import { clearHoldReasons, lockHolds } from "./holds/legal-holds-sql.ts";
import { writeEntry } from "./ledger.ts";

const batchSize = 100;

/** Result of one transaction of an erasure. */
export interface Batch {
  /** Cursor: the last call checked, or undefined at the end. */
  readonly last: string | undefined;
  /** Calls kept because of a legal hold. */
  readonly held: number;
  /** Calls that changed meanwhile. The next pass finds them again. */
  readonly changed: number;
}

/**
 * Erases the next batch of calls after `after`, in one transaction. After an interruption, start again from the first id:
 * erased calls are not found again.
 */
export async function eraseBatch(app: App, ref: ErasureRef, after: string): Promise<Batch> {
  const batch = await withRetries(() =>
    inWorkspace(app, ref.workspaceId, async (tx) => {
      const { workspaceId } = ref;
      await lockHolds(tx, workspaceId, "erase");
      const ids = await nextIds(tx, await findErasure(tx, workspaceId, ref.id), after, batchSize);
      const versions = await readVersions(tx, workspaceId, ids);
      const erasure = await lockErasure(tx, ref);
      if (!erasure) return { last: undefined, held: 0, changed: 0 };
      const { erasable, held, changed } = await lockCalls(tx, erasure, workspaceId, versions);
      await eraseCalls(app, tx, erasure, erasable);
      return { last: ids.at(-1), held: held.length, changed: changed.length };
    }),
  );
  await discardErased(app, ref.id);
  return batch;
}

/** True if the calls must stay erased after another import or a restored backup. Expired calls simply expire again. */
export const isOnRequest = ({ kind }: Pick<Erasure, "kind">) => kind !== "retention";

/** Erases locked calls that are not under legal hold. Writes the ledger entry before deleting. */
export async function eraseCalls(app: App, tx: Db, erasure: Erasure, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { workspaceId } = erasure;
  if (isOnRequest(erasure) && erasure.kind !== "workspace") {
    await markEntryApplied(tx, erasure, await writeEntry(app.storage, erasure, { callIds: ids }));
    await addTombstones(tx, workspaceId, ids);
  }
  await removeErasedCalls(app, tx, erasure, ids);
}

/**
 * Deletes the calls, emits their events and adds them to the erasure's counts. The counts of a finished erasure stay as its
 * certificate states them.
 */
export async function removeErasedCalls(app: App, tx: Db, erasure: Erasure, ids: readonly string[]): Promise<void> {
  const { workspaceId, id } = erasure;
  const removed = await removeCalls(app, tx, { workspaceId, ids, erasureId: id });
  await clearHoldReasons(tx, workspaceId, "call", ids);
  const data = removed.map((call) => ({ call_id: call.id, campaign_id: call.campaignId, agent_id: call.agentId }));
  await emitEvents(tx, { workspaceId, type: "call.erased", data });
  if (erasure.state === "done" || removed.length === 0) return;
  await tx
    .insertInto("erasureCall")
    .values(removed.map((call) => ({ workspaceId, erasureId: id, callId: call.id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const bytes = removed.reduce((sum, { recordingBytes }) => sum + recordingBytes, 0);
  await tx
    .updateTable("erasure")
    .set({
      erased: sql`erased + ${removed.length}`,
      bytes: sql`bytes + ${bytes}`,
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

/** Marks a ledger entry as applied. */
export async function markEntryApplied(tx: Db, { workspaceId, id: erasureId }: ErasureRef, id: string): Promise<void> {
  const row = { workspaceId, erasureId, id };
  await tx
    .insertInto("erasureEntry")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
