import { join } from "node:path";
import type { App } from "../platform/app.ts";
import { type Heard, type Listener, listen } from "../platform/media/listen.ts";
import { MediaError, undecodable } from "../platform/media/media-error.ts";
import { readPlain } from "../platform/media/plain-samples.ts";
import { type Probed, probe } from "../platform/media/probe.ts";
import type { Limits } from "../platform/media/run-tool.ts";
import { playback, type Sound, soundOf, transcode } from "../platform/media/transcode.ts";
import type { RecordingFormat } from "../platform/media/verdict.ts";
import { encodeWaveform } from "../platform/media/waveform.ts";
import { fetchRecording, type Hearing } from "./fetch-recording.ts";
import { type MeasuredAudio, measureAudio, type Turns, type Warning } from "./measured-audio.ts";

export interface StoredRecording {
  readonly recordingKey: string;
  readonly recordingBytes: number;
  readonly format: RecordingFormat;
  /** As its container announced it, when it was imported. */
  readonly codec: string | null;
  readonly channels: number | null;
  readonly sampleRate: number | null;
  readonly durationMs: number | null;
}

export interface LearnedAudio {
  readonly codec: string;
  readonly channels: number;
  readonly sampleRate: number;
  readonly durationMs: number;
  readonly measured: MeasuredAudio;
  readonly turns: Turns;
  readonly waveform: Buffer;
  readonly playbackFile: string;
  readonly warnings: Warning[];
}

const memoryBytes = 512 * 1024 * 1024;
/** More than a second of the playback copy ever takes. */
const fileBytesPerSecond = 16 * 1024;

/**
 * Processor time for a recording: some for any, more for a large one and for one that says it is long. A call of an hour
 * takes a fifth of it; a small file that unpacks into days is stopped.
 */
function limitsFor(app: App, bytes: number, durationMs: number | null): Limits {
  const { cpuSeconds: least, maxHours } = app.config.media;
  const cpuSeconds = least + Math.ceil(bytes / 2e6) + Math.ceil((durationMs ?? 0) / 25_000);
  return { cpuSeconds, memoryBytes, fileBytes: maxHours * 3600 * fileBytesPerSecond };
}

interface Workplace {
  /** Where what it makes is left. */
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
}

/** Learns everything about a recording in one pass over it. */
export async function learnAudio(app: App, recording: StoredRecording, place: Workplace): Promise<LearnedAudio> {
  const { format, recordingBytes, recordingKey } = recording;
  const { folder, signal } = place;
  const { confinement } = await app.scratch();
  const inside = confinement.inside(folder);
  const timed = <T>(phase: string, work: () => Promise<T>) => timePhase(app, phase, work);

  const hearing = hearPlain(app, recording);
  await timed("fetch", () => fetchRecording(app, recordingKey, { file: join(folder, "recording"), hearing }));
  const where = { confinement, folder, signal, limits: limitsFor(app, recordingBytes, null) };
  const look = () => timed("probe", () => probe(format, join(inside, "recording"), where));
  const probed = plain.includes(format)
    ? (factsOf(recording) ?? (await look()))
    : ((await look()) ?? factsOf(recording));
  if (!probed) throw undecodable(format);
  const announced = recording.durationMs ?? probed.durationMs;
  if (announced !== null && announced > maxMs(app)) throw tooLong(app);

  const sound = soundOf(probed);
  const decode = async (ignoreLength: boolean, heard?: Heard) => {
    const listener = heard ? undefined : listenAtMost(app, sound);
    const { stumbles } = await transcode({
      ...where,
      limits: limitsFor(app, recordingBytes, announced),
      format,
      file: join(inside, "recording"),
      playbackFile: join(inside, playback.file),
      sound,
      maxSeconds: maxMs(app) / 1000 + 1,
      ignoreLength,
      onSamples: listener?.write,
    });
    const all = heard ?? listener?.end();
    if (!all || all.durationMs === 0) throw undecodable(format);
    return { heard: all, stumbles };
  };
  const { heard, stumbles } = await timed("decode", () =>
    decode(false, hearing?.end()).catch((error) => {
      // A recorder that was cut off has left the length at nothing.
      if (format !== "wav" || !isUndecodable(error)) throw error;
      return decode(true);
    }),
  );

  const { measured, turns, warnings } = measureAudio(heard);
  return {
    codec: probed.codec,
    channels: probed.channels,
    sampleRate: probed.sampleRate,
    durationMs: heard.durationMs,
    measured,
    turns,
    waveform: encodeWaveform(heard.waveform),
    playbackFile: join(folder, playback.file),
    warnings: [...warnings, ...damageOf(recording, probed, heard.durationMs, stumbles)],
  };
}

const maxMs = (app: App) => app.config.media.maxHours * 3600 * 1000;

/** Hears no more than a call may last, whatever comes. */
function listenAtMost(app: App, sound: Sound): Listener {
  const listener = listen(sound);
  const most = (maxMs(app) / 1000) * sound.sampleRate * sound.channels * 2;
  let bytes = 0;
  return {
    ...listener,
    write(samples) {
      bytes += samples.length;
      if (bytes > most) throw tooLong(app);
      listener.write(samples);
    },
  };
}

/** Hears a recording that needs no decoder while it is fetched. Undefined: this one needs a decoder. */
function hearPlain(app: App, recording: StoredRecording): Hearing | undefined {
  const { format, codec } = recording;
  const facts = factsOf(recording);
  const sound = facts && soundOf(facts);
  if (format !== "wav" || !codec || !sound || sound.sampleRate !== facts.sampleRate) return undefined;
  if (sound.channels !== facts.channels) return undefined;
  const listener = listenAtMost(app, sound);
  const reader = readPlain(codec, listener.write);
  return reader && { write: reader.write, end: () => (reader.end() ? listener.end() : undefined) };
}

/** Containers whose header says all there is to know, and cannot be understood in two ways. */
const plain: readonly RecordingFormat[] = ["wav", "au", "flac"];

/** What the import has read already, if that is all there is to know. */
function factsOf({ codec, channels, sampleRate, durationMs }: StoredRecording): Probed | undefined {
  if (codec === null || channels === null || sampleRate === null) return undefined;
  return { codec, channels, sampleRate, durationMs };
}

function damageOf(recording: StoredRecording, probed: Probed, heardMs: number, stumbles: number): Warning[] {
  const warnings: Warning[] = [];
  const announced = recording.durationMs;
  if (announced !== null && heardMs < announced - Math.max(1000, announced * 0.02)) {
    const detail = `The file announces ${seconds(announced)} of sound and holds ${seconds(heardMs)}: it was cut short, or its header is wrong.`;
    warnings.push({ code: "cut_short", detail });
  }
  if (stumbles > 0) {
    const detail = "Parts of the recording could not be decoded and are missing or noisy in what is played.";
    warnings.push({ code: "damaged", detail });
  }
  if (probed.channels > 2) {
    const detail = `The recording has ${probed.channels} channels; they are mixed into two to be played.`;
    warnings.push({ code: "channels_mixed", detail });
  }
  return warnings;
}

const isUndecodable = (error: unknown) => error instanceof MediaError && error.code === "recording_undecodable";

const seconds = (ms: number) => `${(ms / 1000).toLocaleString("en", { maximumFractionDigits: 1 })} s`;

const tooLong = (app: App) =>
  new MediaError(
    "recording_too_long",
    `It is longer than ${app.config.media.maxHours} hours, the limit of this installation (MAX_CALL_HOURS).`,
  );

async function timePhase<T>(app: App, phase: string, work: () => Promise<T>): Promise<T> {
  const end = app.metrics.preparePhases.startTimer({ phase });
  try {
    return await work();
  } finally {
    end();
  }
}
