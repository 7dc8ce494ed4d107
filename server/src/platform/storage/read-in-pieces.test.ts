import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { type ByteSemaphore, openByteSemaphore } from "./byte-semaphore.ts";
import { minPieceBytes } from "./open-piece.ts";
import { firstPieceBytes, readInPieces } from "./read-in-pieces.ts";
import type { ByteRange } from "./types.ts";

const mebibyte = 1024 * 1024;

const memoryOf = (semaphore: ByteSemaphore = openByteSemaphore(64 * mebibyte)) => ({ semaphore, owner: "a" });
/** Whether all memory was returned: a single owner can then take two thirds. */
async function isFree(semaphore: ByteSemaphore, total: number): Promise<boolean> {
  const bytes = await Promise.race([semaphore.take("b", 1, total), 0]);
  semaphore.giveBack("b", bytes);
  return bytes === Math.floor((2 * total) / 3);
}

/** A stored file that records the ranges read from it. */
function aFile(bytes: number) {
  const content = randomBytes(bytes);
  const ranges: ByteRange[] = [];
  const opened: Readable[] = [];
  const read = async (range: ByteRange) => {
    ranges.push(range);
    const piece = Readable.from(chunksOf(content.subarray(range.start, range.end + 1)));
    opened.push(piece);
    return piece;
  };
  return { content, ranges, opened, read };
}

function* chunksOf(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

test.each([
  { bytes: 1, start: 0, end: 0, pieces: 1 },
  { bytes: firstPieceBytes, start: 0, end: firstPieceBytes - 1, pieces: 1 },
  { bytes: firstPieceBytes + 1, start: 0, end: firstPieceBytes, pieces: 2 },
  { bytes: 3 * mebibyte, start: 5, end: 3 * mebibyte - 1, pieces: 2 },
  { bytes: 30 * mebibyte, start: 123, end: 30 * mebibyte - 7, pieces: 9 },
])("reads $start to $end of $bytes bytes in $pieces pieces", async ({ bytes, start, end, pieces }) => {
  const { content, ranges, read } = aFile(bytes);
  const got = await buffer(await readInPieces(read, { start, end }, memoryOf()));
  expect(got.equals(content.subarray(start, end + 1))).toBe(true);
  expect(ranges).toHaveLength(pieces);
});

test("a client that disconnects after a few seconds of audio causes only a small read from the store", async () => {
  const { ranges, opened, read } = aFile(30 * mebibyte);
  const bytes = await readInPieces(read, { start: 0, end: 30 * mebibyte - 1 }, memoryOf());
  for await (const _ of bytes) break;
  expect(ranges).toEqual([{ start: 0, end: firstPieceBytes - 1 }]);
  expect(opened[0]?.destroyed).toBe(true);
});

test("a client that disconnects before reading leaves no open stream", async () => {
  const { opened, read } = aFile(2 * mebibyte);
  const bytes = await readInPieces(read, { start: 0, end: 2 * mebibyte - 1 }, memoryOf());
  bytes.destroy();
  await new Promise((resolve) => bytes.once("close", resolve));
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([true]);
});

test("fails immediately if the first piece fails, and within the stream if a later one does", async () => {
  const { read } = aFile(4 * mebibyte);
  const failsFrom = (start: number) => async (range: ByteRange) => {
    if (range.start >= start) throw new Error("away");
    return read(range);
  };
  const whole = { start: 0, end: 4 * mebibyte - 1 };
  await expect(readInPieces(failsFrom(0), whole, memoryOf())).rejects.toThrow("away");
  const begun = await readInPieces(failsFrom(1), whole, memoryOf());
  await expect(buffer(begun)).rejects.toThrow("away");
});

const soon = () => new Promise((resolve) => setTimeout(resolve, 20));

test("a client that does not read holds no connection to the store and, after a second, no memory", async () => {
  const { content, ranges, opened, read } = aFile(30 * mebibyte);
  const total = 8 * mebibyte;
  const semaphore = openByteSemaphore(total);
  const bytes = await readInPieces(read, { start: 0, end: 30 * mebibyte - 1 }, memoryOf(semaphore));
  const chunks = bytes[Symbol.asyncIterator]();
  const got: Uint8Array[] = [(await chunks.next()).value];
  await soon();
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([true]);
  expect(await isFree(semaphore, total)).toBe(false);
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(await isFree(semaphore, total)).toBe(true);
  // It continues where it stopped, with a small piece first.
  for (let chunk = await chunks.next(); !chunk.done; chunk = await chunks.next()) got.push(chunk.value);
  expect(Buffer.concat(got).equals(content)).toBe(true);
  const [, again] = ranges;
  expect((again?.end ?? 0) - (again?.start ?? 0) + 1).toBe(minPieceBytes);
  expect(await isFree(semaphore, total)).toBe(true);
});

test("many clients that do not read leave memory for other workspaces", async () => {
  const semaphore = openByteSemaphore(8 * mebibyte);
  const { read } = aFile(4 * mebibyte);
  const whole = { start: 0, end: 4 * mebibyte - 1 };
  const open = Array.from({ length: 50 }, () => readInPieces(read, whole, memoryOf(semaphore)));
  await soon();
  const another = await Promise.race([readInPieces(read, whole, { semaphore, owner: "b" }), soon()]);
  expect(another).toBeInstanceOf(Readable);
  (another as Readable).destroy();
  for (const download of open) download.then((bytes) => bytes.destroy());
  await Promise.all(open);
});

test("fails if the store sends too few bytes", async () => {
  const { read } = aFile(2 * mebibyte);
  const short = ({ start, end }: ByteRange) => read({ start, end: end - 1 });
  const bytes = await readInPieces(short, { start: 0, end: 2 * mebibyte - 1 }, memoryOf());
  await expect(buffer(bytes)).rejects.toThrow("the object store sent 1048575 of 1048576 bytes");
});
