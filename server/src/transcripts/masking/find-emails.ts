import type { SpokenWord } from "./tokens.ts";

const written = /^[^\s@]{1,64}@[^\s@]{1,190}\.[a-z]{2,24}[.,;:]?$/i;
const at = /^(?:at|arobase|@)[.,;:?!]*$/i;
const dot = /^(?:dot|point)[.,;:?!]*$/i;
const joins = /^(?:dot|point|dash|hyphen|tiret|underscore)[.,;:?!]*$/i;
const letter = /^\S[.,;:?!]*$/u;
/** Words of a spoken address before and after its `at`. */
const mostBefore = 24;
const mostAfter = 6;

/** `jane@example.com`, and `jane dot doe at example dot com`. */
export function findEmails(words: readonly SpokenWord[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [index, { text, side }] of words.entries()) {
    if (written.test(text)) found.add(index);
    if (!at.test(text)) continue;
    const after = words.slice(index + 1, index + 1 + mostAfter).findIndex((word) => dot.test(word.text));
    if (after < 0) continue;
    const last = Math.min(words.length - 1, index + after + 2);
    for (let each = findStart(words, index); each <= last; each++) if (words[each]?.side === side) found.add(each);
  }
  return found;
}

/** The name: spelled letters, or words joined by dots, hyphens and underscores. */
function findStart(words: readonly SpokenWord[], index: number): number {
  let first = index - 1;
  while (first > 0 && index - first < mostBefore && isPartOfName(words[first], words[first - 1])) first--;
  return Math.max(0, first);
}

const isPartOfName = (
  { text }: Pick<SpokenWord, "text"> = { text: "" },
  before: Pick<SpokenWord, "text"> = { text: "" },
) => joins.test(text) || joins.test(before.text) || (letter.test(text) && letter.test(before.text));
