import type { RecordingFormat } from "./verdict.ts";

/** ffmpeg's reader for each container. It is told which to use, so that a file cannot choose another by its looks. */
const readers: Record<RecordingFormat, string> = {
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
/** Decoders of sound, and no others: a picture or a caption in the file is never decoded. */
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

/** Read a quarter of a second at a time instead of a few milliseconds: less to do between decoder and encoder. */
const largerPackets = ["-max_size", "32768"];

/** How a tool is told to open a recording: with this reader, this file and nothing it may point to. */
export const inputWords = (format: RecordingFormat, file: string) => [
  ...["-protocol_whitelist", "file", "-f", readers[format], ...(format === "wav" ? largerPackets : [])],
  ...["-i", `file:${file}`],
];

export const decoderWords = ["-codec_whitelist", decoders.join(",")];
/** What ffmpeg says of a picture that it was told not to decode. */
export const notDecoded = /not on whitelist|last message repeated/i;
