import type { Codec } from "./codecs.ts";

export type RecordingFormat = "wav" | "mp3" | "m4a" | "aac" | "ogg" | "flac" | "amr" | "webm" | "au";

/** What the container tells about its audio; null where it does not tell. */
export interface RecordingFacts {
  format: RecordingFormat;
  codec: Codec | null;
  channels: number | null;
  sampleRate: number | null;
  durationMs: number | null;
  /** The recorder never completed the header; the length was taken from the bytes that came. */
  unfinished: boolean;
}

export type Verdict =
  | { ok: true; facts: RecordingFacts }
  | { ok: false; problem: "recording_empty" | "recording_not_audio" | "recording_truncated"; detail: string };

export type Refusal = Extract<Verdict, { ok: false }>;

const ACCEPTED = "Send a WAV, MP3, M4A, AAC, Ogg, FLAC, AMR, WebM or AU recording.";

export function recognised(facts: RecordingFacts): Verdict {
  return { ok: true, facts };
}

export function empty(found: string): Refusal {
  return { ok: false, problem: "recording_empty", detail: `${found} Send a recording with sound in it.` };
}

export function notAudio(found: string): Refusal {
  return { ok: false, problem: "recording_not_audio", detail: `${found} ${ACCEPTED}` };
}

export function truncated(found: string): Refusal {
  return { ok: false, problem: "recording_truncated", detail: `${found} Send the recording again, whole.` };
}

/** Refuses a header whose values no recording can have. A null is not judged. */
export function refuseAbsurd(
  container: string,
  { channels, sampleRate }: { channels: number | null; sampleRate: number | null },
): Refusal | undefined {
  if (channels !== null && !(channels >= 1 && channels <= 64))
    return notAudio(`The ${container} header gives ${grouped(channels)} channels; 1 to 64 are possible.`);
  if (sampleRate !== null && !(sampleRate >= 1 && sampleRate <= 768_000))
    return notAudio(
      `The ${container} header gives a sample rate of ${grouped(sampleRate)} Hz; 1 to 768,000 are possible.`,
    );
  return undefined;
}

/** A length in units as milliseconds, or null when it makes no sense: nobody speaks for 24 days (2³¹ ms). */
export function milliseconds(units: number, unitsPerSecond: number): number | null {
  const length = Math.round((units / unitsPerSecond) * 1000);
  return length >= 0 && length < 2 ** 31 ? length : null;
}

export function grouped(value: number): string {
  return value.toLocaleString("en-US");
}
