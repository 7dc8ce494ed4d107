import { sql } from "kysely";
import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import { discardErased } from "../calls/objects/staged-objects.ts";
import { system } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { ChangedMeanwhile, withRetries } from "../platform/database/with-retries.ts";
import { recordErasedUser } from "../users/remove-user.ts";
import { lockCalls, readVersions } from "./calls-in-scope.ts";
import { addTombstones, markEntryApplied, removeErasedCalls } from "./erase-batch.ts";
import type { Erasure } from "./erasure.ts";
import { lockHolds } from "./holds/legal-holds-sql.ts";
import { digestOf } from "./ids-digest.ts";
import type { LedgerEntry } from "./ledger.ts";

export interface Blocked {
  /** Id of the transaction that wrote the tombstones. */
  readonly xid: number;
  /** True if the erasure was missing from the database. */
  readonly wasUnknown: boolean;
}

/** Step 1: writes tombstones, so that the calls cannot be imported again and a recreated agent gets the same id. */
export async function blockReimport(app: App, entry: LedgerEntry): Promise<Blocked> {
  const { workspace_id: workspaceId, agent } = entry;
  return inWorkspace(app, workspaceId, async (tx) => {
    const inserted = await tx
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
    if (agent) await recordErasedUser(tx, workspaceId, { userId: agent.id, digest: Buffer.from(agent.digest, "hex") });
    const { rows } = await sql<{ xid: number }>`select pg_current_xact_id()::text::bigint as xid`.execute(tx);
    return { xid: rows[0]?.xid ?? 0, wasUnknown: inserted !== undefined };
  });
}

export interface Replayed {
  readonly erased: number;
  /** Calls kept because of a legal hold in this database. The entry stays open and is retried. */
  readonly heldBack: number;
  /** The erasure is not finished and must be run. */
  readonly open: boolean;
}

/** Step 2: erases the calls. Imports that ran concurrently with step 1 have ended, so their calls are visible and erased too. */
export async function replayEntry(app: App, entry: LedgerEntry): Promise<Replayed> {
  const { workspace_id: workspaceId, erasure_id: erasureId, call_ids: ids } = entry;
  const replayed = await withRetries(() =>
    inWorkspace(app, workspaceId, async (tx) => {
      await lockHolds(tx, workspaceId, "erase");
      const versions = await readVersions(tx, workspaceId, ids);
      const erasure = await lockErasureRow(tx, workspaceId, erasureId);
      const { erasable, changed, held } = await lockCalls(tx, "any", workspaceId, versions);
      if (changed.length > 0) throw new ChangedMeanwhile();
      const heldBack = held.length;
      if (erasable.length > 0) await removeErasedCalls(app, tx, erasure, erasable);
      const open = erasure.state !== "done";
      if (entry.agent && open && !erasure.agentId) await addAgentToScope(tx, erasure, entry.agent.id);
      if (heldBack === 0) await markEntryApplied(tx, erasure, entry.id);
      // An unfinished erasure gets its audit entry when it finishes.
      if (erasable.length > 0 && !open) await recordReplay(tx, erasure, entry, erasable);
      return { erased: erasable.length, heldBack, open };
    }),
  );
  await discardErased(app, erasureId);
  return replayed;
}

const ofErasure = (tx: Db, workspaceId: string, id: string) =>
  tx.updateTable("erasure").where("workspaceId", "=", workspaceId).where("id", "=", id);

async function lockErasureRow(tx: Db, workspaceId: string, id: string): Promise<Erasure> {
  return tx
    .selectFrom("erasure")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** Adds the agent to the erasure. Running it then removes the agent and calls that other erasures had removed before the restore. */
async function addAgentToScope(tx: Db, { workspaceId, id }: Erasure, agentId: string): Promise<void> {
  await ofErasure(tx, workspaceId, id).set({ agentId, found: null }).execute();
}

/** Adds an audit entry for the replay. The certificate still describes the original erasure. */
async function recordReplay(tx: Db, { workspaceId, id }: Erasure, entry: LedgerEntry, ids: readonly string[]) {
  await recordAuditEntry(tx, workspaceId, {
    actor: system,
    action: "erasure.replayed",
    subject: { type: "erasure", id },
    data: { entry_id: entry.id, erased: ids.length, ids_digest: digestOf(ids).toString("hex") },
  });
}
