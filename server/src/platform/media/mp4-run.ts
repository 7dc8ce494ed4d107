import type { Movie } from "./mp4-movie.ts";
import { peek, type Reading, skip, take } from "./reading.ts";

/** A piece of the table of samples: a whole number of entries, whatever their size. */
const PIECE_BYTES = 12 * 1024;

/** Adds a run of samples (trun) to its track. The table may be long, so it is read piece by piece. Tells the bytes. */
export function* readRun(movie: Movie, size: number): Reading<number> {
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
