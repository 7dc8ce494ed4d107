import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { openToolFile } from "../../platform/media/ffmpeg/open-tool-file.ts";
import type { Bytes } from "../../platform/storage/types.ts";
import { newObjectKey } from "../objects/object-key.ts";
import { claimObjects, restageAndDiscard, stageFormerObjects, stageObjects } from "../objects/staged-objects.ts";
import { pieceBytes, piecesOf, storeObject } from "../objects/store-object.ts";
import type { AnalysedRecording } from "./analyse-recording.ts";
import type { CallRef } from "./call-step.ts";

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
  const playbackBytes = await storeObject(app, { key: playbackKey, owner: workspaceId }, readRegularFile(playbackFile));
  const drawingBytes = await storeObject(app, { key: drawingKey, owner: workspaceId }, piecesOf(waveform, speech));
  end();
  return { playbackKey, playbackBytes, drawingKey, waveformBytes: waveform.length, drawingBytes };
}

async function* readRegularFile(path: string): Bytes {
  const file = await openToolFile(path);
  try {
    yield* file.createReadStream({ highWaterMark: pieceBytes, autoClose: false });
  } finally {
    await file.close();
  }
}

const keysOf = ({ playbackKey, drawingKey }: PreparedObjects) => [playbackKey, drawingKey];

/** Claims the objects for the call. Throws if the sweeper deleted them first. */
export const claimPrepared = (tx: Db, objects: PreparedObjects) => claimObjects(tx, keysOf(objects));

/** Deletes objects that no call has claimed. */
export const discardPrepared = (app: App, objects: PreparedObjects) => restageAndDiscard(app, keysOf(objects));

/** Puts the prepared objects of a call in place of the former ones. */
export async function replacePrepared(
  tx: Db,
  { workspaceId, id }: CallRef,
  former: { readonly playbackKey: string | null; readonly drawingKey: string | null },
  prepared: PreparedObjects,
): Promise<void> {
  await tx
    .updateTable("call")
    .set({ ...prepared })
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .execute();
  await claimPrepared(tx, prepared);
  await stageFormerObjects(tx, id, [former.playbackKey, former.drawingKey]);
}
