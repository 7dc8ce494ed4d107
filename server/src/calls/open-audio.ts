import type { App } from "../platform/app.ts";
import { AppError, storageUnavailable } from "../platform/errors.ts";
import { playback } from "../platform/media/transcode.ts";
import type { RecordingFormat } from "../platform/media/verdict.ts";
import { type ByteRange, type Bytes, ObjectMissing, type StoredBytes } from "../platform/storage/types.ts";
import type { StoredCall } from "./find-call.ts";
import type { Turns } from "./measured-audio.ts";

/** Reads what a call names in the object store, with failures that say whose they are. */
async function readObject(app: App, key: string, range: ByteRange): Promise<Bytes> {
  try {
    return await app.storage.get(key, range);
  } catch (error) {
    if (!(error instanceof ObjectMissing)) throw storageUnavailable(error);
    throw new AppError(
      "audio_lost",
      "It is not in the object store any more. Whoever runs this installation can restore it from a backup.",
    );
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

/** The sound of a call in the object store, and the link to it where this installation gives links. */
function sound(app: App, key: string, what: Pick<StoredBytes, "mediaType" | "fileName" | "bytes">): StoredBytes {
  const { playback: how } = app.config;
  const { link } = app.storage;
  return {
    ...what,
    read: (range) => readObject(app, key, range),
    link: how.kind === "redirect" && link ? () => link(key, { ...what, seconds: how.linkSeconds }) : undefined,
  };
}

export const openRecording = (app: App, call: StoredCall): StoredBytes =>
  sound(app, call.recordingKey, {
    mediaType: mediaTypes[call.format as RecordingFormat],
    fileName: `${call.id}.${call.format}`,
    bytes: call.recordingBytes,
  });

export function openPlayback(app: App, call: StoredCall): StoredBytes {
  const { playbackKey, playbackBytes } = call;
  if (!playbackKey || !playbackBytes) throw notReady(call);
  return sound(app, playbackKey, {
    mediaType: playback.mediaType,
    fileName: `${call.id}.m4a`,
    bytes: playbackBytes,
  });
}

export function openWaveform(app: App, call: StoredCall): StoredBytes {
  const { drawingKey, waveformBytes } = call;
  if (!drawingKey || !waveformBytes) throw notReady(call);
  // Never by a link: more than the waveform is in that object.
  return {
    mediaType: "application/octet-stream",
    fileName: `${call.id}.dat`,
    bytes: waveformBytes,
    read: (range) => readObject(app, drawingKey, range),
  };
}

/** The turns of speech stand right behind the waveform. */
export async function readTurns(app: App, call: StoredCall): Promise<Turns> {
  const { drawingKey, waveformBytes, drawingBytes } = call;
  if (!drawingKey || !waveformBytes || !drawingBytes) throw notReady(call);
  const chunks: Uint8Array[] = [];
  const range = { start: waveformBytes, end: drawingBytes - 1 };
  for await (const chunk of await readObject(app, drawingKey, range)) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString()) as Turns;
}

function notReady(call: StoredCall): AppError {
  return call.status === "failed"
    ? new AppError("call_failed", `The call could not be prepared: ${call.failureDetail}`)
    : new AppError(
        "call_not_ready",
        "The call is still being prepared. Ask again in a moment, or wait for call.ready.",
      );
}
