import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { z } from "zod";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError } from "../platform/errors.ts";
import { defineJob, enqueue } from "../platform/queue.ts";
import { ObjectMissing, type Storage } from "../platform/storage/types.ts";
import { listWorkspaces } from "../workspaces/list-workspaces.ts";
import { eraseWorkspace } from "./erase-workspace.ts";
import { type EntryRef, type LedgerEntry, listEntries, readEntry, storeEntry } from "./ledger.ts";
import { eraseAgain, type Forbidden, forbidReturn } from "./replay-entry.ts";
import { eraseRequested, runErasure } from "./run-erasure.ts";

export interface ReplayReport {
  /** Entries of the ledger that this database did not know. */
  readonly entries: number;
  readonly erased: number;
  /** Calls that stay for now, because a legal hold covers them here. */
  readonly heldBack: number;
}

const entriesAtOnce = 100;

/**
 * Erases again what the ledger names and this database does not know of: what was erased after the backup from which it
 * was restored. May be repeated, stopped, and run by several at once.
 */
export async function replayErasures(app: App, { from }: { from?: Storage } = {}): Promise<ReplayReport> {
  const report = { entries: 0, erased: 0, heldBack: 0 };
  const open = new Map<string, EntryRef>();
  const learned = new Set<string>();
  for await (const refs of unknownEntries(app, from ?? app.storage)) {
    const entries = await Promise.all(refs.map((ref) => readEntry(from ?? app.storage, ref)));
    if (from) for (const entry of entries) await keepEntry(app, entry);
    report.entries += entries.length;
    for (const entry of entries.filter(({ kind }) => kind === "workspace"))
      await eraseWorkspaceAgain(app, entry, report);
    const others = entries.filter(({ kind }) => kind !== "workspace");
    const written = await Promise.all(others.map((entry) => forbidReturn(app, entry)));
    await waitForOlder(app, written);
    for (const [index, { erasure_id }] of others.entries()) if (written[index]?.learned) learned.add(erasure_id);
    for (const entry of others) {
      const replayed = await eraseAgain(app, entry);
      report.erased += replayed.erased;
      report.heldBack += replayed.heldBack;
      if (replayed.open) open.set(entry.erasure_id, entry);
    }
  }
  // Only now: the entry that names an agent may come in any place.
  for (const { workspace_id: workspaceId, erasure_id: id } of open.values()) {
    await runErasure(app, { workspaceId, id }, learned.has(id) ? { action: "erasure.replayed" } : {});
  }
  return report;
}

/** How many entries of the ledger this database does not know. */
export async function countUnreplayed(app: App): Promise<number> {
  let count = 0;
  for await (const refs of unknownEntries(app, app.storage)) count += refs.length;
  return count;
}

/** What the ledger has and the database has not, of workspaces that are there. */
async function* unknownEntries(app: App, storage: Storage): AsyncGenerator<EntryRef[]> {
  const workspaces = new Set((await listWorkspaces(app.db)).map(({ id }) => id));
  let refs: EntryRef[] = [];
  async function unknown(): Promise<EntryRef[]> {
    const found: EntryRef[] = [];
    for (const [workspaceId, own] of Map.groupBy(refs, (ref) => ref.workspace_id)) {
      const known = await inWorkspace(app, workspaceId, (tx) =>
        tx
          .selectFrom("erasureEntry")
          .select("id")
          .where("workspaceId", "=", workspaceId)
          .where(
            "erasureId",
            "in",
            own.map((ref) => ref.erasure_id),
          )
          .execute(),
      );
      const ids = new Set(known.map(({ id }) => id));
      found.push(...own.filter((ref) => !ids.has(ref.id)));
    }
    refs = [];
    return found;
  }
  for await (const ref of listEntries(storage)) {
    if (!workspaces.has(ref.workspace_id)) continue;
    refs.push(ref);
    if (refs.length === entriesAtOnce) yield await unknown();
  }
  yield await unknown();
}

/** A copy of the ledger from elsewhere completes the one that is here. */
async function keepEntry(app: App, entry: LedgerEntry): Promise<void> {
  await readEntry(app.storage, entry).catch(async (error) => {
    if (!(error instanceof ObjectMissing)) throw error;
    await storeEntry(app.storage, entry);
  });
}

async function eraseWorkspaceAgain(app: App, entry: LedgerEntry, report: { heldBack: number }): Promise<void> {
  const { workspace_id: workspaceId, erasure_id: erasureId } = entry;
  try {
    await eraseWorkspace(app, workspaceId, { erasureId, actor: entry.requested_by });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "on_hold") throw error;
    report.heldBack += 1;
  }
}

const mostWaitMs = 60_000;

/** An import that looked for its tombstone before there was one has ended, and its call can be seen. */
async function waitForOlder(app: App, written: readonly Forbidden[]): Promise<void> {
  if (written.length === 0) return;
  const xid = Math.max(...written.map((one) => one.xid));
  for (const deadline = Date.now() + mostWaitMs; ; await sleep(20)) {
    const { rows } = await sql<{ over: boolean }>`
      select pg_snapshot_xmin(pg_current_snapshot()) > ${String(xid)}::xid8 as over`.execute(app.db);
    if (rows[0]?.over) return;
    if (Date.now() > deadline) throw new Error("a transaction that began before does not end");
  }
}

const longMs = 3600_000;

/** Hands erasures whose job was lost, as a restored queue may, to the workers again. */
async function reviveErasures(app: App): Promise<void> {
  for (const { id: workspaceId } of await listWorkspaces(app.db)) {
    await inWorkspace(app, workspaceId, async (tx) => {
      const lost = await tx
        .selectFrom("erasure")
        .select("id")
        .where("workspaceId", "=", workspaceId)
        .where("state", "!=", "done")
        .where("kind", "not in", ["workspace", "retention"])
        .where("createdAt", "<", new Date(Date.now() - longMs))
        .execute();
      for (const { id } of lost) await enqueue(tx, eraseRequested, { workspaceId, erasureId: id });
    });
  }
}

/** When a worker starts, and every day. */
export const replay = defineJob({
  name: "erasure.replay",
  schedule: "17 2 * * *",
  payload: z.object({}).nullish(),
  async run(app) {
    await reviveErasures(app);
    const report = await replayErasures(app);
    if (report.entries > 0)
      app.log.warn({ ...report }, "erasures that the database did not know were carried out again");
  },
});
