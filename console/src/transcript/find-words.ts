import type { TranscriptBody } from "@hearback/sdk";

/** Words that were searched for: indices in the transcript, both inclusive. */
export interface WordMatch {
  readonly first: number;
  readonly last: number;
}

/** The transcript as tokens. A word such as "l’agent" has two. */
export interface WordIndex {
  readonly tokens: readonly string[];
  readonly words: Uint32Array;
  readonly turns: Uint32Array;
}

/** Lower case, without accents and punctuation. */
export const toTokens = (text: string): string[] =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((token) => token !== "");

export function toWordIndex({ turns }: Pick<TranscriptBody, "turns">): WordIndex {
  const [tokens, words, turnOf]: [string[], number[], number[]] = [[], [], []];
  let index = 0;
  for (const [turn, { words: said }] of turns.entries()) {
    for (const { text } of said) {
      for (const token of toTokens(text)) {
        tokens.push(token);
        words.push(index);
        turnOf.push(turn);
      }
      index++;
    }
  }
  return { tokens, words: Uint32Array.from(words), turns: Uint32Array.from(turnOf) };
}

/** More than anyone steps through. */
export const mostMatches = 2_000;

/**
 * Finds words that follow each other in a turn; the last one may be incomplete. If there are none, and quotes do not ask
 * for a phrase, finds each of the words, also with another ending.
 */
export function findWords(index: WordIndex, searched: string): WordMatch[] {
  const wanted = toTokens(searched);
  if (wanted.length === 0) return [];
  const isQuoted = /["“”«»]/.test(searched);
  const found = findPhrase(index, wanted, isQuoted ? hasStem : startsWith);
  if (found.length > 0 || isQuoted) return found;
  const long = wanted.filter((token) => token.length > 2);
  const each = long.length > 0 ? long : wanted;
  const matches: WordMatch[] = [];
  for (const [at, token] of index.tokens.entries()) {
    if (!each.some((one) => hasStem(token, one))) continue;
    const word = index.words[at] ?? 0;
    if (matches.at(-1)?.last !== word) matches.push({ first: word, last: word });
    if (matches.length === mostMatches) break;
  }
  return matches;
}

function findPhrase(
  { tokens, words, turns }: WordIndex,
  wanted: readonly string[],
  isLast: (token: string, wanted: string) => boolean,
): WordMatch[] {
  const matches: WordMatch[] = [];
  const length = wanted.length;
  const isMatch = (token: string, at: number) => {
    const one = wanted[at] ?? "";
    return token === one || (at === length - 1 ? isLast(token, one) : isLast === hasStem && hasStem(token, one));
  };
  for (let at = 0; at + length <= tokens.length && matches.length < mostMatches; ) {
    const end = at + length - 1;
    let isFound = turns[at] === turns[end];
    for (let step = 0; isFound && step < length; step++) isFound = isMatch(tokens[at + step] ?? "", step);
    if (isFound) matches.push({ first: words[at] ?? 0, last: words[end] ?? 0 });
    at += isFound ? length : 1;
  }
  return matches;
}

const startsWith = (token: string, wanted: string) => token.startsWith(wanted);

/** The search of the server ignores endings: "cancelled" finds "cancel". Approximates that. */
const mostEnding = 3;
const shortestStem = 4;
function hasStem(token: string, wanted: string): boolean {
  if (token === wanted) return true;
  const [short, long] = token.length < wanted.length ? [token, wanted] : [wanted, token];
  const stem = short.slice(0, Math.max(shortestStem, short.length - 1));
  return stem.length >= shortestStem && long.startsWith(stem) && long.length - short.length <= mostEnding;
}
