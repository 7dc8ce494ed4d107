import { type ByteReader, type Container, skip, take } from "./byte-reader.ts";
import type { Codec } from "./codecs.ts";
import {
  milliseconds,
  notAudio,
  type RecognitionResult,
  recognised,
  refuseAbsurd,
  truncated,
} from "./recognition-result.ts";
import { skipAudio } from "./skip-audio.ts";

const encodings: Record<number, { codec: Codec; bits: number }> = {
  1: { codec: "pcm_mulaw", bits: 8 },
  2: { codec: "pcm_s8", bits: 8 },
  3: { codec: "pcm_s16be", bits: 16 },
  4: { codec: "pcm_s24be", bits: 24 },
  5: { codec: "pcm_s32be", bits: 32 },
  6: { codec: "pcm_f32be", bits: 32 },
  7: { codec: "pcm_f64be", bits: 64 },
  23: { codec: "adpcm_g726", bits: 4 },
  24: { codec: "adpcm_g722", bits: 4 },
  25: { codec: "adpcm_g726", bits: 3 },
  26: { codec: "adpcm_g726", bits: 5 },
  27: { codec: "pcm_alaw", bits: 8 },
};

const HEADER_BYTES = 24;

export const au: Container = { read };

function* read(): ByteReader<RecognitionResult> {
  const header = yield* take(HEADER_BYTES);
  if (!header) return truncated("The AU file ends within its header.");
  const audioAt = header.getUint32(4);
  const encoding = encodings[header.getUint32(12)];
  const sampleRate = header.getUint32(16);
  const channels = header.getUint32(20);

  if (audioAt < HEADER_BYTES) return notAudio("The AU header places the audio within itself.");
  const refusal = refuseAbsurd("AU", { channels, sampleRate });
  if (refusal) return refusal;
  const note = audioAt - HEADER_BYTES;
  if ((yield skip(note)).passed < note) return truncated("The AU file ends before its audio.");

  const frameBytes = ((encoding?.bits ?? 8) * channels) / 8;
  const audio = yield* skipAudio("AU", header.getUint32(8), frameBytes);
  if ("problem" in audio) return audio;
  return recognised({
    format: "au",
    codec: encoding?.codec ?? null,
    channels,
    sampleRate,
    durationMs: encoding ? milliseconds(audio.bytes / frameBytes, sampleRate) : null,
    unfinished: audio.unfinished,
  });
}
