import { type ByteReader, type Container, peek, skip, UNIT_LIMIT } from "./byte-reader.ts";
import { ELEMENT_HEADER, elementIn } from "./ebml.ts";
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
import { audioTrack, type Movie, newMovie, newTrack, readers } from "./webm-movie.ts";

const SEGMENT = 0x1853_8067;
const INFO = 0x1549_a966;
const TRACKS = 0x1654_ae6b;
const TRACK_ENTRY = 0xae;
const AUDIO_SETTINGS = 0xe1;
const CLUSTER = 0x1f43_b675;
const BLOCK_GROUP = 0xa0;
const entered = new Set([SEGMENT, INFO, TRACKS, TRACK_ENTRY, AUDIO_SETTINGS, CLUSTER, BLOCK_GROUP]);

/** Maximum length of a parsed value; codec names are the longest. */
const VALUE_BYTES = 32;

/** WebM and Matroska, which is the same format with more codecs. */
export const webm: Container = { read };

/** Walks all elements in file order. Entering a container element means continuing with its first child. */
function* read(): ByteReader<RecognitionResult> {
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
    // If the header contains the duration, clusters can be skipped.
    const skipped = id === CLUSTER && movie.duration > 0 && size < Infinity;
    if (skipped) movie.hasAudio ||= size > 0;

    const bytes = entered.has(id) && !skipped ? headerBytes : headerBytes + size;
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

function cut(end: number, received: number): RecognitionResult {
  if (end === Infinity) return truncated("The WebM file ends in the middle of an element.");
  return truncated(
    `The WebM header declares a file of ${grouped(end)} bytes, but only ${grouped(received)} were received.`,
  );
}

function conclude(movie: Movie, whole: boolean, endless: boolean): RecognitionResult {
  const track = audioTrack(movie);
  if (!track) return notAudio("The WebM file has no audio track.");
  const refusal = refuseAbsurd("WebM", track);
  if (refusal) return refusal;
  if (!movie.hasAudio) return empty("The WebM file has headers but no audio.");
  const { codec, channels } = track;
  // Opus is always decoded at 48 kHz; the track contains the original rate.
  const sampleRate = codec === "opus" ? 48_000 : track.sampleRate;
  const hasDuration = movie.duration > 0;
  const units = hasDuration ? movie.duration : movie.lastBlock + movie.blockStep;
  const durationMs = hasDuration || whole ? milliseconds(units * movie.scale, 1e9) : null;
  return recognised({ format: "webm", codec, channels, sampleRate, durationMs, unfinished: endless && !hasDuration });
}
