import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Dialogue, dialogues, type Speaker } from "./dialogues.ts";

const run = promisify(execFile);
const rate = 8000;
const cache = join(import.meta.dirname, "../.data/speech");

const voices: Record<Dialogue["language"], Record<Speaker, readonly string[]>> = {
  en: { agent: ["en-gb+f3", "en-us+f2", "en-gb+m1"], customer: ["en-us+m3", "en-gb+f4", "en-us+m7"] },
  fr: { agent: ["fr+f3", "fr+f2", "fr+m1"], customer: ["fr+m3", "fr+f4", "fr+m7"] },
};
const customers = ["Marie Dubois", "John Miller", "Karim Benali", "Sofia Rossi", "Paul Martin", "Eva Novak"];
const peaks: Record<Speaker, number> = { agent: 12_000, customer: 9_000 };

const pick = <T>(list: readonly T[], index: number) => list[index % list.length] as T;

/**
 * A spoken call as a stereo WAV (16 bit, 8 kHz), different for every index: the agent on the left channel, the customer
 * on the right.
 */
export async function speakCall(agent: string, index: number): Promise<Buffer> {
  const number = String(1000 + ((index * 7919) % 9000))
    .split("")
    .join(" ");
  const details = { agent, customer: pick(customers, index), number, amount: String(20 + ((index * 37) % 80)) };
  const { language, lines } = pick(dialogues(details), index);
  const voiceOf = (speaker: Speaker) => pick(voices[language][speaker], speaker === "agent" ? agent.length : index);
  return mix(
    await Promise.all(
      lines.map(async ([speaker, text, pauseMs = 450]) => ({
        speaker,
        pauseMs: lengthen(pauseMs, index),
        samples: await speak(voiceOf(speaker), text),
      })),
    ),
  );
}

/** Customers wait between half and four times as long as in the dialogue. */
const lengthen = (pauseMs: number, index: number) => (pauseMs > 5000 ? pauseMs * (0.5 + (index % 8) / 2) : pauseMs);

/** Samples of a line at 8 kHz, from the cache if the voice has said it before. */
async function speak(voice: string, text: string): Promise<Int16Array> {
  mkdirSync(cache, { recursive: true });
  const file = join(cache, `${createHash("sha256").update(`${voice} ${text}`).digest("hex").slice(0, 32)}.wav`);
  if (!existsSync(file)) {
    const unfinished = `${file}.${process.pid}`;
    await run("espeak-ng", ["-v", voice, "-s", "165", "-w", unfinished, text]);
    renameSync(unfinished, file);
  }
  const wav = readFileSync(file);
  // espeak-ng writes a header of 44 bytes and mono samples.
  return resample(new Int16Array(new Uint8Array(wav.subarray(44)).buffer), wav.readUInt32LE(24));
}

/** Each output sample is the mean of the input samples that it covers. */
function resample(samples: Int16Array, from: number): Int16Array {
  const step = from / rate;
  return Int16Array.from({ length: Math.floor(samples.length / step) }, (_, at) => {
    const covered = samples.subarray(Math.floor(at * step), Math.floor((at + 1) * step));
    return covered.reduce((sum, sample) => sum + sample, 0) / covered.length;
  });
}

interface SpokenLine {
  readonly speaker: Speaker;
  /** Before the line. */
  readonly pauseMs: number;
  readonly samples: Int16Array;
}

function mix(lines: readonly SpokenLine[]): Buffer {
  let end = 0;
  const placed = lines.map((line) => {
    const start = end + Math.round((line.pauseMs / 1000) * rate);
    end = Math.max(end, start + line.samples.length);
    return { ...line, start };
  });
  const wav = Buffer.alloc(44 + (end + rate) * 4);
  writeHeader(wav);
  for (const { speaker, start, samples } of placed) {
    const gain = peaks[speaker] / samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 1);
    const channel = speaker === "agent" ? 0 : 2;
    samples.forEach((sample, at) => {
      wav.writeInt16LE(Math.round(sample * gain), 44 + (start + at) * 4 + channel);
    });
  }
  return wav;
}

function writeHeader(wav: Buffer): void {
  wav.write("RIFF", 0, "latin1");
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write("WAVEfmt ", 8, "latin1");
  wav.writeUInt32LE(16, 16);
  // PCM, two channels, 16 bit.
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(2, 22);
  wav.writeUInt32LE(rate, 24);
  wav.writeUInt32LE(rate * 4, 28);
  wav.writeUInt16LE(4, 32);
  wav.writeUInt16LE(16, 34);
  wav.write("data", 36, "latin1");
  wav.writeUInt32LE(wav.length - 44, 40);
}
