import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { makeFiles } from "../testing/samples.ts";
import { readPlain } from "./plain-samples.ts";

const files = await makeFiles([
  { file: "s16.wav", make: "-map 0:a -c:a pcm_s16le -ac 2" },
  { file: "mulaw.wav", make: "-map 0:a -c:a pcm_mulaw" },
  { file: "alaw.wav", make: "-map 0:a -c:a pcm_alaw -ac 2" },
]);

async function decoded(file: Buffer): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "hearback-plain-"));
  await writeFile(join(folder, "in.wav"), file);
  const args = ["-v", "error", "-i", join(folder, "in.wav"), "-f", "s16le", "-"];
  const { stdout } = await promisify(execFile)("ffmpeg", args, { encoding: "buffer", maxBuffer: 1e8 });
  await rm(folder, { recursive: true });
  return stdout;
}

function plain(codec: string, file: Buffer, size: number): { samples: Buffer; whole: boolean | undefined } {
  const pieces: Buffer[] = [];
  const reader = readPlain(codec, (samples) => pieces.push(Buffer.from(samples)));
  for (let at = 0; at < file.length; at += size) reader?.write(file.subarray(at, at + size));
  return { samples: Buffer.concat(pieces), whole: reader?.end() };
}

test.each([
  ["s16.wav", "pcm_s16le", 65_536],
  ["mulaw.wav", "pcm_mulaw", 4_097],
  ["alaw.wav", "pcm_alaw", 17],
])("%s gives the same samples as ffmpeg", async (name, codec, size) => {
  const file = files.get(name) ?? Buffer.alloc(0);
  const { samples, whole } = plain(codec, file, size);
  expect(whole).toBe(true);
  expect(samples.equals(await decoded(file))).toBe(true);
});

test("all G.711 codes decode as in ffmpeg", async () => {
  for (const [name, codec] of [
    ["mulaw.wav", "pcm_mulaw"],
    ["alaw.wav", "pcm_alaw"],
  ] as const) {
    const file = Buffer.from(files.get(name) ?? Buffer.alloc(0));
    const data = file.indexOf("data") + 8;
    for (let at = data; at < file.length; at++) file[at] = (at - data) % 256;
    expect(plain(codec, file, 1000).samples.equals(await decoded(file))).toBe(true);
  }
});

test.each([
  ["a placeholder length", (file: Buffer) => file.writeUInt32LE(0xffffffff, file.indexOf("data") + 4)],
  ["a length of 0", (file: Buffer) => file.writeUInt32LE(0, file.indexOf("data") + 4)],
  ["no data", (file: Buffer) => file.write("dada", file.indexOf("data"), "latin1")],
  ["another container", (file: Buffer) => file.write("RF64", 0, "latin1")],
])("a file with %s needs a decoder", (_, damage) => {
  const file = Buffer.from(files.get("mulaw.wav") ?? Buffer.alloc(0));
  damage(file);
  const { samples, whole } = plain("pcm_mulaw", file, 4096);
  expect(whole && samples.length > 0).toBeFalsy();
});

test("other codecs need a decoder", () => {
  expect(readPlain("gsm_ms", () => {})).toBeUndefined();
});
