import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { random } from "../run-scale.ts";

const run = promisify(execFile);
const RATE = 16_000;
const samplesPerMs = RATE / 1000;

export type Speaker = "agent" | "customer";
/** Start and end of a speech turn, in milliseconds. */
export type Turn = readonly [start: number, end: number];

/** A synthetic call with known speech turns. */
export interface Conversation {
  readonly durationMs: number;
  readonly turns: Readonly<Record<Speaker, readonly Turn[]>>;
  /** Samples of each speaker at 16 kHz, as long as the whole call. */
  readonly voices: Readonly<Record<Speaker, Float32Array>>;
}

const voices = { agent: "en-us+f3", customer: "en-gb+m4" } as const;
const peaks = { agent: 0.5, customer: 0.35 } as const;

/** Script: speaker, text, and the gap to the previous line in milliseconds. A negative gap is overtalk. */
const script: readonly (readonly [Speaker, pauseMs: number, text: string])[] = [
  ["agent", 800, "Good morning this is Ann at customer support"],
  ["customer", 600, "Hello I am calling about my last invoice"],
  ["agent", 500, "Of course let me open your account"],
  ["customer", -600, "Thank you very much"],
  ["customer", 1200, "The number is on the letter in front of me"],
  // A long silence.
  ["agent", 9000, "Sorry for the wait I have found it now"],
  ["customer", 700, "That is good to hear"],
  ["agent", 400, "We charged you twice for the same month"],
  ["customer", -900, "I knew that something was wrong with it"],
  ["agent", 900, "You will have the money back on Friday"],
  ["customer", 1500, "Wonderful and will I get a letter about it"],
  ["agent", 450, "Yes we will send it tomorrow morning"],
  ["customer", 800, "Thanks for your help"],
  ["agent", -300, "You are welcome have a nice day"],
  ["customer", 1000, "Goodbye"],
];
const endPauseMs = 1_300;

/** The loudest sample. */
const peakOf = (samples: Float32Array) => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);

/** Trims leading and trailing silence (50 dB below the peak). */
function trim(samples: Float32Array): Float32Array {
  const threshold = peakOf(samples) * 10 ** (-50 / 20);
  const audible = (sample: number) => Math.abs(sample) > threshold;
  return samples.subarray(samples.findIndex(audible), samples.findLastIndex(audible) + 1);
}

/** Longest pause in milliseconds (40 dB below the peak). */
export function longestPauseMs(samples: Float32Array): number {
  const threshold = peakOf(samples) * 10 ** (-40 / 20);
  let [longest, since] = [0, 0];
  samples.forEach((sample, at) => {
    if (Math.abs(sample) > threshold) since = at;
    longest = Math.max(longest, at - since);
  });
  return longest / samplesPerMs;
}

async function synthesise(folder: string, speaker: Speaker, text: string): Promise<Float32Array> {
  const wav = join(folder, `${speaker}-${text.length}-${Math.random()}.wav`);
  await run("espeak-ng", ["-v", voices[speaker], "-s", "165", "-w", wav, text]);
  const { stdout } = await run(
    "ffmpeg",
    ["-nostdin", "-v", "error", "-i", wav, "-ar", String(RATE), "-ac", "1", "-f", "f32le", "-"],
    { encoding: "buffer", maxBuffer: 64 * 1024 * 1024 },
  );
  const samples = trim(new Float32Array(new Uint8Array(stdout).buffer));
  const gain = peaks[speaker] / peakOf(samples);
  const spoken = samples.map((sample) => sample * gain);
  // A longer pause could be detected as silence and invalidate the expected turns.
  if (longestPauseMs(spoken) > 250) throw new Error(`"${text}" has a pause of ${longestPauseMs(spoken)} ms`);
  return spoken;
}

async function speak(): Promise<Conversation> {
  const folder = await mkdtemp(join(tmpdir(), "hearback-voices-"));
  try {
    const lines = await Promise.all(script.map(([speaker, , text]) => synthesise(folder, speaker, text)));
    const placed: { speaker: Speaker; at: number; samples: Float32Array }[] = [];
    let end = 0;
    script.forEach(([speaker, pauseMs], index) => {
      const samples = lines[index] ?? new Float32Array();
      const at = end + pauseMs * samplesPerMs;
      placed.push({ speaker, at, samples });
      end = Math.max(end, at + samples.length);
    });
    const length = end + endPauseMs * samplesPerMs;
    const voice = (speaker: Speaker) => {
      const samples = new Float32Array(length);
      for (const line of placed) if (line.speaker === speaker) samples.set(line.samples, line.at);
      return samples;
    };
    const turnsOf = (speaker: Speaker) =>
      placed
        .filter((line) => line.speaker === speaker)
        .map(({ at, samples }): Turn => [at / samplesPerMs, (at + samples.length) / samplesPerMs]);
    return {
      durationMs: length / samplesPerMs,
      turns: { agent: turnsOf("agent"), customer: turnsOf("customer") },
      voices: { agent: voice("agent"), customer: voice("customer") },
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

let spoken: Promise<Conversation> | undefined;

/** The scripted conversation, synthesized once. */
export function loadConversation(): Promise<Conversation> {
  spoken ??= speak();
  return spoken;
}

/** Merges overlapping and adjacent turns. */
export function union(...sides: readonly (readonly Turn[])[]): Turn[] {
  const together: [number, number][] = [];
  for (const [start, end] of sides.flat().toSorted(([a], [b]) => a - b)) {
    const last = together.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else together.push([start, end]);
  }
  return together;
}

export const totalMs = (turns: readonly Turn[]): number => turns.reduce((sum, [start, end]) => sum + end - start, 0);

/** How the two voices are mixed to channels. */
export type Arrangement = "mono" | "dual" | "identical" | "right_silent" | "silent_mono" | "silent_dual";

/** Mixes the channels. `noise` adds line noise at -60 dBFS to each. */
function channelsOf({ voices: { agent, customer } }: Conversation, arrangement: Arrangement, noise: boolean) {
  const mixed = agent.map((sample, at) => sample + (customer[at] ?? 0));
  const nothing = new Float32Array(agent.length);
  const channels = {
    mono: [mixed],
    dual: [agent, customer],
    identical: [mixed, mixed],
    right_silent: [mixed, nothing],
    silent_mono: [nothing],
    silent_dual: [nothing, nothing],
  }[arrangement];
  if (!noise) return channels;
  const chance = random(7);
  // The RMS of uniform noise in ±a is a/√3.
  const level = 10 ** (-60 / 20) * Math.sqrt(3);
  return channels.map((samples) => samples.map((sample) => sample + (chance() * 2 - 1) * level));
}

export interface Encoding {
  readonly arrangement: Arrangement;
  readonly noise?: boolean;
  readonly rate: number;
  /** ffmpeg output arguments, and the extension that selects the container. */
  readonly args: readonly string[];
  readonly extension: string;
}

/** Encodes the conversation like a recorder. */
export async function record(conversation: Conversation, encoding: Encoding): Promise<Buffer> {
  const channels = channelsOf(conversation, encoding.arrangement, encoding.noise ?? false);
  const frames = channels[0]?.length ?? 0;
  const interleaved = new Float32Array(frames * channels.length);
  channels.forEach((samples, channel) => {
    for (let at = 0; at < frames; at++) interleaved[at * channels.length + channel] = samples[at] ?? 0;
  });
  const folder = await mkdtemp(join(tmpdir(), "hearback-recording-"));
  try {
    const [from, to] = [join(folder, "from.f32"), join(folder, `to.${encoding.extension}`)];
    await writeFile(from, new Uint8Array(interleaved.buffer));
    await run("ffmpeg", [
      ...["-nostdin", "-v", "error", "-f", "f32le", "-ar", String(RATE), "-ac", String(channels.length), "-i", from],
      ...["-ar", String(encoding.rate), ...encoding.args, to],
    ]);
    return await readFile(to);
  } finally {
    await rm(folder, { recursive: true });
  }
}
