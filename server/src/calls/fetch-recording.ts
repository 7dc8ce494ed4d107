import { open } from "node:fs/promises";
import type { App } from "../platform/app.ts";
import { storageUnavailable } from "../platform/errors.ts";
import { freeBuffers } from "../platform/free-buffers.ts";
import type { Heard } from "../platform/media/listen.ts";
import { MediaError, ScratchFull } from "../platform/media/media-error.ts";
import { type Bytes, ObjectMissing } from "../platform/storage/types.ts";

/** Somebody who hears the recording while it is fetched. */
export interface Hearing {
  write(chunk: Uint8Array): void;
  /** What was heard; undefined: not for sure all of it, and a decoder has to look. */
  end(): Heard | undefined;
}

/** Written so much at a time: a trip to the disk for every piece that the network brings costs more than the writing. */
const writeBytes = 1024 * 1024;

interface Fetching {
  readonly file: string;
  readonly hearing: Hearing | undefined;
}

/** Brings a recording from the object store to a file. */
export async function fetchRecording(app: App, key: string, { file, hearing }: Fetching): Promise<void> {
  try {
    const copy = await open(file, "wx", 0o644);
    try {
      for await (const { pieces, bytes } of gather(await app.storage.get(key))) {
        for (const piece of pieces) hearing?.write(piece);
        const { bytesWritten } = await copy.writev(pieces);
        if (bytesWritten < bytes) throw new ScratchFull("no space left in the scratch folder");
        freeBuffers(bytes);
      }
    } finally {
      await copy.close();
    }
  } catch (error) {
    if (error instanceof MediaError || error instanceof ScratchFull) throw error;
    const full = error instanceof Error && "code" in error && error.code === "ENOSPC";
    if (!(error instanceof ObjectMissing)) throw full ? error : storageUnavailable(error);
    throw new MediaError(
      "recording_missing",
      "The recording is not in the object store any more. Restore it from a backup, then prepare the call again.",
    );
  }
}

interface Gathered {
  readonly pieces: Uint8Array[];
  readonly bytes: number;
}

/** Pieces in lots that are worth a write. */
async function* gather(chunks: Bytes): AsyncGenerator<Gathered> {
  let lot = { pieces: [] as Uint8Array[], bytes: 0 };
  for await (const chunk of chunks) {
    lot.pieces.push(chunk);
    lot.bytes += chunk.length;
    if (lot.bytes < writeBytes) continue;
    yield lot;
    lot = { pieces: [], bytes: 0 };
  }
  if (lot.bytes > 0) yield lot;
}
