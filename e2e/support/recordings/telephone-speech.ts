import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Speaker } from "./conversation.ts";
import { makeMulawWav } from "./sounds.ts";

const run = promisify(execFile);
const cache = join(import.meta.dirname, "../../../.data/speech");

/** Sample rate of telephone calls, to which the synthesiser's voices are reduced. */
const rate = 8000;
const voices: Readonly<Record<Speaker, string>> = { agent: "slt", customer: "rms" };
const peaks: Readonly<Record<Speaker, number>> = { agent: 14_000, customer: 10_000 };

/** One sentence or more, said without a long pause. */
export interface Line {
  readonly speaker: Speaker;
  readonly text: string;
  /** Before the line, from the end of the line before it. A negative pause is overtalk. */
  readonly pauseMs?: number;
}

/** A word and when it was said. */
export interface TimedWord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** A call whose words and times are known. */
export interface SpokenCall {
  /** WAV with G.711 µ-law at 8 kHz: the agent on the left channel, the customer on the right. */
  readonly recording: Buffer;
  readonly durationMs: number;
  readonly words: Readonly<Record<Speaker, readonly TimedWord[]>>;
}

/** What a voice says, without the silence before and after it. */
interface Spoken {
  readonly samples: Int16Array;
  readonly words: readonly TimedWord[];
}

const endPauseMs = 800;
const toMs = (samples: number) => (samples * 1000) / rate;
const toSamples = (ms: number) => Math.round((ms * rate) / 1000);

/** Speaks a call with two voices of flite. Needs Debian's package flite. */
export async function speakTelephoneCall(lines: readonly Line[]): Promise<SpokenCall> {
  const spoken: Spoken[] = [];
  for (const { speaker, text } of lines) spoken.push(await speak(voices[speaker], text));
  let end = toSamples(600);
  const placed = lines.map(({ speaker, pauseMs = 450 }, index) => {
    const { samples, words } = spoken[index] as Spoken;
    const at = index === 0 ? end : Math.max(0, end + toSamples(pauseMs));
    end = Math.max(end, at + samples.length);
    return { speaker, at, samples, words };
  });
  const length = end + toSamples(endPauseMs);
  const sideOf = (speaker: Speaker) => {
    const own = placed.filter((line) => line.speaker === speaker);
    const samples = new Int16Array(length);
    const peak = own.reduce(
      (most, line) => line.samples.reduce((loud, each) => Math.max(loud, Math.abs(each)), most),
      1,
    );
    for (const line of own)
      line.samples.forEach((sample, index) => {
        samples[line.at + index] = Math.round((sample * peaks[speaker]) / peak);
      });
    const words = own.flatMap((line) =>
      line.words.map(({ text, startMs, endMs }) => ({
        text,
        startMs: Math.round(startMs + toMs(line.at)),
        endMs: Math.round(endMs + toMs(line.at)),
      })),
    );
    return { samples, words };
  };
  const sides = { agent: sideOf("agent"), customer: sideOf("customer") };
  return {
    recording: makeMulawWav([sides.agent.samples, sides.customer.samples], rate),
    durationMs: Math.round(toMs(length)),
    words: { agent: sides.agent.words, customer: sides.customer.words },
  };
}

/** From the cache if the voice has said it before. */
async function speak(voice: string, text: string): Promise<Spoken> {
  const name = createHash("sha256").update(`1 ${voice} ${text}`).digest("hex").slice(0, 32);
  const [sound, times] = [join(cache, `${name}.pcm`), join(cache, `${name}.json`)];
  try {
    const words = JSON.parse(await readFile(times, "utf8")) as TimedWord[];
    return { samples: new Int16Array(new Uint8Array(await readFile(sound)).buffer), words };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const spoken = await synthesise(voice, text);
  await mkdir(cache, { recursive: true });
  const unfinished = await mkdtemp(join(cache, "unfinished-"));
  await writeFile(join(unfinished, "sound"), new Uint8Array(spoken.samples.buffer));
  await writeFile(join(unfinished, "times"), JSON.stringify(spoken.words));
  await rename(join(unfinished, "sound"), sound);
  await rename(join(unfinished, "times"), times);
  await rm(unfinished, { recursive: true });
  return spoken;
}

/** A phone and when it ends, in milliseconds. */
interface Phone {
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
}

async function synthesise(voice: string, text: string): Promise<Spoken> {
  const folder = await mkdtemp(join(tmpdir(), "hearback-flite-"));
  try {
    const file = join(folder, "speech.wav");
    const { stdout } = await run("flite", ["-voice", voice, "-psdur", "-t", text, "-o", file]);
    const phones = readPhones(stdout);
    const said = phones.filter(({ name }) => name !== "pau");
    const [from, to] = [said[0]?.startMs ?? 0, said.at(-1)?.endMs ?? 0];
    const samples = halve(readSamples(await readFile(file)));
    const words = timeWords(text, said, await countPhones(text));
    return {
      samples: samples.slice(toSamples(from), toSamples(to)),
      words: words.map((word) => ({ ...word, startMs: word.startMs - from, endMs: word.endMs - from })),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** `pau:0.218 g:0.280 …` */
function readPhones(output: string): Phone[] {
  let startMs = 0;
  return output
    .trim()
    .split(/\s+/)
    .map((entry) => {
      const [name = "", end = "0"] = entry.split(":");
      const phone = { name, startMs, endMs: Number(end) * 1000 };
      startMs = phone.endMs;
      return phone;
    });
}

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => /[a-z\d]/i.test(word));

/** How many phones each word of a text has. flite says nothing about words, so that its fastest voice says them one by one. */
async function countPhones(text: string): Promise<number[]> {
  const words = wordsOf(text).map((word) => word.replaceAll(/[^a-z\d']/gi, ""));
  const { stdout } = await run("flite", ["-voice", "kal", "-ps", "-t", words.join(", "), "none"]);
  const counts = stdout
    .trim()
    .split(/\s*\bpau\b\s*/)
    .filter((part) => part !== "")
    .map((part) => part.split(/\s+/).length);
  if (counts.length !== words.length) throw new Error(`"${text}": ${counts.length} words instead of ${words.length}`);
  return counts;
}

function timeWords(text: string, phones: readonly Phone[], counts: readonly number[]): TimedWord[] {
  const expected = counts.reduce((sum, count) => sum + count, 0);
  if (phones.length !== expected)
    throw new Error(`"${text}" has ${phones.length} phones, its words have ${expected}: say it with other words`);
  let from = 0;
  return wordsOf(text).map((word, index) => {
    const own = phones.slice(from, from + (counts[index] ?? 0));
    from += own.length;
    return { text: word, startMs: own[0]?.startMs ?? 0, endMs: own.at(-1)?.endMs ?? 0 };
  });
}

/** flite writes a header of 44 bytes and mono samples at 16 kHz. */
function readSamples(wav: Buffer): Int16Array {
  if (wav.readUInt32LE(24) !== 2 * rate) throw new Error(`the voice has ${wav.readUInt32LE(24)} Hz`);
  return new Int16Array(new Uint8Array(wav.subarray(44)).buffer);
}

const reach = 31;
/** A low-pass filter at 3.4 kHz: a windowed sinc. */
const lowPass = Array.from({ length: 2 * reach + 1 }, (_, index) => {
  const at = index - reach;
  const cut = 3400 / (2 * rate);
  const sinc = at === 0 ? 2 * cut : Math.sin(2 * Math.PI * cut * at) / (Math.PI * at);
  return sinc * (0.54 + 0.46 * Math.cos((Math.PI * at) / reach));
});

/** Half the sample rate. */
const halve = (samples: Int16Array) =>
  Int16Array.from({ length: Math.floor(samples.length / 2) }, (_, index) => {
    const sum = lowPass.reduce((total, weight, tap) => total + weight * (samples[2 * index + tap - reach] ?? 0), 0);
    return Math.max(-32_768, Math.min(32_767, Math.round(sum)));
  });
