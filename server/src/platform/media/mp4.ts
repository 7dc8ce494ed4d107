import { BODY_BYTES, containers, type Movie, newMovie, readers, type Track } from "./mp4-movie.ts";
import { readRun } from "./mp4-run.ts";
import { type Container, peek, type Reading, skip, text, UNIT_LIMIT } from "./reading.ts";
import {
  empty,
  grouped,
  milliseconds,
  notAudio,
  recognised,
  refuseAbsurd,
  truncated,
  type Verdict,
} from "./verdict.ts";

interface Box {
  type: string;
  headerBytes: number;
  /** Of what follows the header; Infinity if that is the rest of the file. */
  size: number;
}

const SHORT_HEADER = 8;
const LONG_HEADER = 16;

/** What a file may begin with; all but the first are from before it was invented. */
const firstBoxes = new Set(["ftyp", "moov", "mdat", "wide", "free", "skip"]);

/** MP4, M4A, 3GP, QuickTime: boxes within boxes, the index (moov) before or after the media, whole or in fragments. */
export const mp4: Container = {
  // The size comes before the name, so the first byte is small. In "Get free tickets" it is not.
  matches: (head) => firstBoxes.has(text(head, 4, 4)) && head.getUint8(0) < 9,
  read,
};

/** Walks the boxes as they lie: to enter one is to go on with whatever comes next. */
function* read(): Reading<Verdict> {
  const movie = newMovie();
  let at = 0;
  let end = 0;
  let whole = true;
  for (let boxes = 0; ; boxes++) {
    const { view } = yield peek(LONG_HEADER);
    if (view.byteLength < SHORT_HEADER) break;
    const box = boxes < UNIT_LIMIT ? boxIn(view) : undefined;
    whole = box !== undefined;
    if (!box) break;
    const { type, headerBytes, size } = box;
    if (size < Infinity) end = Math.max(end, at + headerBytes + size);
    at += (yield skip(headerBytes)).passed;
    const enter = containers.get(type);
    if (enter) enter(movie);
    else at += yield* pass(movie, type, size);
  }
  at += (yield skip(Infinity)).passed;
  if (at < end) return truncated(`The MP4 file announces at least ${grouped(end)} bytes and ${grouped(at)} came.`);
  return conclude(movie, whole);
}

/** The box at the beginning of the view. If there is none, this is junk after the last, or no MP4 after all. */
function boxIn(view: DataView): Box | undefined {
  const type = text(view, 4, 4);
  const size = view.getUint32(0);
  if (size === 0) return { type, headerBytes: SHORT_HEADER, size: Infinity };
  const long = size === 1 && view.byteLength === LONG_HEADER;
  const headerBytes = long ? LONG_HEADER : SHORT_HEADER;
  const boxBytes = long ? Number(view.getBigUint64(8)) : size;
  if (boxBytes < headerBytes || !/^[\x20-\x7e\xa9]{4}$/.test(type)) return undefined;
  return { type, headerBytes, size: boxBytes - headerBytes };
}

function* pass(movie: Movie, type: string, size: number): Reading<number> {
  if (type === "trun") return yield* readRun(movie, size);
  const read = readers.get(type);
  if (read) read(movie, withZeros((yield peek(Math.min(size, BODY_BYTES))).view));
  const { passed } = yield skip(size);
  if (type === "mdat") movie.mediaBytes += passed;
  return passed;
}

/** A box that is shorter than its fields then reads as zeros, which no later check lets through. */
function withZeros(view: DataView): DataView {
  const body = new Uint8Array(BODY_BYTES);
  body.set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  return new DataView(body.buffer);
}

function conclude(movie: Movie, whole: boolean): Verdict {
  if (!movie.indexed && movie.picture) return notAudio("The file is a picture.");
  if (!movie.indexed)
    return truncated("The MP4 file has no index (moov): it was cut, or its recorder did not finish it.");
  const track = movie.tracks.find((track) => track.isAudio);
  if (!track?.entry) return notAudio("The MP4 file has no audio track.");
  if (track.elsewhere) return notAudio("The MP4 file keeps its audio in another file.");
  const { codec, channels } = track.entry;
  const sampleRate = track.entry.sampleRate || track.ticksPerSecond;
  const refusal = refuseAbsurd("MP4", { channels, sampleRate });
  if (refusal) return refusal;
  if (track.samples + track.fragmentSamples === 0) return empty("The MP4 file has an index and no audio.");
  if (movie.mediaBytes === 0) return truncated("The MP4 file has an index and none of the audio it lists.");
  return recognised({
    format: "m4a",
    codec,
    channels,
    sampleRate,
    durationMs: durationOf(movie, track, whole),
    unfinished: false,
  });
}

function durationOf(movie: Movie, track: Track, whole: boolean): number | null {
  if (track.fragmentSamples > 0) {
    const indexedTicks = track.samples > 0 ? track.ticks : 0;
    return whole ? milliseconds(indexedTicks + track.fragmentTicks, track.ticksPerSecond) : null;
  }
  // What is played leaves out the silence that encoders add at the beginning.
  if (track.playedTicks > 0) return milliseconds(track.playedTicks, movie.ticksPerSecond);
  return milliseconds(track.ticks, track.ticksPerSecond);
}
