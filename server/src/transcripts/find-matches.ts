import type { ChannelOrBoth } from "../calls/call/measured-audio.ts";
import { wordsOfText } from "../calls/search/words-of-text.ts";
import { textOf } from "./format-transcript.ts";
import type { SideWord } from "./spoken-sides.ts";

export interface Match {
  readonly channel: ChannelOrBoth;
  readonly startMs: number;
  readonly endMs: number;
  readonly before: string;
  readonly text: string;
  readonly after: string;
}

export interface Searched {
  /** Each word or phrase, as the lexemes of its words in every language that it is searched in. */
  readonly terms: readonly (readonly (readonly string[])[])[];
  /** Lexemes of a word of the transcript. */
  readonly lexemesOf: (word: string) => readonly string[];
  readonly limit: number;
}

/** Words of a sentence around what was found. */
const contextWords = 10;

/** Indexes of the first and the last word. */
interface Span {
  readonly first: number;
  readonly last: number;
  readonly terms: ReadonlySet<number>;
}

/**
 * Where it was said, on the sides that said all of it. If there are more than `limit` places, the turns with most of the words
 * come first; the result is in order of time.
 */
export function findMatches(sides: ReadonlyMap<ChannelOrBoth, readonly SideWord[]>, searched: Searched): Match[] {
  const found = [...sides].flatMap(([channel, words]) =>
    spansOf(words, searched).map((span) => ({ channel, words, span, rank: termsInTurn(words, span, searched) })),
  );
  const time = ({ words, span }: (typeof found)[number]) => words[span.first]?.startMs ?? 0;
  return found
    .sort((a, b) => b.rank - a.rank || time(a) - time(b))
    .slice(0, searched.limit)
    .sort((a, b) => time(a) - time(b))
    .map(({ channel, words, span }) => toMatch(channel, words, span));
}

function spansOf(words: readonly SideWord[], { terms, lexemesOf }: Searched): Span[] {
  const tokens = words.flatMap(({ text }, word) =>
    wordsOfText(text).flatMap((part) => lexemesOf(part).map((lexeme) => ({ lexeme, word }))),
  );
  const startsAt = (at: number, phrase: readonly string[]) =>
    phrase.length > 0 && phrase.every((lexeme, index) => tokens[at + index]?.lexeme === lexeme);
  const ofTerms = terms.map((alternatives, term) =>
    tokens.flatMap((token, at) => {
      const phrase = alternatives.find((lexemes) => startsAt(at, lexemes));
      if (!phrase) return [];
      return [{ first: token.word, last: tokens[at + phrase.length - 1]?.word ?? token.word, terms: new Set([term]) }];
    }),
  );
  if (ofTerms.some((places) => places.length === 0)) return [];
  return joined(ofTerms.flat().sort((a, b) => a.first - b.first || a.last - b.last));
}

/** Makes one span of those that follow each other directly. */
function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans) {
    const last = result.at(-1);
    if (last && span.first <= last.last + 1) {
      const terms = new Set([...last.terms, ...span.terms]);
      result[result.length - 1] = { first: last.first, last: Math.max(last.last, span.last), terms };
    } else result.push(span);
  }
  return result;
}

/** How many of the terms the turn of the span contains. More words of the search make a better example. */
function termsInTurn(words: readonly SideWord[], { first, terms }: Span, searched: Searched): number {
  const turn = words[first]?.turn;
  const inTurn = new Set(
    words
      .slice(Math.max(0, first - 200), first + 200)
      .flatMap((word) => (word.turn === turn ? wordsOfText(word.text) : [])),
  );
  const lexemes = new Set([...inTurn].flatMap((word) => searched.lexemesOf(word)));
  const near = searched.terms.filter((alternatives) =>
    alternatives.some((phrase) => phrase.every((lexeme) => lexemes.has(lexeme))),
  );
  return Math.max(terms.size, near.length);
}

function toMatch(channel: ChannelOrBoth, words: readonly SideWord[], { first, last }: Span): Match {
  const found = words.slice(first, last + 1);
  const [from, to] = [found[0], found.at(-1)];
  const text = (some: readonly SideWord[]) => some.map(textOf).join(" ");
  const before = words.slice(Math.max(0, first - contextWords), first).filter(({ turn }) => turn === from?.turn);
  const after = words.slice(last + 1, last + 1 + contextWords).filter(({ turn }) => turn === to?.turn);
  return {
    channel,
    startMs: from?.startMs ?? 0,
    endMs: Math.max(0, ...found.map(({ endMs }) => endMs)),
    before: text(before),
    text: text(found),
    after: text(after),
  };
}
