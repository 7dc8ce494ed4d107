/**
 * Every codec name the interface may give. They are ffprobe's, so that they can be looked up, and a name once given
 * never changes its meaning. A codec that is not listed is null: the container is known, its content is not named.
 */
export type Codec =
  | Pcm
  | "pcm_mulaw" // G.711 µ-law
  | "pcm_alaw" // G.711 A-law
  | "adpcm_ms"
  | "adpcm_ima_wav"
  | "adpcm_g722"
  | "adpcm_g726"
  | "gsm_ms" // GSM 6.10, two frames to a block, as in WAV
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

/** Linear samples: signed, unsigned or floating point, their bits, and which byte comes first. */
type Pcm = "pcm_u8" | "pcm_s8" | `pcm_s${16 | 24 | 32 | 64}${"le" | "be"}` | `pcm_f${32 | 64}${"le" | "be"}`;
