import { Readable } from "node:stream";
import type { ByteRange, Bytes, StoredBytes } from "./types.ts";

export const firstBytes = 1024 * 1024;

type Read = StoredBytes["read"];

/**
 * Reads the bytes piece by piece. A player asks for all that follows a place and leaves once it has some seconds of it,
 * while a store begins to read whatever it was asked for: so it is asked for little at first, and then for as much again
 * as was taken. Answers once the first piece is open.
 */
export async function readInPieces(read: Read, { start, end }: ByteRange): Promise<Readable> {
  const first = await read({ start, end: Math.min(end, start + firstBytes - 1) });
  const bytes = Readable.from(follow(read, first, { start, end }), { objectMode: false });
  // A generator that was never asked for anything ends nothing, either.
  return bytes.once("close", () => first instanceof Readable && first.destroy());
}

async function* follow(read: Read, first: Bytes, { start, end }: ByteRange): Bytes {
  yield* first;
  for (let taken = firstBytes; start + taken <= end; taken *= 2)
    yield* await read({ start: start + taken, end: Math.min(end, start + 2 * taken - 1) });
}
