import type { Turns } from "../../calls/call/measured-audio.ts";
import type { Run } from "../../platform/media/analysis/speech.ts";
import type { SideWord } from "../transcript.ts";
import type { SensitivePart } from "./find-sensitive.ts";

/** Word times are off by less than this. */
const marginMs = 150;

/**
 * The parts of the sound that are silenced, in milliseconds: masked words, and whatever their side says between those of one part,
 * which may be digits that the engine missed. If the engine did not time a word, everything that its side says where it may be.
 * `words` are those in which the parts were found.
 */
export function mutedParts(words: readonly SideWord[], parts: readonly SensitivePart[], turns: Turns): Run[] {
  const muted = parts.flatMap((part) => {
    const own = turns.find(({ channel }) => channel === part.side)?.turns ?? [];
    const spoken = part.words.flatMap((index) => {
      const word = words[index];
      return word ? [[word.startMs, word.endMs] as const, ...(word.within ? cut(own, word.within) : [])] : [];
    });
    return [...spoken, ...cut(own, part)];
  });
  return join(muted.map(([start, end]) => [Math.max(0, Math.floor(start - marginMs)), Math.ceil(end + marginMs)]));
}

/** The turns of speech within a part. */
const cut = (turns: readonly Run[], { startMs, endMs }: { startMs: number; endMs: number }): Run[] =>
  turns
    .map(([start, end]) => [Math.max(start, startMs), Math.min(end, endMs)] as const)
    .filter(([start, end]) => start < end);

function join(ranges: readonly Run[]): Run[] {
  const joined: [number, number][] = [];
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}
