import type { FileHandle } from "node:fs/promises";
import { upsample, upsamplingMargin } from "../../platform/media/analysis/upsample.ts";
import { openToolFile } from "../../platform/media/ffmpeg/open-tool-file.ts";
import { sampleRate } from "../engine/engine.ts";

/** Samples of one channel in a file, of which only what is asked for is in memory. */
export interface ChannelSamples {
  /** Reads samples at 16 kHz into the beginning of `room`, and returns that part of it. */
  read(startMs: number, endMs: number, room: Int16Array): Promise<Int16Array>;
  /** The quietest moment within a range. */
  findQuiet(startMs: number, endMs: number): Promise<number>;
  readonly durationMs: number;
  close(): Promise<void>;
}

/** Sample rates of such files. Telephone sound is stored as it is, and upsampled when it is read. */
export type FileRate = 8_000 | 16_000;

const samplesPerMs = sampleRate / 1000;
const bytesPerSample = 2;
/** Length of the pause that is looked for. */
const frameMs = 60;
const stepMs = 20;

export async function openSamples(file: string, rate: FileRate): Promise<ChannelSamples> {
  const handle = await openToolFile(file);
  const { size } = await handle.stat();
  const total = Math.floor(size / bytesPerSample);
  const readRange = rate === sampleRate ? readPlain : openUpsamplingReader();
  const read = (startMs: number, endMs: number, room: Int16Array) => {
    const first = Math.round((startMs * rate) / 1000);
    const end = Math.min(total, Math.round((endMs * rate) / 1000));
    return readRange(handle, first, Math.max(0, end - first), room);
  };
  return {
    durationMs: Math.floor((total * 1000) / rate),
    read,
    async findQuiet(startMs, endMs) {
      const samples = await read(startMs, endMs, new Int16Array(lengthOf(startMs, endMs)));
      return startMs + quietestMs(samples);
    },
    close: () => handle.close(),
  };
}

/** Number of samples, or one more. */
export const lengthOf = (startMs: number, endMs: number) =>
  Math.max(0, Math.ceil((endMs - startMs) * samplesPerMs) + 2);

async function readPlain(handle: FileHandle, first: number, count: number, room: Int16Array): Promise<Int16Array> {
  const samples = room.subarray(0, count);
  const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  await handle.read(bytes, 0, bytes.length, first * bytesPerSample);
  return samples;
}

/** Reuses one buffer: memory outside the heap is collected late. */
function openUpsamplingReader() {
  const { before, after } = upsamplingMargin;
  let stored = new Int16Array(0);
  return async (handle: FileHandle, first: number, count: number, room: Int16Array): Promise<Int16Array> => {
    const needed = before + count + after;
    if (stored.length < needed) stored = new Int16Array(needed);
    // There is silence before the beginning and after the end.
    stored.fill(0, 0, needed);
    const missing = Math.max(0, before - first);
    const bytes = Buffer.from(stored.buffer, missing * bytesPerSample, (needed - missing) * bytesPerSample);
    await handle.read(bytes, 0, bytes.length, (first - before + missing) * bytesPerSample);
    const samples = room.subarray(0, 2 * count);
    upsample(stored.subarray(0, needed), samples);
    return samples;
  };
}

function quietestMs(samples: Int16Array): number {
  const frame = frameMs * samplesPerMs;
  const step = stepMs * samplesPerMs;
  let quietest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at + frame <= samples.length; at += step) {
    let energy = 0;
    for (let index = at; index < at + frame; index++) energy += (samples[index] ?? 0) ** 2;
    if (energy >= least) continue;
    least = energy;
    quietest = at + frame / 2;
  }
  return Math.round(quietest / samplesPerMs);
}
