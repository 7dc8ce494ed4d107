import { type ByteReader, peek, skip, take } from "./byte-reader.ts";
import type { Movie } from "./mp4-movie.ts";

/** Size of the pieces in which the sample table is read: a multiple of all entry sizes. */
const PIECE_BYTES = 12 * 1024;

/**
 * Adds a track run (trun) to its track, reading its table in pieces, because it can be long. Returns the bytes
 * consumed.
 */
export function* readRun(movie: Movie, size: number): ByteReader<number> {
  const header = size >= 8 ? yield* take(8) : undefined;
  if (!header) return (yield skip(size)).passed;
  const { track, ticksPerSample } = movie.fragment;
  const flags = header.getUint16(2);
  const samples = header.getUint32(4);
  const timed = flags & 0x100;
  if (track) track.fragmentSamples += samples;
  if (track && !timed) track.fragmentTicks += samples * ticksPerSample;
  if (!track || !timed) return 8 + (yield skip(size - 8)).passed;

  let passed = 8 + (yield skip(Math.min(size - 8, (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0)))).passed;
  const entryBytes = 4 * [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length;
  for (let left = samples; left > 0 && passed < size; ) {
    const { view: piece } = yield peek(Math.min(PIECE_BYTES, left * entryBytes, size - passed));
    const entries = Math.floor(piece.byteLength / entryBytes);
    if (entries === 0) break;
    for (let entry = 0; entry < entries; entry++) track.fragmentTicks += piece.getUint32(entry * entryBytes);
    passed += (yield skip(entries * entryBytes)).passed;
    left -= entries;
  }
  return passed + (yield skip(size - passed)).passed;
}
