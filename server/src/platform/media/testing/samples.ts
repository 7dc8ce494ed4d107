import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type RecognitionResult, type RecordingFacts, recogniseRecording } from "../containers/recognise-recording.ts";

export const SECONDS = 15;

/** A file to create with ffmpeg. */
interface FileSpec {
  file: string;
  make: string;
}

/** A file with its expected properties. */
interface Sample extends FileSpec {
  facts: Omit<RecordingFacts, "durationMs">;
  /** The container does not contain the length. */
  endless?: true;
}

type Expected = Pick<RecordingFacts, "format" | "codec"> & Partial<RecordingFacts>;

const sample = (file: string, make: string, facts: Expected): Sample => ({
  file,
  make: `-map 0:a ${make}`,
  facts: { channels: 1, sampleRate: 8000, unfinished: false, ...facts },
});
const wideband = { channels: 2, sampleRate: 16_000 };
const music = { channels: 2, sampleRate: 44_100 };
const opus = { codec: "opus", channels: 1, sampleRate: 48_000 } as const;
const unfinished = true;

export const samples: Sample[] = [
  sample("u8.wav", "-c:a pcm_u8", { format: "wav", codec: "pcm_u8" }),
  sample("s16.wav", "-c:a pcm_s16le", { format: "wav", codec: "pcm_s16le" }),
  sample("s24.wav", "-c:a pcm_s24le -ac 2", { format: "wav", codec: "pcm_s24le", channels: 2 }),
  sample("s32.wav", "-c:a pcm_s32le", { format: "wav", codec: "pcm_s32le" }),
  sample("f32.wav", "-c:a pcm_f32le", { format: "wav", codec: "pcm_f32le" }),
  sample("f64.wav", "-c:a pcm_f64le", { format: "wav", codec: "pcm_f64le" }),
  sample("mulaw.wav", "-c:a pcm_mulaw", { format: "wav", codec: "pcm_mulaw" }),
  sample("alaw.wav", "-c:a pcm_alaw -ac 2", { format: "wav", codec: "pcm_alaw", channels: 2 }),
  sample("gsm.wav", "-c:a libgsm_ms", { format: "wav", codec: "gsm_ms" }),
  sample("ms.wav", "-c:a adpcm_ms", { format: "wav", codec: "adpcm_ms" }),
  sample("ima.wav", "-c:a adpcm_ima_wav -ac 2", { format: "wav", codec: "adpcm_ima_wav", channels: 2 }),
  sample("mp3.wav", "-c:a libmp3lame", { format: "wav", codec: "mp3" }),
  sample("extensible.wav", "-c:a pcm_s16le -ac 6", { format: "wav", codec: "pcm_s16le", channels: 6 }),
  sample("rf64.wav", "-c:a pcm_s16le -rf64 always", { format: "wav", codec: "pcm_s16le" }),
  sample("live.wav", "-seekable 0", { format: "wav", codec: "pcm_s16le", unfinished }),
  sample("live-rf64.wav", "-rf64 always -seekable 0", { format: "wav", codec: "pcm_s16le", unfinished }),

  sample("cbr.mp3", "-b:a 128k -ar 44100 -ac 2", { format: "mp3", codec: "mp3", ...music }),
  sample("vbr.mp3", "-q:a 4 -ar 44100 -ac 2", { format: "mp3", codec: "mp3", ...music }),
  sample("mpeg2.mp3", "-q:a 4 -ar 16000 -ac 2", { format: "mp3", codec: "mp3", ...wideband }),
  sample("mpeg25.mp3", "-b:a 16k", { format: "mp3", codec: "mp3" }),
  sample("plain.mp3", "-b:a 64k -ar 44100 -ac 2 -write_xing 0 -id3v2_version 0", {
    format: "mp3",
    codec: "mp3",
    ...music,
  }),

  sample("index-last.m4a", "-c:a aac", { format: "m4a", codec: "aac" }),
  sample("index-first.m4a", "-c:a aac -ar 16000 -ac 2 -movflags +faststart", {
    format: "m4a",
    codec: "aac",
    ...wideband,
  }),
  sample("fragments.mp4", "-c:a aac -movflags empty_moov -frag_duration 2000000", { format: "m4a", codec: "aac" }),
  sample("half-fragments.mp4", "-c:a aac -movflags frag_keyframe -frag_duration 2000000", {
    format: "m4a",
    codec: "aac",
  }),
  sample("alac.m4a", "-c:a alac -ac 2", { format: "m4a", codec: "alac", channels: 2 }),
  sample("opus.mp4", "-c:a libopus", { format: "m4a", ...opus }),
  sample("mp3.mp4", "-c:a libmp3lame -ar 44100", { format: "m4a", codec: "mp3", channels: null, sampleRate: 44_100 }),
  sample("aac.mov", "-c:a aac -ac 2", { format: "m4a", codec: "aac", channels: 2 }),
  sample("mulaw.mov", "-c:a pcm_mulaw", { format: "m4a", codec: "pcm_mulaw" }),

  sample("mono.aac", "-c:a aac -ar 16000", { format: "aac", codec: "aac", sampleRate: 16_000 }),
  sample("stereo.aac", "-c:a aac -ar 44100 -ac 2", { format: "aac", codec: "aac", ...music }),

  sample("opus.ogg", "-c:a libopus", { format: "ogg", ...opus }),
  sample("vorbis.ogg", "-c:a libvorbis -ar 44100 -ac 2", { format: "ogg", codec: "vorbis", ...music }),
  sample("speex.ogg", "-c:a libspeex", { format: "ogg", codec: "speex" }),
  sample("flac.ogg", "-c:a flac", { format: "ogg", codec: "flac" }),

  sample("whole.flac", "-ac 2", { format: "flac", codec: "flac", channels: 2 }),
  { ...sample("live.flac", "-seekable 0", { format: "flac", codec: "flac", unfinished }), endless: true },

  sample("opus.webm", "-c:a libopus", { format: "webm", ...opus }),
  sample("live.webm", "-c:a libopus -seekable 0", { format: "webm", ...opus, unfinished }),
  sample("vorbis.mkv", "-c:a libvorbis -ac 2", { format: "webm", codec: "vorbis", channels: 2 }),
  sample("aac.mka", "-c:a aac", { format: "webm", codec: "aac" }),

  sample("mulaw.au", "-c:a pcm_mulaw", { format: "au", codec: "pcm_mulaw" }),
  sample("s16.au", "-c:a pcm_s16be -ac 2", { format: "au", codec: "pcm_s16be", channels: 2 }),
  sample("live.au", "-c:a pcm_alaw -seekable 0", { format: "au", codec: "pcm_alaw", unfinished }),
];

/** Videos, some without audio. */
export const videos: FileSpec[] = [
  { file: "film.mp4", make: "-map 0:a -map 1:v -c:v mpeg4 -c:a aac" },
  { file: "film.webm", make: "-map 0:a -map 1:v -c:v vp8 -c:a libopus" },
  { file: "silent.mp4", make: "-map 1:v -c:v mpeg4" },
  { file: "silent.webm", make: "-map 1:v -c:v vp8" },
  { file: "silent.avi", make: "-map 1:v -c:v mpeg4" },
];

/** Creates all files in one run of ffmpeg. */
export async function makeFiles(specs: FileSpec[]): Promise<Map<string, Buffer>> {
  const folder = await mkdtemp(join(tmpdir(), "hearback-media-"));
  const inputs = [`sine=sample_rate=8000:duration=${SECONDS}`, `testsrc=size=32x32:rate=1:duration=${SECONDS}`];
  try {
    await promisify(execFile)("ffmpeg", [
      ...["-v", "error", ...inputs.flatMap((input) => ["-f", "lavfi", "-i", input])],
      ...specs.flatMap(({ file, make }) => [...make.split(" "), join(folder, file)]),
    ]);
    const contents = await Promise.all(specs.map(({ file }) => readFile(join(folder, file))));
    return new Map(specs.map(({ file }, index) => [file, contents[index] ?? Buffer.alloc(0)]));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Recognises bytes that arrive in chunks of these sizes, repeated. */
export function resultOf(bytes: Uint8Array, sizes: number[] = [64 * 1024]): RecognitionResult {
  const recogniser = recogniseRecording();
  for (let at = 0, index = 0; at < bytes.length; index++) {
    const size = sizes[index % sizes.length] ?? 1;
    // Overwrite the chunk afterwards, as a sender that reuses its buffer does.
    const chunk = Uint8Array.from(bytes.subarray(at, at + size));
    recogniser.write(chunk);
    chunk.fill(0xa5);
    at += size;
  }
  return recogniser.end();
}
