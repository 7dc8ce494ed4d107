import { type ByteReader, type Container, peek, skip, text, UNIT_LIMIT } from "./byte-reader.ts";
import { BODY_BYTES, containers, type Movie, newMovie, readers, type Track } from "./mp4-movie.ts";
import { readRun } from "./mp4-track-run.ts";
import {
  empty,
  grouped,
  milliseconds,
  notAudio,
  type RecognitionResult,
  recognised,
  refuseAbsurd,
  truncated,
} from "./recognition-result.ts";

interface Box {
  type: string;
  headerBytes: number;
  /** Size of the content. Infinity: up to the end of the file. */
  size: number;
}

const SHORT_HEADER = 8;
const LONG_HEADER = 16;

/** MP4, M4A, 3GP and QuickTime: nested boxes, with the index (moov) before or after the media, fragmented or not. */
export const mp4: Container = { read };

/** Walks all boxes in file order. Entering a container box means continuing with its first child. */
function* read(): ByteReader<RecognitionResult> {
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
  if (at < end)
    return truncated(`The MP4 file declares at least ${grouped(end)} bytes, but only ${grouped(at)} were received.`);
  return conclude(movie, whole);
}

/** Parses the box header at the start of the view. Undefined for trailing garbage or a file that is not MP4. */
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

function* pass(movie: Movie, type: string, size: number): ByteReader<number> {
  if (type === "trun") return yield* readRun(movie, size);
  const read = readers.get(type);
  if (read) read(movie, withZeros((yield peek(Math.min(size, BODY_BYTES))).view));
  const { passed } = yield skip(size);
  if (type === "mdat") movie.mediaBytes += passed;
  return passed;
}

/** Zero-pads a short box, so that missing fields read as 0 and fail later checks. */
function withZeros(view: DataView): DataView {
  const body = new Uint8Array(BODY_BYTES);
  body.set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  return new DataView(body.buffer);
}

function conclude(movie: Movie, whole: boolean): RecognitionResult {
  if (!movie.indexed && movie.picture) return notAudio("The file is an image.");
  if (!movie.indexed)
    return truncated("The MP4 file has no index (moov): it is truncated, or the recorder did not finish it.");
  const track = movie.tracks.find((track) => track.isAudio);
  if (!track?.entry) return notAudio("The MP4 file has no audio track.");
  if (track.elsewhere) return notAudio("The MP4 file references audio in another file.");
  const { codec, channels } = track.entry;
  const sampleRate = track.entry.sampleRate || track.ticksPerSecond;
  const refusal = refuseAbsurd("MP4", { channels, sampleRate });
  if (refusal) return refusal;
  if (track.samples + track.fragmentSamples === 0) return empty("The MP4 file has an index but no audio.");
  if (movie.mediaBytes === 0) return truncated("The MP4 file has an index but none of the audio it lists.");
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
  // The played duration excludes the silence that encoders add at the beginning.
  if (track.playedTicks > 0) return milliseconds(track.playedTicks, movie.ticksPerSecond);
  return milliseconds(track.ticks, track.ticksPerSecond);
}
