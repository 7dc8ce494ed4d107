import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChannelSamples, openSamples } from "./channel-samples.ts";

let folder: string;
let channel: ChannelSamples;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearback-samples-"));
  // A loud second with a quiet tenth at 700 ms.
  const samples = Int16Array.from({ length: 16_000 }, (_, index) =>
    index >= 11_200 && index < 12_800 ? 10 : 8_000 * Math.sin(index / 5),
  );
  await writeFile(join(folder, "left.pcm"), samples);
  channel = await openSamples(join(folder, "left.pcm"), 16_000);
});
afterAll(async () => {
  await channel.close();
  await rm(folder, { recursive: true });
});

const room = new Int16Array(16_000);

test("reads a part, and no further than the end", async () => {
  const samples = await channel.read(700, 710, room);
  expect(samples).toHaveLength(160);
  expect(new Set(samples)).toEqual(new Set([10]));
  expect(await channel.read(900, 1_500, room)).toHaveLength(1_600);
  expect(await channel.read(5_000, 5_500, room)).toHaveLength(0);
});

test("finds the quietest moment", async () => {
  const at = await channel.findQuiet(200, 1_000);
  expect(at).toBeGreaterThanOrEqual(720);
  expect(at).toBeLessThanOrEqual(780);
});

test("telephone sound is upsampled; parts fit together", async () => {
  const tone = (index: number, rate: number) => Math.round(9_000 * Math.sin((2 * Math.PI * 440 * index) / rate));
  const file = join(folder, "telephone.pcm");
  await writeFile(
    file,
    Int16Array.from({ length: 8_000 }, (_, index) => tone(index, 8_000)),
  );
  const telephone = await openSamples(file, 8_000);
  expect(telephone.durationMs).toBe(1_000);
  const whole = Int16Array.from(await telephone.read(0, 1_000, new Int16Array(20_000)));
  expect(whole).toHaveLength(16_000);
  const errors = [...whole.subarray(20, -20)].map((sample, index) => Math.abs(sample - tone(index + 20, 16_000)));
  expect(Math.max(...errors)).toBeLessThan(200);
  const part = await telephone.read(250, 300, room);
  expect([...part]).toEqual([...whole.subarray(4_000, 4_800)]);
  expect(await telephone.read(5_000, 6_000, new Int16Array(20_000))).toHaveLength(0);
  await telephone.close();
});
