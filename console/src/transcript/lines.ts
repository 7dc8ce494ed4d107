import type { TranscriptBody, TranscriptTurn, TranscriptWord } from "@hearback/sdk";

/** Words that are shown together: a turn, or a part of a long one. */
export interface Line {
  readonly turn: number;
  readonly side: TranscriptTurn["side"];
  /** Index of the first word in the turn. */
  readonly offset: number;
  /** Index of the first word in the transcript. */
  readonly first: number;
  readonly words: readonly TranscriptWord[];
  readonly startMs: number;
  readonly endMs: number;
}

/** Turns can be long: a lecture is one turn. Lines have similar heights, so that the list scrolls evenly. */
const mostWords = 60;
/** After this many words, the next end of a sentence ends the line. */
const enoughWords = 36;

export function toLines({ turns }: Pick<TranscriptBody, "turns">): Line[] {
  const lines: Line[] = [];
  let first = 0;
  for (const [turn, { side, words }] of turns.entries()) {
    for (let offset = 0; offset < words.length; ) {
      const end = lineEnd(words, offset);
      const part = words.slice(offset, end);
      const startMs = part[0]?.start_ms ?? 0;
      const endMs = part.reduce((latest, { end_ms }) => Math.max(latest, end_ms), startMs);
      lines.push({ turn, side, offset, first: first + offset, words: part, startMs, endMs });
      offset = end;
    }
    first += words.length;
  }
  return lines;
}

function lineEnd(words: readonly TranscriptWord[], offset: number): number {
  if (words.length - offset <= mostWords) return words.length;
  for (let at = offset + enoughWords; at < offset + mostWords; at++) if (endsSentence(words[at - 1])) return at;
  return offset + mostWords;
}

export const endsSentence = (word: TranscriptWord | undefined): boolean => /[.?!…]["”»’)]*$/.test(word?.text ?? "");

/** Line that contains a word (binary search). */
export function lineOf(lines: readonly Line[], word: number): number {
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lines[middle]?.first ?? 0) <= word) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** First line that has not ended at a time, or the last one. */
export function lineAt(lines: readonly Line[], ms: number): number {
  const at = lines.findIndex(({ endMs }) => endMs > ms);
  return at < 0 ? Math.max(0, lines.length - 1) : at;
}

/** Part of a line that words belong to, as times. */
export interface Stretch {
  readonly startMs: number;
  readonly endMs: number;
}

export function stretchOf(words: readonly TranscriptWord[]): Stretch {
  const startMs = words[0]?.start_ms ?? 0;
  return { startMs, endMs: words.reduce((latest, { end_ms }) => Math.max(latest, end_ms), startMs) };
}

/** The sentence around a word of a line. */
export function sentenceAround({ words }: Pick<Line, "words">, at: number): TranscriptWord[] {
  let [from, to] = [at, at + 1];
  while (from > 0 && !endsSentence(words[from - 1])) from--;
  while (to < words.length && !endsSentence(words[to - 1])) to++;
  return words.slice(from, to);
}
