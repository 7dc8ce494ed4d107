import { execFile } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { random } from "../run-scale.ts";

const run = promisify(execFile);

export interface WavOptions {
  readonly seconds?: number;
  readonly channels?: 1 | 2;
  readonly sampleRate?: number;
  /** The same seed gives the same bytes. Default: unique bytes. */
  readonly seed?: number;
  readonly encoding?: "pcm" | "mulaw" | "alaw";
}

const encodings = { pcm: { tag: 1, bytes: 2 }, alaw: { tag: 6, bytes: 1 }, mulaw: { tag: 7, bytes: 1 } };

const chunk = (id: string, data: Uint8Array) => {
  const head = Buffer.alloc(8);
  head.write(id, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
};

/** A WAV with a sine and some noise. µ-law and A-law have random samples with a valid header. */
export function makeWav(options: WavOptions = {}): Buffer {
  const { seconds = 0.2, channels = 1, sampleRate = 8000, encoding = "pcm" } = options;
  const { bytes } = encodings[encoding];
  const noise = random(options.seed ?? randomInt(2 ** 32));
  const frames = Math.round(seconds * sampleRate);
  const pitch = 200 + Math.floor(noise() * 600);

  const data = Buffer.alloc(frames * channels * bytes);
  for (let at = 0; at < data.length; at += bytes) {
    const frame = Math.floor(at / (channels * bytes));
    const level = Math.sin((2 * Math.PI * pitch * frame) / sampleRate) * 12_000 + (noise() - 0.5) * 200;
    if (bytes === 2) data.writeInt16LE(Math.round(level), at);
    else data.writeUInt8(Math.round(level) & 0xff, at);
  }

  return wavOf(data, { sampleRate, channels, encoding });
}

function wavOf(data: Buffer, wav: Required<Pick<WavOptions, "sampleRate" | "channels" | "encoding">>): Buffer {
  const { sampleRate, channels, encoding } = wav;
  const { tag, bytes } = encodings[encoding];
  const format = Buffer.alloc(encoding === "pcm" ? 16 : 18);
  format.writeUInt16LE(tag, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(sampleRate, 4);
  format.writeUInt32LE(sampleRate * channels * bytes, 8);
  format.writeUInt16LE(channels * bytes, 12);
  format.writeUInt16LE(bytes * 8, 14);
  const fact = Buffer.alloc(4);
  fact.writeUInt32LE(data.length / (channels * bytes));
  const chunks = [chunk("fmt ", format), ...(encoding === "pcm" ? [] : [chunk("fact", fact)]), chunk("data", data)];
  return chunk("RIFF", Buffer.concat([Buffer.from("WAVE"), ...chunks]));
}

/** A WAV of G.711 µ-law, as telephone systems record, from the samples of each channel. */
export function makeMulawWav(channels: readonly [Int16Array] | readonly [Int16Array, Int16Array], sampleRate: number) {
  const data = Buffer.alloc(channels[0].length * channels.length);
  channels.forEach((samples, channel) => {
    samples.forEach((sample, at) => {
      data.writeUInt8(mulawOf(sample), at * channels.length + channel);
    });
  });
  return wavOf(data, { sampleRate, channels: channels.length, encoding: "mulaw" });
}

/** A 16-bit sample in G.711 µ-law. */
function mulawOf(sample: number): number {
  const level = Math.min(Math.abs(sample), 32_635) + 132;
  const exponent = Math.floor(Math.log2(level)) - 7;
  const mantissa = (level >> (exponent + 3)) & 0x0f;
  return ~((sample < 0 ? 0x80 : 0) | (exponent << 4) | mantissa) & 0xff;
}

/** An AMR-NB file: 20 ms frames at 12.2 kbit/s with random speech bits. Debian's ffmpeg cannot encode AMR. */
export function makeAmr(seconds = 1): Buffer {
  const frame = () => Buffer.concat([Buffer.from([0x3c]), randomBytes(31)]);
  return Buffer.concat([Buffer.from("#!AMR\n"), ...Array.from({ length: Math.round(seconds * 50) }, frame)]);
}

/** ffmpeg encodings: the encoder, the arguments, and the extension that selects the container. */
export const encodedForms = {
  "wav pcm 8 bit": { encoder: "pcm_u8", extension: "wav", args: [] },
  "wav pcm 24 bit, extensible": { encoder: "pcm_s24le", extension: "wav", args: ["-ac", "2"] },
  "wav mu-law": { encoder: "pcm_mulaw", extension: "wav", args: [] },
  "wav a-law": { encoder: "pcm_alaw", extension: "wav", args: [] },
  "wav gsm 6.10": { encoder: "libgsm_ms", extension: "wav", args: ["-ar", "8000", "-ac", "1"] },
  "wav ima adpcm": { encoder: "adpcm_ima_wav", extension: "wav", args: [] },
  "wav ms adpcm": { encoder: "adpcm_ms", extension: "wav", args: [] },
  mp3: { encoder: "libmp3lame", extension: "mp3", args: ["-ar", "16000"] },
  "m4a aac": { encoder: "aac", extension: "m4a", args: ["-ar", "16000"] },
  "m4a aac, index first": { encoder: "aac", extension: "m4a", args: ["-ar", "16000", "-movflags", "+faststart"] },
  "ogg opus": { encoder: "libopus", extension: "ogg", args: ["-ar", "48000"] },
  flac: { encoder: "flac", extension: "flac", args: [] },
  "webm opus": { encoder: "libopus", extension: "webm", args: ["-ar", "48000"] },
  "au mu-law": { encoder: "pcm_mulaw", extension: "au", args: [] },
  "au pcm": { encoder: "pcm_s16be", extension: "au", args: [] },
} as const satisfies Record<string, { encoder: string; extension: string; args: readonly string[] }>;
export type EncodedForm = keyof typeof encodedForms;

/** Encoders of the installed ffmpeg. */
export async function encodersHere(): Promise<ReadonlySet<string>> {
  const { stdout } = await run("ffmpeg", ["-hide_banner", "-encoders"]);
  return new Set(stdout.split("\n").map((line) => line.trim().split(/\s+/)[1] ?? ""));
}

/** Encodes a WAV with ffmpeg. */
export async function encode(wav: Uint8Array, form: EncodedForm): Promise<Buffer> {
  const { encoder, extension, args } = encodedForms[form];
  const folder = await mkdtemp(join(tmpdir(), "hearback-sounds-"));
  try {
    const [from, to] = [join(folder, "from.wav"), join(folder, `to.${extension}`)];
    await writeFile(from, wav);
    await run("ffmpeg", ["-nostdin", "-loglevel", "error", "-i", from, "-c:a", encoder, ...args, to]);
    return await readFile(to);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
