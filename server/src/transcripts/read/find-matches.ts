import type { ChannelOrBoth } from "../../calls/call/measured-audio.ts";
import type { SideWord } from "../spoken-sides.ts";
import { textOf } from "./format-transcript.ts";

export interface Match {
  readonly channel: ChannelOrBoth;
  readonly startMs: number;
  readonly endMs: number;
  readonly before: string;
  readonly text: string;
  readonly after: string;
}

export interface Searched {
  /** Each word or phrase, as the lexemes of its words in every language that it is searched in. None of them is empty. */
  readonly terms: readonly (readonly (readonly string[])[])[];
  /** Lexemes of the text of a word of the transcript. */
  readonly lexemesOf: (text: string) => readonly string[];
  readonly limit: number;
}

/** Words of a sentence around what was found. */
const contextWords = 10;

/** Indexes of the first and the last word. */
interface Span {
  readonly first: number;
  last: number;
  readonly terms: Set<number>;
}

interface Token {
  readonly lexeme: string;
  /** Index of its word. */
  readonly word: number;
}

/**
 * Where it was said, on the sides that said all of it. If there are more than `limit` places, the turns with most of the words
 * come first; the result is in order of time. Takes time in proportion to the words: a frequent word has thousands of places.
 */
export function findMatches(sides: ReadonlyMap<ChannelOrBoth, readonly SideWord[]>, searched: Searched): Match[] {
  const found = [...sides].flatMap(([channel, words]) => {
    const tokens = tokensOf(words, searched);
    const termsInTurn = openTurns(words, tokens, searched);
    return spansOf(tokens, searched).map((span) => {
      const rank = Math.max(span.terms.size, termsInTurn(words[span.first]?.turn));
      return { channel, words, span, rank };
    });
  });
  const time = ({ words, span }: (typeof found)[number]) => words[span.first]?.startMs ?? 0;
  return found
    .sort((a, b) => b.rank - a.rank || time(a) - time(b))
    .slice(0, searched.limit)
    .sort((a, b) => time(a) - time(b))
    .map(({ channel, words, span }) => toMatch(channel, words, span));
}

function tokensOf(words: readonly SideWord[], { lexemesOf }: Searched): Token[] {
  return words.flatMap(({ text }, word) => lexemesOf(text).map((lexeme) => ({ lexeme, word })));
}

function spansOf(tokens: readonly Token[], { terms }: Searched): Span[] {
  const phrases = terms.flatMap((alternatives, term) => alternatives.map((lexemes) => ({ lexemes, term })));
  const byFirst = Map.groupBy(phrases, ({ lexemes }) => lexemes[0]);
  const startsAt = (at: number, phrase: readonly string[]) =>
    phrase.every((lexeme, index) => tokens[at + index]?.lexeme === lexeme);
  const places = tokens.flatMap((token, at) =>
    (byFirst.get(token.lexeme) ?? [])
      .filter(({ lexemes }) => startsAt(at, lexemes))
      .map(({ lexemes, term }) => ({ first: token.word, last: tokens[at + lexemes.length - 1]?.word ?? 0, term })),
  );
  if (new Set(places.map(({ term }) => term)).size < terms.length) return [];
  return joined(places.sort((a, b) => a.first - b.first || a.last - b.last));
}

/** Makes one span of places that follow each other directly. */
function joined(places: readonly { first: number; last: number; term: number }[]): Span[] {
  const spans: Span[] = [];
  for (const { first, last, term } of places) {
    const span = spans.at(-1);
    if (span && first <= span.last + 1) {
      span.last = Math.max(span.last, last);
      span.terms.add(term);
    } else spans.push({ first, last, terms: new Set([term]) });
  }
  return spans;
}

/** Returns how many of the terms a turn contains. More words of the search make a better example. */
function openTurns(words: readonly SideWord[], tokens: readonly Token[], { terms }: Searched) {
  const lexemes = new Map<number | undefined, Set<string>>();
  for (const { lexeme, word } of tokens) {
    const turn = words[word]?.turn;
    lexemes.set(turn, (lexemes.get(turn) ?? new Set()).add(lexeme));
  }
  const counts = new Map<number | undefined, number>();
  return (turn: number | undefined): number => {
    const known = counts.get(turn);
    if (known !== undefined) return known;
    const said = lexemes.get(turn);
    const isSaid = (alternatives: readonly (readonly string[])[]) =>
      alternatives.some((phrase) => phrase.every((lexeme) => said?.has(lexeme)));
    const count = terms.filter(isSaid).length;
    counts.set(turn, count);
    return count;
  };
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
    endMs: found.reduce((latest, { endMs }) => Math.max(latest, endMs), 0),
    before: text(before),
    text: text(found),
    after: text(after),
  };
}
