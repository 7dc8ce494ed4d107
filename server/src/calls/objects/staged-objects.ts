import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { keysetPages } from "../../platform/database/pages.ts";
import { preparedStatement } from "../../platform/database/prepared-statement.ts";
import { hasErrorCode } from "../../platform/error-code.ts";
import { storageUnavailable } from "../../platform/errors.ts";

/*
 * The only code that reads or writes `staged_object` (docs/decisions/0002-staged-rows.md). A row is the permission to delete
 * an object: it is committed before the first byte is stored, and the transaction that writes the call deletes it. A process
 * that wants to delete the object marks the row first. A marked row cannot be claimed, and a claimed row cannot be marked.
 */

/** SQLSTATE of recording_was_swept(): the object was marked for deletion before the call claimed it (migration 0001). */
const sweptCode = "HB001";

class ObjectsSwept extends Error {
  override name = "ObjectsSwept";
  readonly code = sweptCode;
}

export const wasSwept = (error: unknown) => hasErrorCode(error, sweptCode);

/** Stages objects that are about to be stored, or that the sweeper shall delete after its delay. */
export async function stageObjects(db: Db, keys: readonly string[]): Promise<void> {
  await preparedStatement(
    db,
    "stage",
  )`insert into staged_object (key) select unnest(${keys}::text[]) on conflict do nothing`;
}

/**
 * Stages objects of a call that others replace. The sweeper deletes them after its delay, so that reads in progress can finish; an
 * erasure of the call deletes them at once.
 */
export async function stageFormerObjects(tx: Db, callId: string, keys: readonly (string | null)[]): Promise<void> {
  const rows = keys.filter((key) => key !== null).map((key) => ({ key, callId }));
  if (rows.length === 0) return;
  await tx
    .insertInto("stagedObject")
    .values(rows)
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ callId }))
    .execute();
}

/** Restarts the sweeper's delay for a staged object. Returns false if it is no longer staged, or marked for deletion. */
export async function keepStaged(db: Db, key: string): Promise<boolean> {
  const kept = await db
    .updateTable("stagedObject")
    .set({ createdAt: sql`now()` })
    .where("key", "=", key)
    .where("condemnedAt", "is", null)
    .executeTakeFirst();
  return kept.numUpdatedRows > 0n;
}

/** Returns the keys that have no staged row. */
export async function findUnstaged(db: Db, keys: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom("stagedObject").select("key").where(isAmong(keys)).execute();
  const staged = new Set(rows.map(({ key }) => key));
  return keys.filter((key) => !staged.has(key));
}

/** Claims objects as part of a larger statement. Returns no row for objects that were marked for deletion. */
export const claimSql = (keys: string) =>
  `delete from staged_object where key = any(${keys}) and condemned_at is null returning key`;

/** Claims objects for a call. Throws an error for which `wasSwept` is true if one was marked for deletion. */
export async function claimObjects(tx: Db, keys: readonly string[]): Promise<void> {
  const claimed = await tx
    .deleteFrom("stagedObject")
    .where(isAmong(keys))
    .where("condemnedAt", "is", null)
    .returning("key")
    .execute();
  if (claimed.length < keys.length)
    throw new ObjectsSwept("the sweeper deleted the objects before the call claimed them");
}

/**
 * Marks objects of deleted calls for deletion. After the commit, the caller deletes them with `discardErased`; if it crashes
 * before that, the next sweep does. Backdated for that: a claimed object has no upload in progress.
 */
export async function markErasedObjects(tx: Db, keys: readonly string[], erasureId: string): Promise<void> {
  if (keys.length === 0) return;
  await sql`
    insert into staged_object (key, condemned_at, created_at, erasure_id)
    select distinct key, now(), to_timestamp(0), ${erasureId}::uuid from unnest(${keys}::text[]) as key
    on conflict (key) do update set condemned_at = now(), erasure_id = excluded.erasure_id`.execute(tx);
}

/** Marks the former objects of deleted calls for deletion, as `markErasedObjects` does the current ones. */
export async function markFormerObjects(tx: Db, callIds: readonly string[], erasureId: string): Promise<void> {
  await tx
    .updateTable("stagedObject")
    .set({ condemnedAt: sql`now()`, createdAt: sql`to_timestamp(0)`, erasureId })
    .where("callId", "in", callIds)
    .execute();
}

/**
 * Deletes a staged object unless a call claimed it. Marks the row first, in its own transaction, so that no call can claim the
 * object any more; then deletes the object; then the row. Safe to repeat after a crash at any point. Returns false if there
 * was no staged row, which means that this process may not delete the object.
 */
export async function discardObject(app: App, key: string): Promise<boolean> {
  const marked = await markForDeletion(app.db, [key]);
  if (marked.length === 0) return false;
  await app.storage.delete(key);
  await deleteRows(app.db, marked);
  return true;
}

/** Batch version of `discardObject`, for keys whose upload has ended. */
export async function discardObjects(app: App, keys: readonly string[]): Promise<void> {
  const marked = await markForDeletion(app.db, keys);
  await app.storage.deleteWhole(marked);
  await deleteRows(app.db, marked);
}

/**
 * Deletes objects that no call has claimed, even if they were stored after the sweeper deleted their staged rows. The new row
 * lets the sweeper find the object if this process crashes.
 */
export async function restageAndDiscard(app: App, keys: readonly string[]): Promise<void> {
  await stageObjects(app.db, keys);
  for (const key of keys) await discardObject(app, key);
}

const erasedBatchSize = 500;

/** Deletes the objects that an erasure marked for deletion, including those that an interrupted run left behind. */
export async function discardErased(app: App, erasureId: string): Promise<void> {
  for (;;) {
    const rows = await app.db
      .selectFrom("stagedObject")
      .select("key")
      .where("erasureId", "=", erasureId)
      .limit(erasedBatchSize)
      .execute();
    if (rows.length === 0) return;
    const keys = rows.map(({ key }) => key);
    await app.storage.deleteWhole(keys);
    await deleteRows(app.db, keys);
  }
}

/** Deletes an object of an erased workspace and its staged row, if any. There is no call left that could claim it. */
export async function deleteObject(app: App, key: string): Promise<void> {
  await app.storage.delete(key);
  await deleteRows(app.db, [key]);
}

export interface SweepOptions {
  /** Minimum age of the staged row. Younger ones may belong to an upload in progress. */
  readonly olderThanMs: number;
  readonly onProgress?: (swept: number) => void;
}

const sweepPageSize = 500;

/** Deletes staged objects (recordings, playback copies, waveforms) that no call claimed. Safe to run concurrently and to interrupt. */
export async function sweepObjects(app: App, { olderThanMs, onProgress }: SweepOptions): Promise<number> {
  const before = new Date(Date.now() - olderThanMs);
  let swept = 0;
  let failure: unknown;
  const read = (after: string, limit: number) =>
    app.db
      .selectFrom("stagedObject")
      .select("key")
      .where("createdAt", "<", before)
      .where("key", ">", after)
      .orderBy("key")
      .limit(limit)
      .execute();
  for await (const rows of keysetPages({ read, keyOf: ({ key }) => key, pageSize: sweepPageSize, after: "" })) {
    for (const { key } of rows) {
      try {
        await discardObject(app, key);
        swept += 1;
        onProgress?.(swept);
      } catch (error) {
        // Continue with the other objects; the error is thrown at the end.
        failure = error;
      }
    }
  }
  if (failure) throw storageUnavailable(failure);
  return swept;
}

const isAmong = (keys: readonly string[]) => sql<boolean>`key = any(${[...keys]}::text[])`;

async function markForDeletion(db: Db, keys: readonly string[]): Promise<string[]> {
  const rows = await db
    .updateTable("stagedObject")
    .set((eb) => ({ condemnedAt: eb.fn.coalesce("condemnedAt", eb.fn<Date>("now")) }))
    .where(isAmong(keys))
    .returning("key")
    .execute();
  return rows.map(({ key }) => key);
}

async function deleteRows(db: Db, keys: readonly string[]): Promise<void> {
  await db.deleteFrom("stagedObject").where(isAmong(keys)).execute();
}
