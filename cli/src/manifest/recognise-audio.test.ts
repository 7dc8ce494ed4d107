import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aWav } from "../testing/a-wav.ts";
import { atOnce, type FileAccess, inThreads } from "./file-access.ts";
import { audioProblem } from "./recognise-audio.ts";
import { aFolder } from "./testing/manifest-folder.ts";

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat([
    ...parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))),
    Buffer.alloc(32),
  ]);

/** A chunk of notes between the format and the audio, larger than what is read at first. */
function withNotes(noteBytes: number, wav: Buffer): Buffer {
  const note = Buffer.alloc(8 + noteBytes);
  note.write("LIST");
  note.writeUInt32LE(noteBytes, 4);
  return Buffer.concat([wav.subarray(0, 36), note, wav.subarray(36)]);
}

async function problemOf(access: FileAccess, content: Buffer): Promise<string | undefined> {
  const path = join(await aFolder({ recording: content }), "recording");
  const file = await access.open(path);
  try {
    return (await audioProblem(access, { file, bytes: content.length, name: "recording" }))?.code;
  } finally {
    await access.close(file);
  }
}

describe.each([
  ["at once", atOnce],
  ["in threads", inThreads],
])("asked %s", (_, access) => {
  test.each([
    ["WAV", aWav()],
    ["WAV with notes before its audio", withNotes(1000, aWav())],
    ["WAV whose recorder was stopped", aWav(1600, 0)],
    ["WAV that was streamed", aWav(1600, 0xffff_ffff)],
    ["MP3 with a tag", bytes("ID3\x04")],
    ["MP3", bytes([0xff, 0xfb, 0x90, 0x00])],
    ["AAC", bytes([0xff, 0xf1, 0x50, 0x80])],
    ["M4A", bytes([0, 0, 0, 32], "ftypM4A ")],
    ["Ogg", bytes("OggS")],
    ["FLAC", bytes("fLaC")],
    ["AMR", bytes("#!AMR\n")],
    ["WebM", bytes([0x1a, 0x45, 0xdf, 0xa3])],
    ["AU", bytes(".snd")],
  ])("takes %s", async (_, content) => {
    expect(await problemOf(access, content)).toBeUndefined();
  });

  test.each([
    ["a web page", bytes("<!DOCTYPE html>"), "file_not_audio"],
    ["a picture", bytes("\x89PNG"), "file_not_audio"],
    ["an AVI", bytes("RIFF\0\0\0\0AVI "), "file_not_audio"],
    ["zeros", Buffer.alloc(100), "file_not_audio"],
    ["one byte", Buffer.from("R"), "file_not_audio"],
    ["a WAV that is cut", aWav(800, 1600), "file_truncated"],
    ["a WAV with notes that is cut", withNotes(1000, aWav(800, 1600)), "file_truncated"],
    ["a WAV that ends before its audio", aWav().subarray(0, 36), "file_truncated"],
    ["a WAV without audio", aWav(0), "file_without_audio"],
  ])("does not take %s", async (_, content, code) => {
    expect(await problemOf(access, content)).toBe(code);
  });
});
