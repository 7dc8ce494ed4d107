import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeWav } from "../../testing/make-wav.ts";
import { makeFolder } from "../testing/manifest-folder.ts";
import { asyncAccess, type FileAccess, syncAccess } from "./file-access.ts";
import { audioProblem } from "./recognise-audio.ts";

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat([
    ...parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))),
    Buffer.alloc(32),
  ]);

/** Inserts a LIST chunk between format and audio, larger than the first read. */
function withNotes(noteBytes: number, wav: Buffer): Buffer {
  const note = Buffer.alloc(8 + noteBytes);
  note.write("LIST");
  note.writeUInt32LE(noteBytes, 4);
  return Buffer.concat([wav.subarray(0, 36), note, wav.subarray(36)]);
}

async function problemOf(access: FileAccess, content: Buffer): Promise<string | undefined> {
  const path = join(await makeFolder({ recording: content }), "recording");
  const file = await access.open(path);
  try {
    return (await audioProblem(access, { file, bytes: content.length, name: "recording" }))?.code;
  } finally {
    await access.close(file);
  }
}

describe.each([
  ["synchronously", syncAccess],
  ["asynchronously", asyncAccess],
])("read %s", (_, access) => {
  test.each([
    ["WAV", makeWav()],
    ["WAV with a LIST chunk before its audio", withNotes(1000, makeWav())],
    ["WAV of an interrupted recorder", makeWav(1600, 0)],
    ["streamed WAV", makeWav(1600, 0xffff_ffff)],
    ["MP3 with a tag", bytes("ID3\x04")],
    ["MP3", bytes([0xff, 0xfb, 0x90, 0x00])],
    ["AAC", bytes([0xff, 0xf1, 0x50, 0x80])],
    ["M4A", bytes([0, 0, 0, 32], "ftypM4A ")],
    ["Ogg", bytes("OggS")],
    ["FLAC", bytes("fLaC")],
    ["AMR", bytes("#!AMR\n")],
    ["WebM", bytes([0x1a, 0x45, 0xdf, 0xa3])],
    ["AU", bytes(".snd")],
  ])("accepts %s", async (_, content) => {
    expect(await problemOf(access, content)).toBeUndefined();
  });

  test.each([
    ["a web page", bytes("<!DOCTYPE html>"), "file_not_audio"],
    ["a picture", bytes("\x89PNG"), "file_not_audio"],
    ["an AVI", bytes("RIFF\0\0\0\0AVI "), "file_not_audio"],
    ["zeros", Buffer.alloc(100), "file_not_audio"],
    ["one byte", Buffer.from("R"), "file_not_audio"],
    ["a truncated WAV", makeWav(800, 1600), "file_truncated"],
    ["a truncated WAV with a LIST chunk", withNotes(1000, makeWav(800, 1600)), "file_truncated"],
    ["a WAV that ends before its audio", makeWav().subarray(0, 36), "file_truncated"],
    ["a WAV without audio", makeWav(0), "file_without_audio"],
  ])("rejects %s", async (_, content, code) => {
    expect(await problemOf(access, content)).toBe(code);
  });
});
