import { createHash } from "node:crypto";
import type { App } from "../../platform/app.ts";
import { inBatches } from "../../platform/async/in-batches.ts";
import { recordingTooLarge, storageUnavailable } from "../../platform/errors.ts";
import { type RecordingFacts, recogniseRecording } from "../../platform/media/containers/recognise-recording.ts";
import { heldBytes } from "../../platform/storage/types.ts";
import { recordingErrors } from "../errors.ts";
import { newObjectKey } from "./object-key.ts";
import { discardObject, discardObjects, restageAndDiscard, stageObjects } from "./staged-objects.ts";

/** A complete recording in a supported format. */
export interface RecognisedRecording extends RecordingFacts {
  readonly bytes: number;
  readonly sha256: Buffer;
}

/** A recognised recording and its object key. */
export interface ReceivedRecording extends RecognisedRecording {
  readonly key: string;
}

/** Inspects a recording while it streams through, without storing it. */
export interface RecordingInspector {
  write(chunk: Uint8Array): undefined;
  /** Call at the end of the stream. Throws if the recording is not supported audio. */
  recognise(): RecognisedRecording;
}

/** An upload in progress. Campaign and agent may not be known yet. */
export interface IncomingRecording {
  /** Returns a promise for backpressure: read no more until it resolves. */
  write(chunk: Uint8Array): Promise<void> | undefined;
  /** Call at the end of the stream. Throws if the recording is not supported audio. */
  recognise(): ReceivedRecording;
  /** Resolves when the bytes are durable in the object store. */
  store(): Promise<void>;
  /** Deletes an object that no call has claimed, even if it was stored after the sweeper deleted its staged row. */
  discardUnclaimed(): Promise<void>;
  /** Deletes the object unless a call claimed it. */
  discard(): Promise<void>;
}

/** Returns a function that starts an upload. */
export function openRecordingReceiver(app: App): (workspaceId: string) => IncomingRecording {
  const stage = inBatches((keys: string[]) => stageObjects(app.db, keys), { maxItems: 500, maxWaitMs: 50 });
  // Batched, so that hundreds of clients that disconnect at once do not exhaust the connection pool.
  const discard = inBatches((keys: string[]) => discardObjects(app, keys), { maxItems: 500, maxWaitMs: 1_000 });
  return (workspaceId) => receiveRecording(app, { stage, discard }, workspaceId);
}

interface StagedRows {
  stage(key: string): Promise<void>;
  /** Only for keys whose upload has ended. */
  discard(key: string): Promise<void>;
}

/** Measures, hashes and recognises a recording. Buffers at most 64 KiB. */
export function inspectRecording({ config }: App): RecordingInspector {
  const { maxBytes } = config.recordings;
  const hash = createHash("sha256");
  const recogniser = recogniseRecording();
  let bytes = 0;
  return {
    write(chunk) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw recordingTooLarge(maxBytes);
      hash.update(chunk);
      recogniser.write(chunk);
      return undefined;
    },
    recognise() {
      const result = recogniser.end();
      if (!result.ok) throw recordingErrors[result.problem](result.detail);
      return { bytes, sha256: hash.digest(), ...result.facts };
    },
  };
}

function receiveRecording(app: App, { stage, discard }: StagedRows, workspaceId: string): IncomingRecording {
  const key = newObjectKey("recordings", workspaceId);
  const inspector = inspectRecording(app);
  const upload = app.storage.create(key, workspaceId);
  let bytes = 0;
  let staged: Promise<void> | undefined;
  let isStaged = false;
  /** The upload failed without a clear outcome: the object may still appear, so its deletion is left to the sweeper. */
  let uncertain = false;

  function beginStaging(): Promise<void> {
    const staging = stage(key).then(() => {
      isStaged = true;
    });
    // Avoids an unhandled rejection. Callers that await the promise still see the error.
    staging.catch(() => {});
    return staging;
  }

  async function afterStaging(work: () => Promise<void>): Promise<void> {
    await staged;
    try {
      await work();
    } catch (error) {
      uncertain = true;
      throw storageUnavailable(error);
    }
  }

  return {
    write(chunk) {
      inspector.write(chunk);
      bytes += chunk.length;
      staged ??= beginStaging();
      const full = upload.write(chunk);
      if (full) return afterStaging(() => full);
      // Waits for the staged row before the storage backend's buffer can fill up and be written.
      return isStaged || bytes < heldBytes / 4 ? undefined : staged;
    },
    recognise: () => ({ key, ...inspector.recognise() }),
    store: () => afterStaging(() => upload.finish()),
    async discardUnclaimed() {
      await upload.abort();
      if (!(await discardObject(app, key))) await restageAndDiscard(app, [key]);
    },
    async discard() {
      await upload.abort().catch(() => {
        uncertain = true;
      });
      if (!staged || uncertain) return;
      await staged;
      await discard(key);
    },
  };
}
