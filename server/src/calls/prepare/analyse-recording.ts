import { join } from "node:path";
import type { App } from "../../platform/app.ts";
import {
  analyseSamples,
  type SampleAnalyser,
  type SampleAnalysis,
} from "../../platform/media/analysis/analyse-samples.ts";
import { readPlain } from "../../platform/media/analysis/plain-samples.ts";
import type { Run } from "../../platform/media/analysis/speech.ts";
import { encodeWaveform, muteWaveform } from "../../platform/media/analysis/waveform.ts";
import type { RecordingFormat } from "../../platform/media/containers/recognition-result.ts";
import { MediaError, undecodable } from "../../platform/media/ffmpeg/media-error.ts";
import { type Probed, probe } from "../../platform/media/ffmpeg/probe.ts";
import type { Limits } from "../../platform/media/ffmpeg/run-tool.ts";
import { playback, type Sound, soundOf, transcode } from "../../platform/media/ffmpeg/transcode.ts";
import { type MeasuredAudio, measureAudio, type Turns, type Warning } from "../call/measured-audio.ts";
import { fetchRecording, type StreamAnalyser } from "./fetch-recording.ts";

export interface PreparableRecording {
  readonly recordingKey: string;
  readonly recordingBytes: number;
  readonly sha256: Buffer;
  readonly format: RecordingFormat;
  /** From the container's header, read at import. The same goes for the next three fields. */
  readonly codec: string | null;
  readonly channels: number | null;
  readonly sampleRate: number | null;
  readonly durationMs: number | null;
}

export interface AnalysedRecording {
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
/** Upper bound for one second of the playback copy. */
const fileBytesPerSecond = 16 * 1024;

/**
 * CPU time limit: a base, plus an allowance by file size and by the duration in the header. A typical one-hour call uses a
 * fifth of it. The limit stops small files that decode into days of audio.
 */
export function limitsFor(app: App, bytes: number, durationMs: number | null): Limits {
  const { cpuSeconds: least, maxHours } = app.config.media;
  const cpuSeconds = least + Math.ceil(bytes / 2e6) + Math.ceil((durationMs ?? 0) / 25_000);
  return { cpuSeconds, memoryBytes, fileBytes: maxHours * 3600 * fileBytesPerSecond };
}

interface AnalyseOptions {
  /** Scratch folder for the recording and the playback copy. */
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
  /** Parts that are masked: silent in the playback copy and in the waveform, in milliseconds. */
  readonly muted: readonly Run[];
}

/** Downloads, probes, measures and transcodes a recording, in one pass over its samples. */
export async function analyseRecording(
  app: App,
  recording: PreparableRecording,
  { folder, signal, muted }: AnalyseOptions,
): Promise<AnalysedRecording> {
  const { format, recordingBytes } = recording;
  const { sandbox } = await app.scratch();
  const inside = sandbox.inside(folder);
  const timed = <T>(phase: string, work: () => Promise<T>) => timePhase(app, phase, work);

  const analyser = analyseUncompressed(app, recording);
  await timed("fetch", () => fetchRecording(app, recording, { file: join(folder, "recording"), analyser, signal }));
  const toolOptions = { sandbox, folder, signal, limits: limitsFor(app, recordingBytes, null) };
  const runProbe = () => timed("probe", () => probe(format, join(inside, "recording"), toolOptions));
  const probed = trustedHeaders.includes(format)
    ? (factsOf(recording) ?? (await runProbe()))
    : ((await runProbe()) ?? factsOf(recording));
  if (!probed) throw undecodable(format);
  const announced = recording.durationMs ?? probed.durationMs;
  if (announced !== null && announced > maxMs(app)) throw tooLong(app);

  const sound = soundOf(probed);
  const decode = async (ignoreLength: boolean, known?: SampleAnalysis) => {
    const sampleAnalyser = known ? undefined : analyseWithLimit(app, sound);
    const { decodeErrors } = await transcode({
      ...toolOptions,
      limits: limitsFor(app, recordingBytes, announced),
      format,
      file: join(inside, "recording"),
      playbackFile: join(inside, playback.file),
      sound,
      maxSeconds: maxMs(app) / 1000 + 1,
      ignoreLength,
      onSamples: sampleAnalyser?.write,
      muted,
    });
    const analysis = known ?? sampleAnalyser?.end();
    if (!analysis || analysis.durationMs === 0) throw undecodable(format);
    return { analysis, decodeErrors };
  };
  const { analysis, decodeErrors } = await timed("decode", () =>
    decode(false, analyser?.end()).catch((error) => {
      // Recorders that were interrupted leave a length of zero in the WAV header: decode again and ignore it.
      if (format !== "wav" || !isUndecodable(error)) throw error;
      return decode(true);
    }),
  );

  const { measured, turns, warnings } = measureAudio(analysis);
  return {
    codec: probed.codec,
    channels: probed.channels,
    sampleRate: probed.sampleRate,
    durationMs: analysis.durationMs,
    measured,
    turns,
    waveform: encodeWaveform(muteWaveform(analysis.waveform, muted)),
    playbackFile: join(folder, playback.file),
    warnings: [...warnings, ...damageOf(recording, probed, analysis.durationMs, decodeErrors)],
  };
}

const maxMs = (app: App) => app.config.media.maxHours * 3600 * 1000;

/** Sample analyser that throws once the audio exceeds the maximum call length. */
function analyseWithLimit(app: App, sound: Sound): SampleAnalyser {
  const analyser = analyseSamples(sound);
  const maxBytes = (maxMs(app) / 1000) * sound.sampleRate * sound.channels * 2;
  let bytes = 0;
  return {
    ...analyser,
    write(samples) {
      bytes += samples.length;
      if (bytes > maxBytes) throw tooLong(app);
      analyser.write(samples);
    },
  };
}

/** Analyses an uncompressed recording during the download. Returns undefined if the recording needs a decoder. */
function analyseUncompressed(app: App, recording: PreparableRecording): StreamAnalyser | undefined {
  const { format, codec } = recording;
  const facts = factsOf(recording);
  const sound = facts && soundOf(facts);
  if (format !== "wav" || !codec || !sound || sound.sampleRate !== facts.sampleRate) return undefined;
  if (sound.channels !== facts.channels) return undefined;
  const analyser = analyseWithLimit(app, sound);
  const reader = readPlain(codec, analyser.write);
  return reader && { write: reader.write, end: () => (reader.end() ? analyser.end() : undefined) };
}

/** Formats whose header is complete and unambiguous, so that no probe is needed. */
const trustedHeaders: readonly RecordingFormat[] = ["wav", "au", "flac"];

/** The facts that the import read from the header, if they are complete. */
function factsOf({ codec, channels, sampleRate, durationMs }: PreparableRecording): Probed | undefined {
  if (codec === null || channels === null || sampleRate === null) return undefined;
  return { codec, channels, sampleRate, durationMs };
}

function damageOf(recording: PreparableRecording, probed: Probed, decodedMs: number, decodeErrors: number): Warning[] {
  const warnings: Warning[] = [];
  const announced = recording.durationMs;
  if (announced !== null && decodedMs < announced - Math.max(1000, announced * 0.02)) {
    const detail = `The file header announces ${seconds(announced)} of audio, but the file contains ${seconds(decodedMs)}. The recording was cut short, or the header is wrong.`;
    warnings.push({ code: "cut_short", detail });
  }
  if (decodeErrors > 0) {
    const detail = "Parts of the recording could not be decoded. They are missing or noisy in the playback.";
    warnings.push({ code: "damaged", detail });
  }
  if (probed.channels > 2) {
    const detail = `The recording has ${probed.channels} channels. They are mixed down to two for playback.`;
    warnings.push({ code: "channels_mixed", detail });
  }
  return warnings;
}

const isUndecodable = (error: unknown) => error instanceof MediaError && error.code === "recording_undecodable";

const seconds = (ms: number) => `${(ms / 1000).toLocaleString("en", { maximumFractionDigits: 1 })} s`;

const tooLong = (app: App) =>
  new MediaError(
    "recording_too_long",
    `The recording is longer than ${app.config.media.maxHours} hours, the limit of this server (MAX_CALL_HOURS).`,
  );

async function timePhase<T>(app: App, phase: string, work: () => Promise<T>): Promise<T> {
  const end = app.metrics.preparePhases.startTimer({ phase });
  try {
    return await work();
  } finally {
    end();
  }
}
