import { Readable } from "node:stream";
import { minPieceBytes, openPiece, type Piece, type PieceMemory } from "./open-piece.ts";
import type { ByteRange, Bytes, StoredBytes } from "./types.ts";

export const firstPieceBytes = 1024 * 1024;
const maxPieceBytes = 4 * 1024 * 1024;
/**
 * After a client has read nothing for this long, its memory is freed. The rest is read again when the client continues.
 */
const stallMs = 1_000;

type Read = StoredBytes["read"];

/**
 * Reads the bytes in pieces, each into memory at the store's speed, so that a slow client does not occupy a connection
 * to the store. A player requests everything from a position and closes the connection after a few seconds of audio, so
 * the first piece is small; each following piece is twice as large, up to a limit. Resolves when the store has
 * responded with the first piece.
 */
export async function readInPieces(read: Read, range: ByteRange, memory: PieceMemory): Promise<Readable> {
  const first = await openPiece(read, range, firstPieceBytes, memory);
  const bytes = Readable.from(follow(read, range, memory, first), { objectMode: false });
  // A generator that was never started does not run its finally block.
  return bytes.once("close", () => first.drop());
}

async function* follow(read: Read, { start, end }: ByteRange, memory: PieceMemory, first: Piece): Bytes {
  let piece = first;
  /**
   * Read-ahead: the next piece is opened when half of the current one is consumed, so the client does not wait for the
   * store.
   */
  let ahead: Promise<Piece> | undefined;
  let position = start;
  let size = firstPieceBytes;

  function openAt(from: number, max: number): Promise<Piece> {
    size = max;
    return openPiece(read, { start: from, end }, size, memory);
  }
  const larger = () => Math.min(2 * size, maxPieceBytes);

  function dropAll(): void {
    piece.drop();
    ahead?.then((next) => next.drop()).catch(() => {});
    ahead = undefined;
  }

  try {
    for (;;) {
      const pieceEnd = position + piece.bytes;
      let stalled = false;
      const giveUp = () => {
        stalled = true;
        dropAll();
      };
      for (let chunk = await piece.next(); chunk; chunk = await piece.next()) {
        const timer = setTimeout(giveUp, stallMs);
        try {
          yield chunk;
        } finally {
          clearTimeout(timer);
        }
        position += chunk.length;
        if (stalled) break;
        if (!ahead && pieceEnd <= end && pieceEnd - position <= piece.bytes / 2) {
          ahead = openAt(pieceEnd, larger());
          // Awaited when this piece is consumed. Until then, prevent an unhandled rejection.
          ahead.catch(() => {});
        }
      }
      piece.drop();
      if (position > end) return;
      piece = await (ahead ?? openAt(position, stalled ? minPieceBytes : larger()));
      ahead = undefined;
    }
  } finally {
    dropAll();
  }
}
