import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { firstBytes, readInPieces } from "./read-in-pieces.ts";
import type { ByteRange } from "./types.ts";

const mebibyte = 1024 * 1024;

/** Something stored, and what was asked of its store. */
function aFile(bytes: number) {
  const content = randomBytes(bytes);
  const asked: ByteRange[] = [];
  const opened: Readable[] = [];
  const read = async (range: ByteRange) => {
    asked.push(range);
    const piece = Readable.from(chunksOf(content.subarray(range.start, range.end + 1)));
    opened.push(piece);
    return piece;
  };
  return { content, asked, opened, read };
}

function* chunksOf(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

test.each([
  { bytes: 1, start: 0, end: 0, pieces: 1 },
  { bytes: firstBytes, start: 0, end: firstBytes - 1, pieces: 1 },
  { bytes: firstBytes + 1, start: 0, end: firstBytes, pieces: 2 },
  { bytes: 3 * mebibyte, start: 5, end: 3 * mebibyte - 1, pieces: 3 },
  { bytes: 30 * mebibyte, start: 123, end: 30 * mebibyte - 7, pieces: 6 },
])("$start to $end of $bytes bytes come whole, in $pieces pieces", async ({ bytes, start, end, pieces }) => {
  const { content, asked, read } = aFile(bytes);
  const got = await buffer(await readInPieces(read, { start, end }));
  expect(got.equals(content.subarray(start, end + 1))).toBe(true);
  expect(asked).toHaveLength(pieces);
});

test("who leaves after some seconds of sound has made the store read no more than a little", async () => {
  const { asked, opened, read } = aFile(30 * mebibyte);
  const bytes = await readInPieces(read, { start: 0, end: 30 * mebibyte - 1 });
  for await (const _ of bytes) break;
  expect(asked).toEqual([{ start: 0, end: firstBytes - 1 }]);
  expect(opened[0]?.destroyed).toBe(true);
});

test("who leaves before anything was read leaves nothing open", async () => {
  const { opened, read } = aFile(2 * mebibyte);
  const bytes = await readInPieces(read, { start: 0, end: 2 * mebibyte - 1 });
  bytes.destroy();
  await new Promise((resolve) => bytes.once("close", resolve));
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([true]);
});

test("a store that fails at the first piece fails at once, later within the bytes", async () => {
  const { read } = aFile(4 * mebibyte);
  const failsFrom = (start: number) => async (range: ByteRange) => {
    if (range.start >= start) throw new Error("away");
    return read(range);
  };
  const whole = { start: 0, end: 4 * mebibyte - 1 };
  await expect(readInPieces(failsFrom(0), whole)).rejects.toThrow("away");
  const begun = await readInPieces(failsFrom(1), whole);
  await expect(buffer(begun)).rejects.toThrow("away");
});
