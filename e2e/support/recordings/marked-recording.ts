import { execFile } from "node:child_process";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { shareOfTone } from "./hostile/canary.ts";

const run = promisify(execFile);
const RATE = 8000;

// Neighbouring values get distant frequencies: 23 and 60 are coprime.
const step = (n: number) => 20 * ((n * 23) % 60);
/** Tone that encodes the second within the minute, on the left channel. */
const secondHz = (second: number) => 400 + step(second % 60);
/** Tone that encodes the minute, on the right channel. */
const minuteHz = (second: number) => 1800 + step(Math.floor(second / 60));

const tones = new Map<number, Int16Array>();

/** One second of a tone. */
function toneOf(hz: number): Int16Array {
  const known = tones.get(hz);
  if (known) return known;
  const tone = Int16Array.from({ length: RATE }, (_, at) => 8_000 * Math.sin((2 * Math.PI * hz * at) / RATE));
  tones.set(hz, tone);
  return tone;
}

/** One second of both tones: each on its channel, or both on one. */
function markedSecond(second: number, channels: 1 | 2): Int16Array {
  const [left, right] = [toneOf(secondHz(second)), toneOf(minuteHz(second))];
  if (channels === 1) return left.map((sample, at) => sample + (right[at] ?? 0));
  const samples = new Int16Array(RATE * 2);
  for (let at = 0; at < RATE; at++) {
    samples[at * 2] = left[at] ?? 0;
    samples[at * 2 + 1] = right[at] ?? 0;
  }
  return samples;
}

/** A recording whose tones encode the position. */
export async function makeMarkedRecording(
  seconds: number,
  { channels, args, extension }: { channels: 1 | 2; args: readonly string[]; extension: string },
): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "hearback-marked-"));
  try {
    const [from, to] = [join(folder, "from.s16"), join(folder, `to.${extension}`)];
    const file = await open(from, "w");
    for (let second = 0; second < seconds; second++) await file.write(markedSecond(second, channels));
    await file.close();
    const raw = ["-f", "s16le", "-ar", String(RATE), "-ac", String(channels), "-i", from];
    await run("ffmpeg", ["-nostdin", "-v", "error", ...raw, ...args, to]);
    return await readFile(to);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Captured audio output. */
export interface Heard {
  readonly rate: number;
  readonly left: Float32Array;
  readonly right: Float32Array;
}

function strongest(samples: Float32Array, rate: number, hzOf: (n: number) => number): number {
  const shares = Array.from({ length: 60 }, (_, n) => shareOfTone(samples, hzOf(n), rate));
  return shares.indexOf(Math.max(...shares));
}

/**
 * Decodes the position of the first audible sample of a marked recording: minute, second, and the time until the next
 * second's tone.
 */
export function momentOf({ rate, left, right }: Heard): number {
  const begin = left.findIndex((sample) => Math.abs(sample) > 0.02);
  if (begin < 0) throw new Error("no audible sample");
  const early = (samples: Float32Array) => samples.subarray(begin + rate * 0.05, begin + rate * 0.35);
  const second = strongest(early(left), rate, secondHz);
  const minute = strongest(early(right), rate, (n) => minuteHz(n * 60));
  const window = Math.round(rate * 0.02);
  for (let at = begin + Math.round(rate * 0.05); at + window < left.length; at += Math.round(rate * 0.002)) {
    const part = left.subarray(at, at + window);
    if (shareOfTone(part, secondHz(second + 1), rate) > shareOfTone(part, secondHz(second), rate)) {
      // The next second's tone dominates from the middle of the window.
      return minute * 60 + second + 1 - (at + window / 2 - begin) / rate;
    }
  }
  throw new Error(`second ${second} of minute ${minute} does not end`);
}

/** Share of the expected tone in each channel. */
export function sharesOf({ rate, left, right }: Heard, second: number) {
  const part = (samples: Float32Array) => {
    const begin = samples.findIndex((sample) => Math.abs(sample) > 0.02);
    return samples.subarray(begin + rate * 0.05, begin + rate * 0.35);
  };
  return {
    secondLeft: shareOfTone(part(left), secondHz(second), rate),
    secondRight: shareOfTone(part(right), secondHz(second), rate),
    minuteLeft: shareOfTone(part(left), minuteHz(second), rate),
    minuteRight: shareOfTone(part(right), minuteHz(second), rate),
  };
}
