import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { storageUnavailable } from "../platform/errors.ts";
import type { Bytes } from "../platform/storage/types.ts";
import type { LearnedAudio } from "./learn-audio.ts";
import { discardStaged } from "./recording.ts";

const pieceBytes = 128 * 1024;

/** What was made of a recording, stored and not yet claimed by its call. */
export interface PreparedObjects {
  readonly playbackKey: string;
  readonly playbackBytes: number;
  /** The waveform, and right behind it the turns of speech as JSON. */
  readonly drawingKey: string;
  readonly waveformBytes: number;
  readonly drawingBytes: number;
}

/**
 * Stores playback copy and drawing. As with a recording, a staged row is there before the first byte. What a failure
 * leaves is for the sweeper: the store may still be about to take what it seemed to refuse.
 */
export async function storePrepared(
  app: App,
  workspaceId: string,
  { playbackFile, waveform, turns }: LearnedAudio,
): Promise<PreparedObjects> {
  const end = app.metrics.preparePhases.startTimer({ phase: "store" });
  const day = new Date().toISOString().slice(0, 10);
  const playbackKey = `playback/${workspaceId}/${day}/${randomUUID()}`;
  const drawingKey = `drawings/${workspaceId}/${day}/${randomUUID()}`;
  await stage(app, [playbackKey, drawingKey]);
  const speech = Buffer.from(JSON.stringify(turns));
  const playbackBytes = await store(app, { key: playbackKey, owner: workspaceId }, readPlain(playbackFile));
  const drawingBytes = await store(app, { key: drawingKey, owner: workspaceId }, piecesOf(waveform, speech));
  end();
  return { playbackKey, playbackBytes, drawingKey, waveformBytes: waveform.length, drawingBytes };
}

async function stage(app: App, keys: string[]): Promise<void> {
  const rows = keys.map((key) => ({ key }));
  await app.db
    .insertInto("stagedObject")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Reads a file that a tool has written, and nothing that it may have put in its place. */
async function* readPlain(path: string): Bytes {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) throw new Error("the tool left something else than a file");
    yield* file.createReadStream({ highWaterMark: pieceBytes, autoClose: false });
  } finally {
    await file.close();
  }
}

async function* piecesOf(...buffers: Buffer[]): Bytes {
  for (const buffer of buffers) {
    for (let at = 0; at < buffer.length; at += pieceBytes) yield buffer.subarray(at, at + pieceBytes);
  }
}

/** Gives how many bytes were stored. */
async function store(app: App, { key, owner }: { key: string; owner: string }, bytes: Bytes): Promise<number> {
  const upload = app.storage.create(key, owner);
  let stored = 0;
  try {
    for await (const chunk of bytes) {
      await upload.write(chunk);
      stored += chunk.length;
    }
    await upload.finish();
    return stored;
  } catch (error) {
    await upload.abort().catch(() => {});
    throw storageUnavailable(error);
  }
}

/** From now on the objects are the call's. Fails the transaction if the sweeper was faster. */
export async function claimPrepared(tx: Db, { playbackKey, drawingKey }: PreparedObjects): Promise<void> {
  const claimed = await tx
    .deleteFrom("stagedObject")
    .where("key", "in", [playbackKey, drawingKey])
    .where("condemnedAt", "is", null)
    .returning("key")
    .execute();
  if (claimed.length < 2) throw new Error("what was prepared was swept before its call claimed it");
}

/** Removes what is known to be unclaimed: also what was stored after the sweeper had looked and gone on. */
export async function discardPrepared(app: App, { playbackKey, drawingKey }: PreparedObjects): Promise<void> {
  const keys = [playbackKey, drawingKey];
  await stage(app, keys);
  for (const key of keys) await discardStaged(app, key);
}
