import type { TimeSlices } from "../../platform/async/time-slices.ts";
import { normalizeText } from "./normalize-text.ts";
import type { SpokenWord } from "./tokens.ts";

const fold = (text: string): readonly string[] => normalizeText(text).match(/[\p{L}\p{N}]+/gu) ?? [];

interface Folded {
  readonly texts: string[];
  /** Index of the word of each text. */
  readonly words: number[];
}

/** The words of phrases that the workspace masks, whatever their accents and signs. */
export async function findPhrases(
  words: readonly SpokenWord[],
  phrases: readonly string[],
  slices: TimeSlices,
): Promise<ReadonlySet<number>> {
  const byFirst = Map.groupBy(phrases.map(fold), ([first]) => first ?? "");
  const found = new Set<number>();
  for (const { texts, words: indexes } of (await foldSides(words, slices)).values()) {
    let marked = 0;
    for (const [at, text] of texts.entries()) {
      if (slices.isUsedUp()) await slices.yield();
      const said = byFirst.get(text)?.filter((phrase) => phrase.every((part, offset) => texts[at + offset] === part));
      const end = at + Math.max(0, ...(said ?? []).map(({ length }) => length));
      for (marked = Math.max(marked, at); marked < end; marked++) found.add(indexes[marked] as number);
    }
  }
  return found;
}

async function foldSides(words: readonly SpokenWord[], slices: TimeSlices): Promise<ReadonlyMap<string, Folded>> {
  const sides = new Map<string, Folded>();
  for (const [index, { side, text }] of words.entries()) {
    if (slices.isUsedUp()) await slices.yield();
    const own = sides.get(side) ?? { texts: [], words: [] };
    sides.set(side, own);
    for (const part of fold(text)) {
      own.texts.push(part);
      own.words.push(index);
    }
  }
  return sides;
}
