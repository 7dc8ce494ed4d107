import type { Codec } from "./codecs.ts";

export type RecordingFormat = "wav" | "mp3" | "m4a" | "aac" | "ogg" | "flac" | "amr" | "webm" | "au";

/** Properties of the audio from the container; null if unknown. */
export interface RecordingFacts {
  format: RecordingFormat;
  codec: Codec | null;
  channels: number | null;
  sampleRate: number | null;
  durationMs: number | null;
  /** The recorder never completed the header; the length was derived from the size. */
  unfinished: boolean;
}

export type RecognitionResult =
  | { ok: true; facts: RecordingFacts }
  | { ok: false; problem: "recording_empty" | "recording_not_audio" | "recording_truncated"; detail: string };

export type Refusal = Extract<RecognitionResult, { ok: false }>;

const ACCEPTED = "Send a WAV, MP3, M4A, AAC, Ogg, FLAC, AMR, WebM or AU recording.";

export function recognised(facts: RecordingFacts): RecognitionResult {
  return { ok: true, facts };
}

export function empty(found: string): Refusal {
  return { ok: false, problem: "recording_empty", detail: `${found} Send a recording that contains audio.` };
}

export function notAudio(found: string): Refusal {
  return { ok: false, problem: "recording_not_audio", detail: `${found} ${ACCEPTED}` };
}

export function truncated(found: string): Refusal {
  return { ok: false, problem: "recording_truncated", detail: `${found} Send the complete recording again.` };
}

/** Rejects headers with impossible values. Null values are not checked. */
export function refuseAbsurd(
  container: string,
  { channels, sampleRate }: { channels: number | null; sampleRate: number | null },
): Refusal | undefined {
  if (channels !== null && !(channels >= 1 && channels <= 64))
    return notAudio(`The ${container} header declares ${grouped(channels)} channels; the valid range is 1 to 64.`);
  if (sampleRate !== null && !(sampleRate >= 1 && sampleRate <= 768_000))
    return notAudio(
      `The ${container} header declares a sample rate of ${grouped(sampleRate)} Hz; the valid range is 1 to 768,000.`,
    );
  return undefined;
}

/** Converts a length to milliseconds. Null if it is implausible (24 days, 2³¹ ms, or more). */
export function milliseconds(units: number, unitsPerSecond: number): number | null {
  const length = Math.round((units / unitsPerSecond) * 1000);
  return length >= 0 && length < 2 ** 31 ? length : null;
}

export function grouped(value: number): string {
  return value.toLocaleString("en-US");
}
