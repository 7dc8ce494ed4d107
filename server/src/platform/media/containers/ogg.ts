import { type ByteReader, type Container, peek, skip, text, UNIT_LIMIT } from "./byte-reader.ts";
import type { Codec } from "./codecs.ts";
import { readStreamInfo, STREAM_INFO_BYTES } from "./flac.ts";
import {
  empty,
  milliseconds,
  notAudio,
  type RecognitionResult,
  recognised,
  refuseAbsurd,
  truncated,
} from "./recognition-result.ts";

interface Stream {
  codec: Codec;
  channels: number;
  sampleRate: number;
  /** Samples to skip at the beginning. */
  preSkip: number;
}

interface AudioStream extends Stream {
  serial: number;
  /** End position of the last page, in samples. */
  position: number;
  ended: boolean;
  /** Whether another stream follows (chained Ogg). */
  joined: boolean;
}

const PAGE_HEADER = 27;
/** Bytes of the first packet that identify the codec. */
const FIRST_PACKET = 80;
const BEGINNING = 2;
const END = 4;

export const ogg: Container = { read };

/**
 * Walks all pages, to detect truncation and because only the last page contains the length. Uses the first audio
 * stream.
 */
function* read(): ByteReader<RecognitionResult> {
  let audio: AudioStream | undefined;
  let whole = false;
  for (let pages = 0; pages < UNIT_LIMIT; pages++) {
    const { view: header } = yield peek(PAGE_HEADER);
    whole = header.byteLength === 0;
    if (whole || !"OggS".startsWith(text(header, 0, 4))) break;
    if (header.byteLength < PAGE_HEADER) return cut();
    const segments = header.getUint8(26);
    const { view: table } = yield peek(PAGE_HEADER + segments);
    if (table.byteLength < PAGE_HEADER + segments) return cut();
    let size = PAGE_HEADER + segments;
    for (let at = PAGE_HEADER; at < table.byteLength; at++) size += table.getUint8(at);

    const flags = header.getUint8(5);
    const serial = header.getUint32(14, true);
    if (!audio && flags & BEGINNING) {
      const { view: page } = yield peek(Math.min(size, PAGE_HEADER + segments + FIRST_PACKET));
      const stream = readFirstPacket(page, PAGE_HEADER + segments);
      const refusal = stream && refuseAbsurd("Ogg", stream);
      if (refusal) return refusal;
      if (stream) audio = { ...stream, serial, position: 0, ended: false, joined: false };
    } else if (audio?.ended && flags & BEGINNING) {
      // Chained recordings: positions start again.
      audio.joined = true;
    } else if (audio?.serial === serial) {
      // -1: no packet ends on this page.
      audio.position = Math.max(audio.position, Number(header.getBigInt64(6, true)));
      audio.ended = (flags & END) !== 0;
    }
    if ((yield skip(size)).passed < size) return cut();
  }
  return conclude(audio, whole);
}

function cut(): RecognitionResult {
  return truncated("The Ogg file ends in the middle of a page.");
}

function conclude(audio: AudioStream | undefined, whole: boolean): RecognitionResult {
  if (!audio) return notAudio("The Ogg file has no audio stream in a known codec.");
  if (audio.position === 0) return empty("The Ogg file has headers but no audio.");
  const { codec, channels, sampleRate, preSkip, position, ended, joined } = audio;
  const durationMs = whole && !joined ? milliseconds(Math.max(position - preSkip, 0), sampleRate) : null;
  return recognised({ format: "ogg", codec, channels, sampleRate, durationMs, unfinished: whole && !ended });
}

function readFirstPacket(page: DataView, at: number): Stream | undefined {
  const has = (bytes: number) => at + bytes <= page.byteLength;
  if (text(page, at, 8) === "OpusHead" && has(19))
    // Opus positions are always in units of 48 kHz.
    return {
      codec: "opus",
      channels: page.getUint8(at + 9),
      sampleRate: 48_000,
      preSkip: page.getUint16(at + 10, true),
    };
  if (text(page, at, 7) === "\x01vorbis" && has(16))
    return { codec: "vorbis", channels: page.getUint8(at + 11), sampleRate: page.getUint32(at + 12, true), preSkip: 0 };
  if (text(page, at, 8) === "Speex   " && has(52))
    return {
      codec: "speex",
      channels: page.getUint32(at + 48, true),
      sampleRate: page.getUint32(at + 36, true),
      preSkip: 0,
    };
  if (text(page, at, 5) === "\x7fFLAC" && has(17 + STREAM_INFO_BYTES)) {
    const { channels, sampleRate } = readStreamInfo(page, at + 17);
    return { codec: "flac", channels, sampleRate, preSkip: 0 };
  }
  return undefined;
}
