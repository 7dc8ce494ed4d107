import { Readable } from "node:stream";
import type { ByteSemaphore } from "./byte-semaphore.ts";
import type { ByteRange, Bytes, StoredBytes } from "./types.ts";

/** Memory budget for the pieces of a download. */
export interface PieceMemory {
  readonly semaphore: ByteSemaphore;
  readonly owner: string;
}

/** A part of a stored object. It is read into memory at the store's speed, even if the client is slow. */
export interface Piece {
  readonly bytes: number;
  /** Waits for the next chunk. Undefined at the end. */
  next(): Promise<Uint8Array | undefined>;
  /** Frees the memory and stops the read. */
  drop(): void;
}

/** Minimum size of a piece, except the last one. */
export const minPieceBytes = 256 * 1024;

/**
 * Reads up to `max` bytes from the start of the range, fewer if memory is short. Resolves when the store has responded.
 */
export async function openPiece(
  read: StoredBytes["read"],
  { start, end }: ByteRange,
  max: number,
  { semaphore, owner }: PieceMemory,
): Promise<Piece> {
  const left = end - start + 1;
  const bytes = await semaphore.take(owner, Math.min(minPieceBytes, left), Math.min(max, left));
  let dropped = false;
  function drop(): void {
    if (dropped) return;
    dropped = true;
    semaphore.giveBack(owner, bytes);
  }
  try {
    const source = await read({ start, end: start + bytes - 1 });
    return collect(source, bytes, drop);
  } catch (error) {
    drop();
    throw error;
  }
}

function collect(source: Bytes, bytes: number, free: () => void): Piece {
  let chunks: Uint8Array[] = [];
  let received = 0;
  let taken = 0;
  let dropped = false;
  let ended = false;
  let failure: unknown;
  let wake = () => {};

  async function fill(): Promise<void> {
    try {
      for await (const chunk of source) {
        if (dropped) return;
        chunks.push(chunk);
        received += chunk.length;
        wake();
      }
      if (received !== bytes) throw new Error(`the object store sent ${received} of ${bytes} bytes`);
    } catch (error) {
      failure = error;
    } finally {
      ended = true;
      wake();
    }
  }
  const filling = fill();

  return {
    bytes,
    async next() {
      while (!dropped && taken === chunks.length && !ended) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (dropped) return undefined;
      const chunk = chunks[taken];
      if (chunk) {
        taken += 1;
        return chunk;
      }
      if (failure !== undefined) throw failure;
      return undefined;
    },
    drop() {
      if (dropped) return;
      dropped = true;
      chunks = [];
      wake();
      if (source instanceof Readable) source.destroy();
      // The read stops at its next chunk; until then it holds at most one.
      void filling.then(free);
    },
  };
}
