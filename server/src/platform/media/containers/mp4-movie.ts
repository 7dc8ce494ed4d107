import { text } from "./byte-reader.ts";
import { readSampleEntry, type SampleEntry } from "./mp4-sample-entry.ts";

export interface Track {
  id: number;
  isAudio: boolean;
  entry: SampleEntry | undefined;
  /** Whether its samples are in another file. */
  elsewhere: boolean;
  ticksPerSecond: number;
  /** Media duration in track ticks, and played duration in movie ticks. */
  ticks: number;
  playedTicks: number;
  samples: number;
  /** Totals of the fragments. */
  fragmentSamples: number;
  fragmentTicks: number;
  ticksPerSample: number;
}

/** Parser state of an MP4 file. */
export interface Movie {
  indexed: boolean;
  picture: boolean;
  mediaBytes: number;
  ticksPerSecond: number;
  tracks: Track[];
  /** Track of the current fragment, and its default sample duration. */
  fragment: { track: Track | undefined; ticksPerSample: number };
}

export function newMovie(): Movie {
  return {
    indexed: false,
    picture: false,
    mediaBytes: 0,
    ticksPerSecond: 0,
    tracks: [],
    fragment: { track: undefined, ticksPerSample: 0 },
  };
}

function newTrack(): Track {
  return {
    id: 0,
    isAudio: false,
    entry: undefined,
    elsewhere: false,
    ticksPerSecond: 0,
    ticks: 0,
    playedTicks: 0,
    samples: 0,
    fragmentSamples: 0,
    fragmentTicks: 0,
    ticksPerSample: 0,
  };
}

/** Boxes whose children are parsed, with an action for entering them. */
export const containers = new Map<string, (movie: Movie) => void>([
  ["moov", (movie) => Object.assign(movie, { indexed: true })],
  ["trak", (movie) => movie.tracks.push(newTrack())],
  ["mdia", () => {}],
  ["minf", () => {}],
  ["dinf", () => {}],
  ["stbl", () => {}],
  ["mvex", () => {}],
  ["moof", () => {}],
  ["traf", (movie) => Object.assign(movie, { fragment: { track: undefined, ticksPerSample: 0 } })],
]);

/** Bytes of a box that its reader gets, zero-padded. */
export const BODY_BYTES = 256;

/** Readers of the other boxes. */
export const readers = new Map<string, (movie: Movie, body: DataView) => void>([
  ["meta", (movie) => Object.assign(movie, { picture: true })],
  ["mvhd", (movie, body) => Object.assign(movie, { ticksPerSecond: readClock(body).ticksPerSecond })],
  ["tkhd", ofTrack(readTrackHeader)],
  ["mdhd", ofTrack(readClock)],
  // QuickTime has a second hdlr box, for the data handler.
  ["hdlr", ofTrack((body) => (text(body, 4, 4) === "dhlr" ? {} : { isAudio: text(body, 8, 4) === "soun" }))],
  ["dref", ofTrack((body) => ({ elsewhere: body.getUint32(4) > 0 && (body.getUint8(19) & 1) === 0 }))],
  ["stsd", ofTrack((body) => ({ entry: readSampleEntry(body) }))],
  ["stsz", ofTrack((body) => ({ samples: body.getUint32(8) }))],
  ["stz2", ofTrack((body) => ({ samples: body.getUint32(8) }))],
  ["trex", readTrackDefaults],
  ["tfhd", readFragmentHeader],
]);

function ofTrack(read: (body: DataView) => Partial<Track>) {
  return (movie: Movie, body: DataView): void => {
    Object.assign(movie.tracks.at(-1) ?? {}, read(body));
  };
}

/** Time scale and duration, with the same layout in mvhd and mdhd. Version 1 has 64-bit times. */
function readClock(body: DataView): { ticksPerSecond: number; ticks: number } {
  if (body.getUint8(0) === 1) return { ticksPerSecond: body.getUint32(20), ticks: longTicks(body, 24) };
  return { ticksPerSecond: body.getUint32(12), ticks: shortTicks(body, 16) };
}

function readTrackHeader(body: DataView): { id: number; playedTicks: number } {
  if (body.getUint8(0) === 1) return { id: body.getUint32(20), playedTicks: longTicks(body, 28) };
  return { id: body.getUint32(12), playedTicks: shortTicks(body, 20) };
}

/** All bits set means unknown. */
function shortTicks(body: DataView, at: number): number {
  const ticks = body.getUint32(at);
  return ticks === 0xffff_ffff ? 0 : ticks;
}

function longTicks(body: DataView, at: number): number {
  const ticks = Number(body.getBigUint64(at));
  return ticks >= 2 ** 63 ? 0 : ticks;
}

function readTrackDefaults(movie: Movie, body: DataView): void {
  const track = trackById(movie, body.getUint32(4));
  if (track) track.ticksPerSample = body.getUint32(12);
}

function readFragmentHeader(movie: Movie, body: DataView): void {
  const flags = body.getUint8(3);
  const track = trackById(movie, body.getUint32(4));
  // Two optional fields come before the sample duration, which is also optional.
  const at = 8 + (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0);
  movie.fragment = { track, ticksPerSample: flags & 8 ? body.getUint32(at) : (track?.ticksPerSample ?? 0) };
}

function trackById(movie: Movie, id: number): Track | undefined {
  return movie.tracks.find((track) => track.id === id);
}
