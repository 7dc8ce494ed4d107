import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { storageUnavailable } from "../../platform/errors.ts";
import type { Bytes } from "../../platform/storage/types.ts";
import { newObjectKey } from "../objects/object-key.ts";
import { claimObjects, restageAndDiscard, stageObjects } from "../objects/staged-objects.ts";
import type { AnalysedRecording } from "./analyse-recording.ts";

const pieceBytes = 128 * 1024;

/** The playback copy and the waveform object, stored but not yet claimed by the call. */
export interface PreparedObjects {
  readonly playbackKey: string;
  readonly playbackBytes: number;
  /** One object: the waveform, followed by the speech turns as JSON. */
  readonly drawingKey: string;
  readonly waveformBytes: number;
  readonly drawingBytes: number;
}

/**
 * Stores the playback copy and the waveform object. As with recordings, the staged rows are inserted before the first byte.
 * After a failure the sweeper cleans up: a write that seemed to fail may still complete.
 */
export async function storePrepared(
  app: App,
  workspaceId: string,
  { playbackFile, waveform, turns }: AnalysedRecording,
): Promise<PreparedObjects> {
  const end = app.metrics.preparePhases.startTimer({ phase: "store" });
  const playbackKey = newObjectKey("playback", workspaceId);
  const drawingKey = newObjectKey("drawings", workspaceId);
  await stageObjects(app.db, [playbackKey, drawingKey]);
  const speech = Buffer.from(JSON.stringify(turns));
  const playbackBytes = await store(app, { key: playbackKey, owner: workspaceId }, readRegularFile(playbackFile));
  const drawingBytes = await store(app, { key: drawingKey, owner: workspaceId }, piecesOf(waveform, speech));
  end();
  return { playbackKey, playbackBytes, drawingKey, waveformBytes: waveform.length, drawingBytes };
}

/** Reads the tool's output file. Rejects symbolic links, pipes and anything else that is not a regular file. */
async function* readRegularFile(path: string): Bytes {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) throw new Error("the tool's output is not a regular file");
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

/** Returns the number of bytes stored. */
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

const keysOf = ({ playbackKey, drawingKey }: PreparedObjects) => [playbackKey, drawingKey];

/** Claims the objects for the call. Throws if the sweeper deleted them first. */
export const claimPrepared = (tx: Db, objects: PreparedObjects) => claimObjects(tx, keysOf(objects));

/** Deletes objects that no call has claimed. */
export const discardPrepared = (app: App, objects: PreparedObjects) => restageAndDiscard(app, keysOf(objects));
