import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import type { App } from "../../platform/app.ts";
import { untilAborted } from "../../platform/async/until-aborted.ts";
import { hasErrorCode } from "../../platform/error-code.ts";
import { storageUnavailable } from "../../platform/errors.ts";
import type { SampleAnalysis } from "../../platform/media/analysis/analyse-samples.ts";
import { MediaError, ScratchFull } from "../../platform/media/ffmpeg/media-error.ts";
import { freeBuffers } from "../../platform/memory/free-buffers.ts";
import { type Bytes, ObjectMissing } from "../../platform/storage/types.ts";
import { RecordingFault } from "./recording-fault.ts";

/** Analyses the recording while it is downloaded. */
export interface StreamAnalyser {
  write(chunk: Uint8Array): void;
  /** Undefined if the analysis may be incomplete and a decoder is needed. */
  end(): SampleAnalysis | undefined;
}

/** Write buffer size. One write per network chunk would cost more in system calls than the data itself. */
const writeBytes = 1024 * 1024;

/** The object key of a recording, and the length and checksum from its import. */
export interface WantedRecording {
  readonly recordingKey: string;
  readonly recordingBytes: number;
  readonly sha256: Buffer;
}

interface FetchOptions {
  readonly file: string;
  readonly analyser: StreamAnalyser | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Downloads a recording to a file. Throws a RecordingFault unless length and checksum match the import. */
export async function fetchRecording(app: App, wanted: WantedRecording, options: FetchOptions): Promise<void> {
  try {
    await copyVerified(app, wanted, options);
  } catch (error) {
    const signal = options.signal;
    if (signal?.aborted) throw signal.reason;
    if (error instanceof MediaError || error instanceof ScratchFull) throw error;
    if (error instanceof RecordingFault) throw error;
    if (error instanceof ObjectMissing) throw new RecordingFault("recording_missing");
    throw hasErrorCode(error, "ENOSPC") ? error : storageUnavailable(error);
  }
}

async function copyVerified(
  app: App,
  wanted: WantedRecording,
  { file, analyser, signal }: FetchOptions,
): Promise<void> {
  const hash = createHash("sha256");
  const safeAnalyser = analyser && deferErrors(analyser);
  let length = 0;
  const copy = await open(file, "wx", 0o644);
  try {
    const chunks = untilAborted(app.storage.get(wanted.recordingKey), signal);
    for await (const { pieces, bytes } of batchChunks(chunks)) {
      length += bytes;
      if (length > wanted.recordingBytes) throw new RecordingFault("recording_corrupt");
      for (const piece of pieces) {
        hash.update(piece);
        safeAnalyser?.write(piece);
      }
      const { bytesWritten } = await copy.writev(pieces);
      if (bytesWritten < bytes) throw new ScratchFull("no space left in the scratch folder");
      freeBuffers(bytes);
    }
  } finally {
    await copy.close();
  }
  const whole = length === wanted.recordingBytes && hash.digest().equals(wanted.sha256);
  if (!whole) throw new RecordingFault("recording_corrupt");
  safeAnalyser?.throwIfFailed();
}

/** Holds back the analyser's error until the checksum is verified: an error caused by corrupt bytes says nothing about the recording. */
function deferErrors(analyser: StreamAnalyser) {
  let failure: unknown;
  return {
    write(piece: Uint8Array): void {
      if (failure) return;
      try {
        analyser.write(piece);
      } catch (error) {
        failure = error;
      }
    },
    throwIfFailed(): void {
      if (failure) throw failure;
    },
  };
}

interface Batch {
  readonly pieces: Uint8Array[];
  readonly bytes: number;
}

/** Groups chunks into batches of at least `writeBytes`. */
async function* batchChunks(chunks: Bytes): AsyncGenerator<Batch> {
  let batch = { pieces: [] as Uint8Array[], bytes: 0 };
  for await (const chunk of chunks) {
    batch.pieces.push(chunk);
    batch.bytes += chunk.length;
    if (batch.bytes < writeBytes) continue;
    yield batch;
    batch = { pieces: [], bytes: 0 };
  }
  if (batch.bytes > 0) yield batch;
}
