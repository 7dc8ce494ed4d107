import type { Run } from "../../platform/media/analysis/speech.ts";

/** A part of one side that is transcribed at once, in milliseconds. */
export interface Stretch {
  readonly startMs: number;
  readonly endMs: number;
}

/** Longest stretch. Whisper reads windows of 30 s. */
export const longestStretchMs = 30_000;
/** Turns that are closer than this are transcribed together: a sentence is understood better as a whole. */
const joinedPauseMs = 1_500;
/** Sound before and after the speech that belongs to the stretch. */
const marginMs = 200;

/** Finds the quietest moment within a range, at which a long turn can be cut. */
export type FindQuiet = (startMs: number, endMs: number) => number | Promise<number>;

/** Where a turn that is too long may be cut: within the last part of the longest stretch. */
const cutWithinMs = 8_000;

/** Groups the turns of one side into stretches of at most 30 s, cut at pauses. */
export async function makeStretches(
  turns: readonly Run[],
  durationMs: number,
  findQuiet: FindQuiet,
): Promise<Stretch[]> {
  const most = longestStretchMs - 2 * marginMs;
  const groups: [number, number][] = [];
  for (const [start, end] of turns) {
    const last = groups.at(-1);
    if (last && start - last[1] <= joinedPauseMs && end - last[0] <= most) {
      last[1] = end;
      continue;
    }
    let from = start;
    while (end - from > most) {
      const cut = await findQuiet(from + most - cutWithinMs, from + most);
      groups.push([from, cut]);
      from = cut;
    }
    groups.push([from, end]);
  }
  return groups.map(([start, end], index) => ({
    // Never into the neighbour, so that no word is heard twice.
    startMs: Math.max(start - marginMs, groups[index - 1]?.[1] ?? 0, 0),
    endMs: Math.min(end + marginMs, groups[index + 1]?.[0] ?? durationMs, durationMs),
  }));
}

/** Silence between parts that are sent together. */
export const gapMs = 500;

/**
 * Packs parts into as few sounds of at most 30 s as possible. Whisper charges a window of 30 s for each sound, however short. The
 * long pauses between the parts are left out, because models invent text for silence or stop at it.
 */
export function packStretches(parts: readonly Stretch[]): Stretch[][] {
  const packs: Stretch[][] = [];
  let lengthMs = 0;
  for (const part of parts) {
    const added = gapMs + part.endMs - part.startMs;
    const pack = packs.at(-1);
    if (pack && lengthMs + added <= longestStretchMs) {
      pack.push(part);
      lengthMs += added;
    } else {
      packs.push([part]);
      lengthMs = part.endMs - part.startMs;
    }
  }
  return packs;
}

/** The moment of the call that is so far from the start of a packed sound. A moment in a gap is the end of the part before it. */
export function unpackTime(parts: readonly Stretch[], ms: number): number {
  let startMs = 0;
  let moment = parts[0]?.startMs ?? 0;
  for (const part of parts) {
    if (ms < startMs) break;
    moment = Math.min(part.endMs, part.startMs + ms - startMs);
    startMs += part.endMs - part.startMs + gapMs;
  }
  return moment;
}

/** The same for a word. It stays within the part that its middle is in, also if the engine thinks that it lasts longer. */
export function unpackWord(parts: readonly Stretch[], { startMs, endMs }: Stretch): Stretch {
  const middle = unpackTime(parts, (startMs + endMs) / 2);
  const part = parts.find((each) => middle <= each.endMs);
  const within = (ms: number) => Math.max(part?.startMs ?? ms, Math.min(part?.endMs ?? ms, unpackTime(parts, ms)));
  return { startMs: within(startMs), endMs: within(endMs) };
}
