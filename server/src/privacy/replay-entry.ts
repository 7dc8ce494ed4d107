import { sql } from "kysely";
import { record } from "../audit/record.ts";
import { system } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { withRetries } from "../platform/database/with-retries.ts";
import { rememberErased } from "../users/remove-user.ts";
import { ChangedMeanwhile, lockCalls, readVersions } from "./concerned-calls.ts";
import { addTombstones, countErased, noteEntry, removeObjects } from "./erase-batch.ts";
import type { Erasure } from "./erasure.ts";
import { lockHolds } from "./held.ts";
import type { LedgerEntry } from "./ledger.ts";

export interface Forbidden {
  /** The number of the transaction that forbade it. */
  readonly xid: number;
  /** The database knew nothing of this erasure. */
  readonly learned: boolean;
}

/** The first half: from now on the calls cannot be imported, and the agent would get its id back. */
export async function forbidReturn(app: App, entry: LedgerEntry): Promise<Forbidden> {
  const { workspace_id: workspaceId, agent } = entry;
  return inWorkspace(app, workspaceId, async (tx) => {
    const learned = await tx
      .insertInto("erasure")
      .values({
        workspaceId,
        id: entry.erasure_id,
        kind: entry.kind,
        state: "running",
        callId: entry.kind === "call" ? (entry.call_ids[0] ?? null) : null,
        requestedByType: entry.requested_by.type,
        requestedById: entry.requested_by.id,
        createdAt: new Date(entry.at),
        startedAt: new Date(entry.at),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst();
    await addTombstones(tx, workspaceId, entry.call_ids);
    if (agent) await rememberErased(tx, workspaceId, { userId: agent.id, digest: Buffer.from(agent.digest, "hex") });
    const { rows } = await sql<{ xid: number }>`select pg_current_xact_id()::text::bigint as xid`.execute(tx);
    return { xid: rows[0]?.xid ?? 0, learned: learned !== undefined };
  });
}

export interface Replayed {
  readonly erased: number;
  /** Calls that a legal hold keeps, here and now. The entry stays open: it is tried again. */
  readonly heldBack: number;
  /** It is to be run to its end. */
  readonly open: boolean;
}

/** The second half: whatever was imported meanwhile can be seen now, and goes with the rest. */
export async function eraseAgain(app: App, entry: LedgerEntry): Promise<Replayed> {
  const { workspace_id: workspaceId, erasure_id: erasureId, call_ids: ids } = entry;
  const replayed = await withRetries(() =>
    inWorkspace(app, workspaceId, async (tx) => {
      await lockHolds(tx, workspaceId, "to erase");
      const versions = await readVersions(tx, workspaceId, ids);
      const erasure = await lockAny(tx, workspaceId, erasureId);
      const { erasable, changed, held } = await lockCalls(tx, "any", workspaceId, versions);
      if (changed.length > 0) throw new ChangedMeanwhile();
      const heldBack = held.length;
      if (erasable.length > 0) await countErased(tx, erasure, erasable);
      const open = erasure.state !== "done";
      if (entry.agent && open && !erasure.agentId) await concernAgent(tx, erasure, entry.agent.id);
      if (heldBack === 0) await noteEntry(tx, erasure, entry.id);
      // One that is not done is recorded when it is.
      if (erasable.length > 0 && !open) await recordReplay(tx, erasure, entry, erasable.length);
      return { erased: erasable.length, heldBack, open };
    }),
  );
  await removeObjects(app, erasureId);
  return replayed;
}

const ofErasure = (tx: Db, workspaceId: string, id: string) =>
  tx.updateTable("erasure").where("workspaceId", "=", workspaceId).where("id", "=", id);

async function lockAny(tx: Db, workspaceId: string, id: string): Promise<Erasure> {
  return tx
    .selectFrom("erasure")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** The agent goes when the erasure is run to its end, with calls that were erased for another reason before. */
async function concernAgent(tx: Db, { workspaceId, id }: Erasure, agentId: string): Promise<void> {
  await ofErasure(tx, workspaceId, id).set({ agentId, found: null }).execute();
}

async function recordReplay(tx: Db, { workspaceId, id }: Erasure, entry: LedgerEntry, erased: number): Promise<void> {
  const { number, hash } = await record(tx, workspaceId, {
    actor: system,
    action: "erasure.replayed",
    subject: { type: "erasure", id },
    data: { entry_id: entry.id, erased },
  });
  await ofErasure(tx, workspaceId, id).set({ auditNumber: number, auditHash: hash }).execute();
}
