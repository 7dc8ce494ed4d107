import type { TimedWord } from "../../support/recordings/telephone-speech.ts";

interface Comparison {
  /** Words that were lost, added or heard as another one, as a share of the words that were said. */
  readonly errorRate: number;
  /** Differences between the times of words that were heard correctly and the truth, in milliseconds. */
  readonly startErrors: readonly number[];
  readonly endErrors: readonly number[];
}

const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z\d']/g, "");

/** Compares what was said with what was heard, both in order of time. Dashes that an engine wrote are not words. */
export function compareWords(said: readonly TimedWord[], written: readonly TimedWord[]): Comparison {
  const heard = written.filter(({ text }) => plain(text) !== "");
  const [a, b] = [said.map(({ text }) => plain(text)), heard.map(({ text }) => plain(text))];
  if (a.includes("")) throw new Error("a word that was said has no letters");
  // Costs of turning the last words of one list into the last words of the other.
  const costs = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const cost = (i: number, j: number) => costs[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = a.length; i >= 0; i--)
    for (let j = b.length; j >= 0; j--) {
      if (i === a.length && j === b.length) continue;
      const same =
        i < a.length && j < b.length ? cost(i + 1, j + 1) + (a[i] === b[j] ? 0 : 1) : Number.POSITIVE_INFINITY;
      (costs[i] as number[])[j] = Math.min(same, cost(i + 1, j) + 1, cost(i, j + 1) + 1);
    }
  const startErrors: number[] = [];
  const endErrors: number[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (cost(i, j) === cost(i + 1, j + 1) + (a[i] === b[j] ? 0 : 1)) {
      const [truth, found] = [said[i], heard[j]];
      if (a[i] === b[j] && truth && found) {
        startErrors.push(Math.abs(found.startMs - truth.startMs));
        endErrors.push(Math.abs(found.endMs - truth.endMs));
      }
      i++;
      j++;
    } else if (cost(i, j) === cost(i + 1, j) + 1) i++;
    else j++;
  }
  return { errorRate: cost(0, 0) / a.length, startErrors, endErrors };
}
