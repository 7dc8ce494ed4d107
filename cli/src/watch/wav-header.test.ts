import { expect, test } from "vitest";
import { lengthAgrees } from "./wav-header.ts";

function head(form: string, declared: number, long?: bigint): Buffer {
  const bytes = Buffer.alloc(36);
  bytes.write(form, 0, "latin1");
  bytes.writeUInt32LE(declared, 4);
  bytes.write("WAVE", 8, "latin1");
  bytes.write(long === undefined ? "fmt " : "ds64", 12, "latin1");
  if (long !== undefined) bytes.writeBigUInt64LE(long, 20);
  return bytes;
}

test.each([
  ["a correct length", head("RIFF", 992), 1000, true],
  ["an uncounted padding byte", head("RIFF", 992), 1001, true],
  ["a missing padding byte", head("RIFF", 992), 999, true],
  ["a zero length", head("RIFF", 0), 1000, false],
  ["an unknown length", head("RIFF", 0xffff_ffff), 1000, false],
  ["a length below the file size", head("RIFF", 500), 1000, false],
  ["a length above the file size", head("RIFF", 5000), 1000, false],
  ["a complete large file", head("RF64", 0xffff_ffff, 4_999_999_992n), 5_000_000_000, true],
  ["an incomplete large file", head("RF64", 0xffff_ffff, 0n), 5_000_000_000, false],
  ["another format", Buffer.from("ID3 and so on, as in an MP3 file, long enough"), 1000, true],
  ["a truncated header", Buffer.from("RIFF"), 4, true],
  ["an empty file", Buffer.alloc(0), 0, true],
])("checks %s", (_, bytes, length, agrees) => {
  expect(lengthAgrees(bytes, length)).toBe(agrees);
});
