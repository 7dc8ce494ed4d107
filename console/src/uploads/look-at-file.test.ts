import { expect, test } from "vitest";
import { lookAtFile } from "./look-at-file.ts";

/** A WAV header of 8 kHz mono G.711 with so many bytes said, and so many there. */
function aWav(said: number, there = said): Blob {
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + said, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(6, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36);
  head.writeUInt32LE(said, 40);
  return new Blob([head, Buffer.alloc(there, 0x55)]);
}

test.each([
  ["nothing", new Blob([]), { fault: "empty" }],
  ["words", new Blob(["Call of Ann Lee\nat 10:30"]), { fault: "not_audio" }],
  ["words in UTF-8, cut in the middle of a sign", new Blob([`é${"aé".repeat(300)}`]), { fault: "not_audio" }],
  ["a PDF", new Blob(["%PDF-1.7\n\x00\x01"]), { fault: "not_audio" }],
  ["an archive", new Blob([new Uint8Array([0x50, 0x4b, 3, 4, 0, 0])]), { fault: "not_audio" }],
  ["what nobody knows", new Blob([new Uint8Array([0, 1, 2, 3, 250, 251])]), {}],
  ["AMR, which begins with words", new Blob(["#!AMR\n", new Uint8Array([0x3c, 0x91, 0x17, 0x16])]), {}],
  ["half a minute of WAV", aWav(240_000), { durationMs: 30_000 }],
  ["a recorder that never completed its header", aWav(0, 16_000), { durationMs: 2_000 }],
  ["less than the header says", aWav(240_000, 8_000), { durationMs: 1_000 }],
])("sees %s", async (_, file, look) => {
  expect(await lookAtFile(file)).toEqual(look);
});
