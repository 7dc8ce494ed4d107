import { type ByteReader, type Container, peek, skip, take, text } from "./byte-reader.ts";
import type { Codec } from "./codecs.ts";
import {
  empty,
  milliseconds,
  notAudio,
  type RecognitionResult,
  recognised,
  refuseAbsurd,
  truncated,
} from "./recognition-result.ts";
import { skipAudio } from "./skip-audio.ts";

interface WaveFormat {
  codec: Codec | null;
  channels: number;
  sampleRate: number;
  bytesPerSecond: number;
  blockBytes: number;
  /** Samples per channel in a block; 0 if unknown. */
  blockSamples: number;
}

const PCM = 1;
const FLOAT = 3;
const EXTENSIBLE = 0xfffe;

const codecs: Record<number, Codec> = {
  2: "adpcm_ms",
  6: "pcm_alaw",
  7: "pcm_mulaw",
  17: "adpcm_ima_wav",
  34: "truespeech",
  49: "gsm_ms",
  66: "g723_1",
  69: "adpcm_g726",
  80: "mp2",
  85: "mp3",
  100: "adpcm_g726",
  131: "g729",
  255: "aac",
  655: "adpcm_g722",
};
const linear: Record<number, Codec> = { 1: "pcm_u8", 2: "pcm_s16le", 3: "pcm_s24le", 4: "pcm_s32le", 8: "pcm_s64le" };
const floating: Record<number, Codec> = { 4: "pcm_f32le", 8: "pcm_f64le" };
/** Codecs whose header contains the number of samples per block. */
const blockCodecs = new Set<Codec | null>(["adpcm_ms", "adpcm_ima_wav", "gsm_ms"]);

/**
 * Chunks that may follow the audio. After a data chunk of size 0, they distinguish an empty file from an unfinished
 * one.
 */
const followers = /^(LIST|INFO|JUNK|PAD |fact|cue |smpl|bext|iXML|id3 |ID3 |afsp)/;

/** Real files have a dozen chunks; one with thousands before its audio is malicious. */
const CHUNK_LIMIT = 10_000;

export const wav: Container = { read };

/** Ignores the size in the RIFF header, which many recorders write incorrectly; only the size of the audio matters. */
function* read(): ByteReader<RecognitionResult> {
  let format: WaveFormat | undefined;
  let longSize: number | undefined;
  let samples = 0;

  yield skip(12);
  for (let chunks = 0; chunks < CHUNK_LIMIT; chunks++) {
    const header = yield* take(8);
    if (!header) return truncated("The WAV file ends before its audio.");
    const id = text(header, 0, 4);
    const size = header.getUint32(4, true);

    if (id === "data") {
      if (!format) return notAudio("The WAV file does not declare its encoding: the fmt chunk is missing.");
      return yield* readAudio(format, size === 0xffff_ffff && longSize !== undefined ? longSize : size, samples);
    }
    const { view: body } = yield peek(Math.min(size, 40));
    if (id === "fmt " && body.byteLength >= 16) {
      format = readFormat(body);
      const refusal = refuseAbsurd("WAV", format);
      if (refusal) return refusal;
      if (format.blockBytes === 0) return notAudio("The WAV header declares a block size of 0 bytes.");
    } else if (id === "ds64" && body.byteLength >= 16) longSize = Number(body.getBigUint64(8, true));
    else if (id === "fact" && body.byteLength >= 4) samples = body.getUint32(0, true);
    yield skip(size + (size % 2));
  }
  return notAudio("The WAV file has thousands of chunks but no audio.");
}

function readFormat(body: DataView): WaveFormat {
  // In the extensible format, the encoding is the first part of a GUID.
  const extensible = body.getUint16(0, true) === EXTENSIBLE && body.byteLength >= 40;
  const tag = body.getUint16(extensible ? 24 : 0, true);
  const channels = body.getUint16(2, true);
  const sampleBytes = Math.ceil(body.getUint16(14, true) / 8);
  const codec = (tag === PCM ? linear[sampleBytes] : tag === FLOAT ? floating[sampleBytes] : codecs[tag]) ?? null;
  const blockBytes = body.getUint16(12, true);
  const isLinear = tag === PCM || tag === FLOAT;
  return {
    codec,
    channels,
    sampleRate: body.getUint32(4, true),
    bytesPerSecond: body.getUint32(8, true),
    // PCM decoders use the sample size, so a wrong block size is harmless.
    blockBytes: isLinear && blockBytes > 0 ? channels * sampleBytes : blockBytes,
    blockSamples: blockSamples(codec, body),
  };
}

function blockSamples(codec: Codec | null, body: DataView): number {
  if (codec?.startsWith("pcm_")) return 1;
  return blockCodecs.has(codec) && body.byteLength >= 20 ? body.getUint16(18, true) : 0;
}

function* readAudio(format: WaveFormat, declared: number, samples: number): ByteReader<RecognitionResult> {
  if (declared === 0 && followers.test(text((yield peek(4)).view, 0, 4)))
    return empty("The WAV file has a header but no audio.");
  const audio = yield* skipAudio("WAV", declared, format.blockBytes);
  if ("problem" in audio) return audio;
  const { codec, channels, sampleRate } = format;
  const { bytes, unfinished } = audio;
  return recognised({
    format: "wav",
    codec,
    channels,
    sampleRate,
    durationMs: durationOf(format, bytes, samples),
    unfinished,
  });
}

function durationOf(
  { blockBytes, blockSamples, bytesPerSecond, sampleRate }: WaveFormat,
  bytes: number,
  samples: number,
) {
  if (blockSamples === 0 && bytesPerSecond > 0) return milliseconds(bytes, bytesPerSecond);
  if (blockSamples === 0) return samples === 0 ? null : milliseconds(samples, sampleRate);
  const capacity = (bytes / blockBytes) * blockSamples;
  // The fact chunk contains the exact number of samples. Trust it only if it differs by less than one block.
  return milliseconds(samples <= capacity && samples > capacity - blockSamples ? samples : capacity, sampleRate);
}
