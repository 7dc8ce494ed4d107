import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { z } from "zod";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError } from "../platform/errors.ts";
import { defineJob, enqueue } from "../platform/queue/queue.ts";
import { ObjectMissing, type Storage } from "../platform/storage/types.ts";
import { listWorkspaces } from "../workspaces/list-workspaces.ts";
import { saveReplayedErasures } from "../workspaces/save-replayed-erasures.ts";
import { eraseWorkspace } from "./erase-workspace.ts";
import { type EntryRef, type LedgerEntry, listEntries, readEntry, storeEntry } from "./ledger.ts";
import { findWatermarks } from "./ledger-watermark.ts";
import { type Blocked, blockReimport, replayEntry } from "./replay-entry.ts";
import { eraseRequested, runErasure } from "./run-erasure.ts";

export interface ReplayReport {
  /** Ledger entries that were missing from this database. */
  readonly entries: number;
  readonly erased: number;
  /** Calls kept for now because of a legal hold in this database. */
  readonly heldBack: number;
}

const pageSize = 100;

export interface ReplayOptions {
  /** Reads the ledger from this storage instead of the server's own. */
  readonly from?: Storage;
  /** Reads the whole ledger, ignoring the watermark of earlier replays. */
  readonly whole?: boolean;
}

/**
 * Replays ledger entries that are missing from this database: erasures made after the backup from which it was restored.
 * Idempotent; safe to interrupt and to run concurrently.
 */
export async function replayErasures(app: App, { from, whole = false }: ReplayOptions = {}): Promise<ReplayReport> {
  const report = { entries: 0, erased: 0, heldBack: 0 };
  const open = new Map<string, EntryRef>();
  const unknown = new Set<string>();
  // Read before listing: entries written meanwhile are left to the next run.
  const watermarks = await findWatermarks(app);
  const heldBack = new Set<string>();
  for await (const refs of unknownEntries(app, from ?? app.storage, whole || from !== undefined)) {
    const entries = await Promise.all(refs.map((ref) => readEntry(from ?? app.storage, ref)));
    if (from) for (const entry of entries) await copyEntry(app, entry);
    report.entries += entries.length;
    for (const entry of entries.filter(({ kind }) => kind === "workspace")) {
      if (await eraseWorkspaceAgain(app, entry)) continue;
      report.heldBack += 1;
      heldBack.add(entry.workspace_id);
    }
    const others = entries.filter(({ kind }) => kind !== "workspace");
    const blocked = await Promise.all(others.map((entry) => blockReimport(app, entry)));
    await waitForOlderTransactions(app, blocked);
    for (const [index, { erasure_id }] of others.entries()) if (blocked[index]?.wasUnknown) unknown.add(erasure_id);
    for (const entry of others) {
      const replayed = await replayEntry(app, entry);
      report.erased += replayed.erased;
      report.heldBack += replayed.heldBack;
      if (replayed.heldBack > 0) heldBack.add(entry.workspace_id);
      if (replayed.open) open.set(entry.erasure_id, entry);
    }
  }
  // After all entries: the one with the agent may come at any position.
  for (const { workspace_id: workspaceId, erasure_id: id } of open.values()) {
    await runErasure(app, { workspaceId, id }, unknown.has(id) ? { action: "erasure.replayed" } : {});
  }
  for (const [workspaceId, watermark] of from ? [] : watermarks) {
    if (!heldBack.has(workspaceId))
      await inWorkspace(app, workspaceId, (tx) => saveReplayedErasures(tx, workspaceId, watermark));
  }
  return report;
}

/** Counts ledger entries that are missing from this database. */
export async function countUnreplayed(app: App): Promise<number> {
  let count = 0;
  for await (const refs of unknownEntries(app, app.storage, false)) count += refs.length;
  return count;
}

/** Pages of ledger entries that are missing from the database, for existing workspaces. */
async function* unknownEntries(app: App, storage: Storage, whole: boolean): AsyncGenerator<EntryRef[]> {
  for (const { id: workspaceId, erasuresReplayedBelow } of await listWorkspaces(app.db)) {
    const entries = listEntries(storage, workspaceId, whole ? null : erasuresReplayedBelow);
    for (let page = await take(entries, pageSize); page.length > 0; page = await take(entries, pageSize)) {
      const unknown = await unknownOf(app, workspaceId, page);
      if (unknown.length > 0) yield unknown;
    }
  }
}

async function take(entries: AsyncGenerator<EntryRef>, most: number): Promise<EntryRef[]> {
  const taken: EntryRef[] = [];
  while (taken.length < most) {
    const { value, done } = await entries.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

async function unknownOf(app: App, workspaceId: string, refs: readonly EntryRef[]): Promise<EntryRef[]> {
  const known = await inWorkspace(app, workspaceId, (tx) =>
    tx
      .selectFrom("erasureEntry")
      .select("id")
      .where("workspaceId", "=", workspaceId)
      .where("erasureId", "in", [...new Set(refs.map((ref) => ref.erasure_id))])
      .execute(),
  );
  const ids = new Set(known.map(({ id }) => id));
  return refs.filter((ref) => !ids.has(ref.id));
}

/** Copies an entry of another ledger into this server's ledger if it is missing. */
async function copyEntry(app: App, entry: LedgerEntry): Promise<void> {
  await readEntry(app.storage, entry).catch(async (error) => {
    if (!(error instanceof ObjectMissing)) throw error;
    await storeEntry(app.storage, entry);
  });
}

/** Returns false if a legal hold prevents it. */
async function eraseWorkspaceAgain(app: App, entry: LedgerEntry): Promise<boolean> {
  const { workspace_id: workspaceId, erasure_id: erasureId } = entry;
  try {
    await eraseWorkspace(app, workspaceId, { erasureId, actor: entry.requested_by });
    return true;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "on_hold") throw error;
    return false;
  }
}

const maxWaitMs = 60_000;

/** Waits until imports that may have checked for tombstones too early have ended, so that their calls are visible. */
async function waitForOlderTransactions(app: App, blocked: readonly Blocked[]): Promise<void> {
  if (blocked.length === 0) return;
  const xid = Math.max(...blocked.map((entry) => entry.xid));
  for (const deadline = Date.now() + maxWaitMs; ; await sleep(20)) {
    const { rows } = await sql<{ over: boolean }>`
      select pg_snapshot_xmin(pg_current_snapshot()) > ${String(xid)}::xid8 as over`.execute(app.db);
    if (rows[0]?.over) return;
    if (Date.now() > deadline) throw new Error("timed out waiting for an older transaction to end");
  }
}

const staleMs = 3600_000;

/** Requeues erasures whose job was lost, for example by a restored queue. */
async function requeueErasures(app: App): Promise<void> {
  for (const { id: workspaceId } of await listWorkspaces(app.db)) {
    await inWorkspace(app, workspaceId, async (tx) => {
      const lost = await tx
        .selectFrom("erasure")
        .select("id")
        .where("workspaceId", "=", workspaceId)
        .where("state", "!=", "done")
        .where("kind", "not in", ["workspace", "retention"])
        .where("createdAt", "<", new Date(Date.now() - staleMs))
        .execute();
      for (const { id } of lost) await enqueue(tx, eraseRequested, { workspaceId, erasureId: id });
    });
  }
}

/** Runs at worker start and daily. */
export const replay = defineJob({
  name: "erasure.replay",
  schedule: "17 2 * * *",
  payload: z.object({}).nullish(),
  async run(app) {
    await requeueErasures(app);
    const report = await replayErasures(app);
    if (report.entries > 0) app.log.warn({ ...report }, "replayed erasures that were missing from the database");
  },
});
