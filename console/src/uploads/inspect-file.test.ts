import { expect, test } from "vitest";
import { inspectFile } from "./inspect-file.ts";

/** WAV header for 8 kHz mono G.711 with declared and actual data length. */
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
  ["an empty file", new Blob([]), { fault: "empty" }],
  ["text", new Blob(["Call of Ann Lee\nat 10:30"]), { fault: "not_audio" }],
  ["UTF-8 text, cut within a character", new Blob([`é${"aé".repeat(300)}`]), { fault: "not_audio" }],
  ["a PDF", new Blob(["%PDF-1.7\n\x00\x01"]), { fault: "not_audio" }],
  ["an archive", new Blob([new Uint8Array([0x50, 0x4b, 3, 4, 0, 0])]), { fault: "not_audio" }],
  ["unknown bytes", new Blob([new Uint8Array([0, 1, 2, 3, 250, 251])]), {}],
  ["AMR, which starts with text", new Blob(["#!AMR\n", new Uint8Array([0x3c, 0x91, 0x17, 0x16])]), {}],
  ["half a minute of WAV", aWav(240_000), { durationMs: 30_000 }],
  ["a WAV with an unfinished header", aWav(0, 16_000), { durationMs: 2_000 }],
  ["less data than the header declares", aWav(240_000, 8_000), { durationMs: 1_000 }],
])("inspects %s", async (_, file, look) => {
  expect(await inspectFile(file)).toEqual(look);
});
