import type { RecordingFormat } from "../containers/recognition-result.ts";

/** ffmpeg's demuxer for each container. It is set explicitly, so that a file's content cannot select another one. */
const demuxers: Record<RecordingFormat, string> = {
  wav: "wav",
  mp3: "mp3",
  m4a: "mov",
  aac: "aac",
  ogg: "ogg",
  flac: "flac",
  amr: "amr",
  webm: "matroska",
  au: "au",
};

const pcm = ["s8", "u8", "mulaw", "alaw", ..."s16 s24 s32 s64 f32 f64".split(" ").flatMap((n) => [`${n}le`, `${n}be`])];
/** Allowlist of audio decoders. Video and subtitles in a file are never decoded. */
const decoders = [
  ...pcm.map((name) => `pcm_${name}`),
  ...["adpcm_ms", "adpcm_ima_wav", "g722", "g726", "g726le", "gsm_ms", "gsm", "g723_1", "g729", "truespeech"],
  ...[
    "amrnb",
    "amrwb",
    "mp2",
    "mp2float",
    "mp3",
    "mp3float",
    "aac",
    "ac3",
    "eac3",
    "alac",
    "flac",
    "opus",
    "vorbis",
    "speex",
  ],
];

/** Packets of a quarter of a second instead of a few milliseconds, to reduce overhead between decoder and encoder. */
const largerPackets = ["-max_size", "32768"];

/**
 * Input arguments: a fixed demuxer, and no protocol other than file, so that references in the file are not followed.
 */
export const inputArgs = (format: RecordingFormat, file: string) => [
  ...["-protocol_whitelist", "file", "-f", demuxers[format], ...(format === "wav" ? largerPackets : [])],
  ...["-i", `file:${file}`],
];

export const decoderArgs = ["-codec_whitelist", decoders.join(",")];
/** ffmpeg's message for streams that it may not decode. */
export const notDecoded = /not on whitelist|last message repeated/i;
