/**
 * All codec names that the API can return. They are ffprobe's names, and a name never changes its meaning. An unlisted
 * codec is null.
 */
export type Codec =
  | Pcm
  | "pcm_mulaw" // G.711 µ-law
  | "pcm_alaw" // G.711 A-law
  | "adpcm_ms"
  | "adpcm_ima_wav"
  | "adpcm_g722"
  | "adpcm_g726"
  | "gsm_ms" // GSM 6.10, two frames per block, as in WAV
  | "g723_1"
  | "g729"
  | "truespeech"
  | "amr_nb"
  | "amr_wb"
  | "mp2"
  | "mp3"
  | "aac"
  | "ac3"
  | "eac3"
  | "alac"
  | "flac"
  | "opus"
  | "vorbis"
  | "speex";

/** Linear PCM: signed, unsigned or floating point, with bit depth and byte order. */
type Pcm = "pcm_u8" | "pcm_s8" | `pcm_s${16 | 24 | 32 | 64}${"le" | "be"}` | `pcm_f${32 | 64}${"le" | "be"}`;
