import type { App } from "../../platform/app.ts";
import { type AppError, storageUnavailable } from "../../platform/errors.ts";
import type { RecordingFormat } from "../../platform/media/containers/recognition-result.ts";
import { playback } from "../../platform/media/ffmpeg/transcode.ts";
import { type ByteRange, type Bytes, ObjectMissing, type StoredBytes } from "../../platform/storage/types.ts";
import type { StoredCall } from "../call/find-call.ts";
import type { Turns } from "../call/measured-audio.ts";
import { audioLost, callFailed, callNotReady } from "../errors.ts";

/** Reads an object of a call. Distinguishes a lost object from an unavailable object store. */
async function readObject(app: App, key: string, range: ByteRange): Promise<Bytes> {
  try {
    return await app.storage.get(key, range);
  } catch (error) {
    if (!(error instanceof ObjectMissing)) throw storageUnavailable(error);
    throw audioLost();
  }
}

const mediaTypes: Record<RecordingFormat, string> = {
  wav: "audio/wav",
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  aac: "audio/aac",
  ogg: "audio/ogg",
  flac: "audio/flac",
  amr: "audio/amr",
  webm: "audio/webm",
  au: "audio/basic",
};

/** The audio of a call in the object store, with a presigned link if the server redirects playback. */
function audioObject(app: App, key: string, info: Pick<StoredBytes, "mediaType" | "fileName" | "bytes">): StoredBytes {
  const { playback: mode } = app.config;
  const { link } = app.storage;
  return {
    ...info,
    read: (range) => readObject(app, key, range),
    link: mode.kind === "redirect" && link ? () => link(key, { ...info, seconds: mode.linkSeconds }) : undefined,
  };
}

export const openRecording = (app: App, call: StoredCall): StoredBytes =>
  audioObject(app, call.recordingKey, {
    mediaType: mediaTypes[call.format as RecordingFormat],
    fileName: `${call.id}.${call.format}`,
    bytes: call.recordingBytes,
  });

export function openPlayback(app: App, call: StoredCall): StoredBytes {
  const { playbackKey, playbackBytes } = call;
  if (!playbackKey || !playbackBytes) throw notReady(call);
  return audioObject(app, playbackKey, {
    mediaType: playback.mediaType,
    fileName: `${call.id}.m4a`,
    bytes: playbackBytes,
  });
}

export function openWaveform(app: App, call: StoredCall): StoredBytes {
  const { drawingKey, waveformBytes } = call;
  if (!drawingKey || !waveformBytes) throw notReady(call);
  // Never as a presigned link: the object also contains the speech turns.
  return {
    mediaType: "application/octet-stream",
    fileName: `${call.id}.dat`,
    bytes: waveformBytes,
    read: (range) => readObject(app, drawingKey, range),
  };
}

/** The speech turns follow the waveform in the same object. */
export async function readTurns(app: App, call: StoredCall): Promise<Turns> {
  const { drawingKey, waveformBytes, drawingBytes } = call;
  if (!drawingKey || !waveformBytes || !drawingBytes) throw notReady(call);
  const chunks: Uint8Array[] = [];
  const range = { start: waveformBytes, end: drawingBytes - 1 };
  for await (const chunk of await readObject(app, drawingKey, range)) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString()) as Turns;
}

function notReady(call: StoredCall): AppError {
  return call.status === "failed" ? callFailed(call.failureDetail) : callNotReady();
}
