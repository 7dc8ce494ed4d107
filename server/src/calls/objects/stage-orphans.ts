import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { keysetPages } from "../../platform/database/pages.ts";
import { isUuid } from "../../platform/is-uuid.ts";
import { listWorkspaces } from "../../workspaces/list-workspaces.ts";
import { type BloomFilter, openBloomFilter } from "./bloom-filter.ts";
import { objectKinds } from "./object-key.ts";
import { findUnstaged, stageObjects } from "./staged-objects.ts";
import { sweepAgeMs } from "./sweep-recordings.ts";

const dayMs = 24 * 60 * 60_000;
const callPageSize = 10_000;
const keyBatchSize = 1_000;

export interface OrphanOptions {
  /** The first day (UTC), for example 2026-05-31. */
  readonly since: string;
  /** Count only; stage nothing. */
  readonly dryRun: boolean;
  readonly onProgress?: (listed: number) => void;
}

export interface OrphanReport {
  readonly listed: number;
  /** Objects that no call references. Staged for the sweeper unless it was a dry run. */
  readonly orphans: number;
  /** Workspaces that have objects but are not in this database. Their objects are left untouched. */
  readonly unknownWorkspaces: string[];
  /** The last day that was checked, or null if all days are too recent. */
  readonly until: string | null;
}

/**
 * Finds objects that no call and no staged row references, for example those stored after the backup from which the database
 * was restored. Reads the keys of all calls into a Bloom filter of fixed size, then lists the objects of each day. Idempotent.
 */
export async function stageOrphans(app: App, { since, dryRun, onProgress }: OrphanOptions): Promise<OrphanReport> {
  const days = daysToSweep(app, since);
  const known = new Set((await listWorkspaces(app.db)).map(({ id }) => id));
  const unknown = new Set<string>();
  let listed = 0;
  let orphans = 0;
  const report = () => ({ listed, orphans, unknownWorkspaces: [...unknown].sort(), until: days.at(-1) ?? null });
  if (days.length === 0) return report();
  const referenced = openBloomFilter();
  for (const workspaceId of known) await addReferencedKeys(app, referenced, { workspaceId, since });
  for (const workspaceId of await workspacesInStore(app)) {
    if (!known.has(workspaceId)) {
      unknown.add(workspaceId);
      continue;
    }
    for (const day of days) {
      for (const kind of objectKinds) {
        for await (const keys of inBatches(app.storage.list(`${kind}/${workspaceId}/${day}/`))) {
          listed += keys.length;
          orphans += await stage(
            app,
            keys.filter((key) => !referenced.has(key)),
            dryRun,
          );
          onProgress?.(listed);
        }
      }
    }
  }
  return report();
}

/** Days that ended long enough ago that no upload from them can still be claimed by a call. */
function daysToSweep(app: App, since: string): string[] {
  const days: string[] = [];
  for (let start = Date.parse(`${since}T00:00:00Z`); start + dayMs + sweepAgeMs(app) < Date.now(); start += dayMs)
    days.push(new Date(start).toISOString().slice(0, 10));
  return days;
}

async function workspacesInStore(app: App): Promise<string[]> {
  const found = new Set<string>();
  for (const kind of objectKinds) {
    for await (const folder of app.storage.listFolders(`${kind}/`)) {
      const id = folder.split("/")[1] ?? "";
      if (isUuid(id)) found.add(id);
    }
  }
  return [...found].sort();
}

/** Reads all calls, not only those of the given days: preparing a call again creates newer objects. */
async function addReferencedKeys(
  app: App,
  referenced: BloomFilter,
  { workspaceId, since }: { workspaceId: string; since: string },
): Promise<void> {
  const read = (after: string, limit: number) =>
    inWorkspace(app, workspaceId, (tx) =>
      tx
        .selectFrom("call")
        .leftJoin("transcript", (join) =>
          join.onRef("transcript.workspaceId", "=", "call.workspaceId").onRef("transcript.callId", "=", "call.id"),
        )
        .select(["call.id", "recordingKey", "playbackKey", "drawingKey", "transcript.objectKey as transcriptKey"])
        .where("call.workspaceId", "=", workspaceId)
        .where("call.id", ">", after)
        .orderBy("call.id")
        .limit(limit)
        .execute(),
    );
  for await (const calls of keysetPages({ read, keyOf: ({ id }) => id, pageSize: callPageSize })) {
    for (const { id: _, ...keys } of calls) {
      for (const key of Object.values(keys)) if (key && dayOf(key) >= since) referenced.add(key);
    }
  }
}

const dayOf = (key: string) => key.split("/")[2] ?? "";

async function* inBatches(keys: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const key of keys) {
    batch.push(key);
    if (batch.length < keyBatchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Stages keys, which the sweeper deletes after its delay. Returns the number of keys that were not staged before. */
async function stage({ db }: App, keys: readonly string[], dryRun: boolean): Promise<number> {
  if (keys.length === 0) return 0;
  const unstaged = await findUnstaged(db, keys);
  if (unstaged.length > 0 && !dryRun) await stageObjects(db, unstaged);
  return unstaged.length;
}
