import { ELEMENT_HEADER, elementIn } from "./ebml.ts";
import { type Container, peek, type Reading, skip, UNIT_LIMIT } from "./reading.ts";
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
import { audioTrack, type Movie, newMovie, newTrack, readers } from "./webm-movie.ts";

const EBML = 0x1a45_dfa3;
const SEGMENT = 0x1853_8067;
const INFO = 0x1549_a966;
const TRACKS = 0x1654_ae6b;
const TRACK_ENTRY = 0xae;
const AUDIO_SETTINGS = 0xe1;
const CLUSTER = 0x1f43_b675;
const BLOCK_GROUP = 0xa0;
const entered = new Set([SEGMENT, INFO, TRACKS, TRACK_ENTRY, AUDIO_SETTINGS, CLUSTER, BLOCK_GROUP]);

/** The longest value that is looked at: the name of a codec. */
const VALUE_BYTES = 32;

/** WebM and Matroska, which is the same with more codecs. */
export const webm: Container = {
  matches: (head) => head.byteLength >= 4 && head.getUint32(0) === EBML,
  read,
};

/** Walks the elements as they lie: to enter one is to go on with whatever comes next. */
function* read(): Reading<Verdict> {
  const movie = newMovie();
  let at = 0;
  let end = Infinity;
  let whole = true;
  for (let elements = 0; at < end; elements++) {
    const { view } = yield peek(ELEMENT_HEADER + VALUE_BYTES);
    if (view.byteLength === 0) break;
    const element = elements < UNIT_LIMIT ? elementIn(view) : "lost";
    if (element === "cut") return cut(end, at + view.byteLength);
    if (element === "lost" || (element.size === Infinity && !entered.has(element.id))) {
      whole = false;
      break;
    }
    const { id, headerBytes, size } = element;
    if (id === SEGMENT) end = at + headerBytes + size;
    if (id === TRACK_ENTRY) movie.tracks.push(newTrack());
    // Where the header tells the length, a cluster need not be looked into.
    const closed = id === CLUSTER && movie.duration > 0 && size < Infinity;
    if (closed) movie.hasAudio ||= size > 0;

    const bytes = entered.has(id) && !closed ? headerBytes : headerBytes + size;
    readers.get(id)?.(movie, part(view, headerBytes, size));
    const { passed } = yield skip(bytes);
    at += passed;
    if (passed < bytes) return cut(end, at);
  }
  at += (yield skip(Infinity)).passed;
  return at < end && end < Infinity ? cut(end, at) : conclude(movie, whole, end === Infinity);
}

function part(view: DataView, from: number, size: number): DataView {
  return new DataView(view.buffer, view.byteOffset + from, Math.min(size, VALUE_BYTES, view.byteLength - from));
}

function cut(end: number, came: number): Verdict {
  if (end === Infinity) return truncated("The WebM file ends in the middle of an element.");
  return truncated(`The WebM header announces a file of ${grouped(end)} bytes and ${grouped(came)} came.`);
}

function conclude(movie: Movie, whole: boolean, endless: boolean): Verdict {
  const track = audioTrack(movie);
  if (!track) return notAudio("The WebM file has no audio track.");
  const refusal = refuseAbsurd("WebM", track);
  if (refusal) return refusal;
  if (!movie.hasAudio) return empty("The WebM file has headers and no audio.");
  const { codec, channels } = track;
  // Opus is always played at 48 kHz; what stands here is what it was made from.
  const sampleRate = codec === "opus" ? 48_000 : track.sampleRate;
  const told = movie.duration > 0;
  const units = told ? movie.duration : movie.lastBlock + movie.blockStep;
  const durationMs = told || whole ? milliseconds(units * movie.scale, 1e9) : null;
  return recognised({ format: "webm", codec, channels, sampleRate, durationMs, unfinished: endless && !told });
}
