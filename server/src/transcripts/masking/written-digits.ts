import type { TimeSlices } from "../../platform/async/time-slices.ts";
import { longestPauseMs } from "./find-numbers.ts";
import { normalizeText } from "./normalize-text.ts";
import type { SpokenWord } from "./tokens.ts";

/** Digits of one side with little between them. */
export interface WrittenDigits {
  readonly digits: number;
  /** Indexes of the words, with those between. */
  readonly words: readonly number[];
}

interface Options {
  /** Fewer digits are not returned. */
  readonly least: number;
  /** Words that are no part of a sequence. */
  readonly skip: ReadonlySet<number>;
}

interface OpenDigits {
  digits: number;
  readonly words: number[];
  /** Words since the last digit. */
  between: number[];
  /** Letters and signs since the last digit. */
  gap: number;
  evident: number;
  isEvident: boolean;
  endMs: number;
}

/** Most letters and signs between two digits, without spaces: `<br>`, `th`, `和`. */
const mostBetween = 8;
/** After so many digits, an answer of the other side ends the number. */
const mostInTurns = 13;
const dateOrPrice =
  /^\W*(?:(?:0?[1-9]|[12]\d|3[01])[-./](?:0?[1-9]|1[0-2])[-./](?:\d\d)?\d\d|\d{4}[-./]\d\d[-./]\d\d|\p{Sc}\d{1,3}(?:[.,]\d{3}){0,2}(?:[.,]\d\d)?|\d{1,3}(?:[.,]\d{3}){0,2}[.,]\d\d\p{Sc})\W*$/u;
const year = /^\W*(?:19|20)\d\d\W*$/;
const asianDate = /\d{4}年\d{1,2}月\d{1,2}日?/g;
/** Two dates, two prices or four years are not taken for a longer number, such as the first and the last day of something. */
const mostEvident = 2;
const evidenceOf = (text: string) => (dateOrPrice.test(text) ? 1 : year.test(text) ? 0.5 : 0);
/** A word that stands alone says what the digits are; letters and signs beside a digit do not. */
const isWord = (text: string) => /^["'(]?\p{L}[\p{L}'’.-]*[,;:!?)"']*$/u.test(text);
const lengthOf = (text: string) => text.replaceAll(/\s/g, "").length;

/**
 * The last net: knows no words and no languages. Finds long sequences of digits of each side, whatever letters and signs they are
 * written with.
 */
export async function findWrittenDigits(
  words: readonly SpokenWord[],
  { least, skip }: Options,
  slices: TimeSlices,
): Promise<WrittenDigits[]> {
  const found: WrittenDigits[] = [];
  const open = new Map<string, OpenDigits>();
  const end = (side: string) => {
    const last = open.get(side);
    open.delete(side);
    if (last && last.digits >= least && !(last.isEvident && last.evident <= mostEvident)) found.push(last);
  };
  let turn = 0;
  for (const [index, word] of words.entries()) {
    if (slices.isUsedUp()) await slices.yield();
    const { side, text, startMs } = word;
    if (words[index - 1]?.side !== side) turn = index;
    const last = open.get(side);
    const isAnswered = last && last.digits >= mostInTurns && (last.words.at(-1) ?? 0) < turn;
    if (skip.has(index) || isAnswered || (last && startMs - last.endMs > longestPauseMs)) end(side);
    if (skip.has(index)) continue;
    const normal = normalizeText(text).replaceAll(asianDate, " ");
    if (/\d/.test(normal)) {
      addDigits(index, normal);
    } else if (open.has(side)) {
      addGap(side, normal);
      open.get(side)?.between.push(index);
      if (isWord(normal)) end(side);
    }
  }
  for (const side of [...open.keys()]) end(side);
  return found;

  function addGap(side: string, text: string): void {
    const last = open.get(side);
    if (!last) return;
    last.gap += lengthOf(text);
    if (last.gap > mostBetween) end(side);
  }

  function addDigits(index: number, normal: string): void {
    const { side, endMs } = words[index] as SpokenWord;
    const evidence = evidenceOf(normal);
    for (const piece of normal.match(/\d+|\D+/g) ?? []) {
      if (!/\d/.test(piece)) {
        addGap(side, piece);
        continue;
      }
      const last = open.get(side) ?? newDigits();
      open.set(side, last);
      last.digits += piece.length;
      if (last.words.at(-1) !== index) {
        for (const each of last.between) last.words.push(each);
        last.words.push(index);
        last.evident += evidence;
        last.isEvident &&= evidence > 0;
      }
      last.between = [];
      last.gap = 0;
      last.endMs = Math.max(last.endMs, endMs);
    }
  }
}

const newDigits = (): OpenDigits => ({
  ...{ digits: 0, words: [], between: [], gap: 0 },
  ...{ evident: 0, isEvident: true, endMs: 0 },
});
