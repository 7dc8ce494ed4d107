import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import type { Bytes } from "../platform/storage/types.ts";
import type { LearnedAudio } from "./learn-audio.ts";
import { discardRecording } from "./recording.ts";

const pieceBytes = 128 * 1024;

/** What was made of a recording, stored and not yet claimed by its call. */
export interface PreparedObjects {
  readonly playbackKey: string;
  /** The waveform, and right behind it the turns of speech as JSON. */
  readonly drawingKey: string;
  readonly waveformBytes: number;
  readonly drawingBytes: number;
}

/** Stores playback copy and drawing. As with a recording, a staged row is there before the first byte. */
export async function storePrepared(
  app: App,
  workspaceId: string,
  { playbackFile, waveform, turns }: LearnedAudio,
): Promise<PreparedObjects> {
  const day = new Date().toISOString().slice(0, 10);
  const playbackKey = `playback/${workspaceId}/${day}/${randomUUID()}`;
  const drawingKey = `drawings/${workspaceId}/${day}/${randomUUID()}`;
  const speech = Buffer.from(JSON.stringify(turns));
  await app.db
    .insertInto("stagedObject")
    .values([{ key: playbackKey }, { key: drawingKey }])
    .execute();
  try {
    await store(app, playbackKey, readPlain(playbackFile));
    await store(app, drawingKey, piecesOf(waveform, speech));
  } catch (error) {
    await discardPrepared(app, { playbackKey, drawingKey }).catch((err) =>
      app.log.warn({ err }, "prepared objects left to the sweeper"),
    );
    throw error;
  }
  const drawingBytes = waveform.length + speech.length;
  return { playbackKey, drawingKey, waveformBytes: waveform.length, drawingBytes };
}

/** Reads a file that a tool has written, and nothing that it may have put a link to in its place. */
async function* readPlain(path: string): Bytes {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  yield* file.createReadStream({ highWaterMark: pieceBytes });
}

async function* piecesOf(...buffers: Buffer[]): Bytes {
  for (const buffer of buffers) {
    for (let at = 0; at < buffer.length; at += pieceBytes) yield buffer.subarray(at, at + pieceBytes);
  }
}

async function store(app: App, key: string, bytes: Bytes): Promise<void> {
  const upload = app.storage.create(key);
  try {
    for await (const chunk of bytes) await upload.write(chunk);
    await upload.finish();
  } catch (error) {
    await upload.abort().catch(() => {});
    throw error;
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

export async function discardPrepared(
  app: App,
  { playbackKey, drawingKey }: Pick<PreparedObjects, "playbackKey" | "drawingKey">,
): Promise<void> {
  for (const key of [playbackKey, drawingKey]) await discardRecording(app, key);
}
