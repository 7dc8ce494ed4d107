import { text } from "./byte-reader.ts";
import type { Codec } from "./codecs.ts";
import { lengthAt, numberAt, unsigned } from "./ebml.ts";

interface Track {
  number: number;
  isAudio: boolean;
  codec: Codec | null;
  channels: number;
  sampleRate: number;
}

/** Parser state of a WebM file. */
export interface Movie {
  tracks: Track[];
  /** Nanoseconds per time unit. */
  scale: number;
  /** In time units; 0 if the header does not contain it. */
  duration: number;
  hasAudio: boolean;
  clusterTime: number;
  /** Start time of the last audio block, and the interval to the previous one. */
  lastBlock: number;
  blockStep: number;
}

const AUDIO = 2;
const codecs = new Map<string, Codec>([
  ["A_OPUS", "opus"],
  ["A_VORBIS", "vorbis"],
  ["A_AAC", "aac"],
  ["A_FLAC", "flac"],
  ["A_ALAC", "alac"],
  ["A_AC3", "ac3"],
  ["A_EAC3", "eac3"],
  ["A_MPEG/L2", "mp2"],
  ["A_MPEG/L3", "mp3"],
]);

export function newMovie(): Movie {
  return { tracks: [], scale: 1_000_000, duration: 0, hasAudio: false, clusterTime: 0, lastBlock: 0, blockStep: 0 };
}

/** A track with the default values of its elements. */
export function newTrack(): Track {
  return { number: 0, isAudio: false, codec: null, channels: 1, sampleRate: 8000 };
}

export function audioTrack(movie: Movie): Track | undefined {
  return movie.tracks.find((track) => track.isAudio);
}

/** Readers of elements with values. */
export const readers = new Map<number, (movie: Movie, value: DataView) => void>([
  [0x2a_d7b1, (movie, value) => Object.assign(movie, { scale: integer(value) })],
  [0x4489, (movie, value) => Object.assign(movie, { duration: float(value) })],
  [0xd7, ofTrack((value) => ({ number: integer(value) }))],
  [0x83, ofTrack((value) => ({ isAudio: integer(value) === AUDIO }))],
  [0x86, ofTrack((value) => ({ codec: codecOf(text(value, 0, value.byteLength)) }))],
  [0xb5, ofTrack((value) => ({ sampleRate: Math.round(float(value)) }))],
  [0x9f, ofTrack((value) => ({ channels: integer(value) }))],
  [0xe7, (movie, value) => Object.assign(movie, { clusterTime: integer(value) })],
  [0xa1, readBlock],
  [0xa3, readBlock],
]);

function ofTrack(read: (value: DataView) => Partial<Track>) {
  return (movie: Movie, value: DataView): void => {
    Object.assign(movie.tracks.at(-1) ?? {}, read(value));
  };
}

function integer(value: DataView): number {
  return unsigned(value, 0, value.byteLength);
}

function float(value: DataView): number {
  if (value.byteLength === 4) return value.getFloat32(0);
  return value.byteLength === 8 ? value.getFloat64(0) : 0;
}

/** A codec id may have a profile suffix, as in A_AAC/MPEG4/LC. */
function codecOf(id: string): Codec | null {
  const name = id.replaceAll("\0", "");
  return codecs.get(name) ?? codecs.get(name.split("/")[0] ?? "") ?? null;
}

function readBlock(movie: Movie, block: DataView): void {
  const track = audioTrack(movie);
  if (!track || block.byteLength === 0 || numberAt(block, 0) !== track.number) return;
  const timeAt = lengthAt(block, 0);
  if (timeAt + 2 > block.byteLength) return;
  const time = movie.clusterTime + block.getInt16(timeAt);
  movie.hasAudio = true;
  movie.blockStep = time - movie.lastBlock;
  movie.lastBlock = time;
}
