import { aacChannels, aacSampleRates } from "./aac.ts";
import { text } from "./byte-reader.ts";
import type { Codec } from "./codecs.ts";

export interface SampleEntry {
  codec: Codec | null;
  channels: number | null;
  /** 0 if the entry does not contain it. */
  sampleRate: number;
}

const codecs = new Map<string, Codec>([
  ["alac", "alac"],
  ["fLaC", "flac"],
  ["Opus", "opus"],
  ["ac-3", "ac3"],
  ["ec-3", "eac3"],
  [".mp3", "mp3"],
  ["ulaw", "pcm_mulaw"],
  ["alaw", "pcm_alaw"],
  ["sowt", "pcm_s16le"],
  ["twos", "pcm_s16be"],
]);

/** Codecs by MPEG-4 object type: AAC, its MPEG-2 profiles, and MP3 in both. */
const mpegCodecs: Record<number, Codec> = { 64: "aac", 102: "aac", 103: "aac", 104: "aac", 105: "mp3", 107: "mp3" };

const FIRST_ENTRY = 8;
const DECODER_CONFIG = 4;
const DECODER_SPECIFIC = 5;

/** Reads the first entry of an stsd box. The view must be long enough for all versions. */
export function readSampleEntry(stsd: DataView): SampleEntry {
  const at = FIRST_ENTRY;
  const type = text(stsd, at + 4, 4);
  const version = stsd.getUint16(at + 16);
  const entry: SampleEntry =
    version === 2
      ? { codec: null, channels: stsd.getUint32(at + 48), sampleRate: Math.round(stsd.getFloat64(at + 40)) }
      : { codec: null, channels: stsd.getUint16(at + 24), sampleRate: stsd.getUint16(at + 32) };
  // MPEG and 3GPP entries always declare 2 channels, regardless of the audio.
  if (type === "samr") return { codec: "amr_nb", channels: 1, sampleRate: 8000 };
  if (type === "sawb") return { codec: "amr_wb", channels: 1, sampleRate: 16_000 };
  if (type === "mp4a") return { ...entry, channels: null, ...readDecoderConfig(stsd, at + 36) };
  return { ...entry, codec: codecs.get(type) ?? null };
}

/** Searches for the esds box by name, because QuickTime nests it in other boxes. */
function readDecoderConfig(stsd: DataView, from: number): Partial<SampleEntry> {
  const found = text(stsd, from, stsd.byteLength).indexOf("esds");
  if (found < 0) return {};
  // ES descriptor: its tag and length are followed by an id and flags, which are ignored.
  const elementary = contentAt(stsd, from + found + 8);
  const config = elementary + 3;
  if (byte(stsd, config) !== DECODER_CONFIG) return {};
  const settings = contentAt(stsd, config);
  const codec = mpegCodecs[byte(stsd, settings)] ?? null;
  const specific = settings + 13;
  if (codec !== "aac" || byte(stsd, specific) !== DECODER_SPECIFIC) return { codec };
  return { codec, ...readAacSettings(stsd, contentAt(stsd, specific)) };
}

/** Offset of a descriptor's content, after its tag and a length of one to four bytes. */
function contentAt(view: DataView, descriptor: number): number {
  let at = descriptor + 1;
  while (at < descriptor + 4 && byte(view, at) & 0x80) at++;
  return at + 1;
}

function byte(view: DataView, at: number): number {
  return at < view.byteLength ? view.getUint8(at) : 0;
}

function readAacSettings(view: DataView, at: number): Partial<SampleEntry> {
  const bits = (byte(view, at) << 8) | byte(view, at + 1);
  const sampleRate = aacSampleRates[(bits >>> 7) & 15];
  // The long forms of profile and rate shift the following fields. They are rare; use the entry's rate then.
  if (bits >>> 11 === 31 || !sampleRate) return {};
  return { sampleRate, channels: aacChannels[(bits >>> 3) & 15] || null };
}
