import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { decodePlain } from "./decode-plain.ts";

const run = promisify(execFile);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearback-plain-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function ffmpeg(...args: string[]): Promise<void> {
  await run("ffmpeg", ["-v", "error", "-y", ...args]);
}

const samplesOf = async (file: string) => {
  const bytes = await readFile(join(folder, file));
  return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
};

/** A recording, and what the importer read from its header. */
async function aRecording(codec: string, channels: 1 | 2, sampleRate: number) {
  const voices = ["sine=f=300:d=20:r=48000", "sine=f=900:d=20:r=48000"];
  const inputs = voices.slice(0, channels).flatMap((voice) => ["-f", "lavfi", "-i", voice]);
  const join2 = channels === 2 ? ["-filter_complex", "[0][1]join=inputs=2:channel_layout=stereo"] : [];
  const file = join(folder, "recording.wav");
  await ffmpeg(...inputs, ...join2, "-ar", String(sampleRate), "-c:a", codec, file);
  const recording = { recordingKey: "", recordingBytes: (await stat(file)).size, sha256: Buffer.alloc(0) };
  return { file, recording: { ...recording, format: "wav" as const, codec, channels, sampleRate, durationMs: 20_000 } };
}

test.each([
  ["pcm_mulaw", 2, 8_000],
  ["pcm_alaw", 1, 8_000],
  ["pcm_s16le", 2, 16_000],
  ["pcm_s16le", 1, 8_000],
] as const)("%s, %i channels, %i Hz: the same samples as those of the decoder", async (codec, channels, rate) => {
  const { file, recording } = await aRecording(codec, channels, rate);
  const names = ["left", "right"].slice(0, channels);
  for (const name of names) await rm(join(folder, name), { force: true });
  const targets = names.map((name) => join(folder, name));
  expect(await decodePlain(recording, file, targets)).toBe(true);
  for (const [channel, name] of names.entries()) {
    const wanted = join(folder, "wanted");
    await ffmpeg("-i", file, "-af", `pan=mono|c0=c${channel}`, "-f", "s16le", wanted);
    const [ours, theirs] = [await samplesOf(name), await samplesOf("wanted")];
    expect(ours).toHaveLength(theirs.length);
    expect(ours.every((sample, at) => sample === theirs[at])).toBe(true);
  }
});

test("other recordings, and those that end early, are left to the decoder", async () => {
  const { file, recording } = await aRecording("pcm_mulaw", 2, 8_000);
  const targets = [join(folder, "a"), join(folder, "b")];
  expect(await decodePlain({ ...recording, codec: "gsm_ms" }, file, targets)).toBe(false);
  expect(await decodePlain({ ...recording, format: "mp3" }, file, targets)).toBe(false);
  expect(await decodePlain({ ...recording, sampleRate: 44_100 }, file, targets)).toBe(false);
  await run("truncate", ["-s", "-1000", file]);
  expect(await decodePlain(recording, file, targets)).toBe(false);
  expect(await readdir(folder)).not.toContain("a");
});
