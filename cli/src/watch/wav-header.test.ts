import { expect, test } from "vitest";
import { lengthAgrees } from "./wav-header.ts";

function head(form: string, said: number, long?: bigint): Buffer {
  const bytes = Buffer.alloc(36);
  bytes.write(form, 0, "latin1");
  bytes.writeUInt32LE(said, 4);
  bytes.write("WAVE", 8, "latin1");
  bytes.write(long === undefined ? "fmt " : "ds64", 12, "latin1");
  if (long !== undefined) bytes.writeBigUInt64LE(long, 20);
  return bytes;
}

test.each([
  ["a length that is right", head("RIFF", 992), 1000, true],
  ["a byte of padding that is not counted", head("RIFF", 992), 1001, true],
  ["a byte of padding that is missing", head("RIFF", 992), 999, true],
  ["a length of zero", head("RIFF", 0), 1000, false],
  ["a length that was never known", head("RIFF", 0xffff_ffff), 1000, false],
  ["less than is there", head("RIFF", 500), 1000, false],
  ["more than is there", head("RIFF", 5000), 1000, false],
  ["a large file that is whole", head("RF64", 0xffff_ffff, 4_999_999_992n), 5_000_000_000, true],
  ["a large file that is not", head("RF64", 0xffff_ffff, 0n), 5_000_000_000, false],
  ["no WAV", Buffer.from("ID3 and so on, as in an MP3 file, long enough"), 1000, true],
  ["a file that has only begun", Buffer.from("RIFF"), 4, true],
  ["an empty file", Buffer.alloc(0), 0, true],
])("knows %s", (_, bytes, length, agrees) => {
  expect(lengthAgrees(bytes, length)).toBe(agrees);
});
