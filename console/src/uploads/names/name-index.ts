/** Item with the names it can be found by. */
export interface Named<T> {
  readonly thing: T;
  readonly names: readonly string[];
}

/** Items by normalised name. "several": the name is ambiguous. */
export type NameIndex<T> = ReadonlyMap<string, T | "several">;

const mostWords = 5;

/** "Élise-DURAND_2" → elise, durand, 2. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

export function indexNames<T>(named: readonly Named<T>[]): NameIndex<T> {
  const index = new Map<string, T | "several">();
  for (const { thing, names } of named) {
    for (const name of names) {
      const words = wordsOf(name).slice(0, mostWords).join(" ");
      // Short names match by chance.
      if (words.length < 3) continue;
      const there = index.get(words);
      index.set(words, there !== undefined && there !== thing ? "several" : thing);
    }
  }
  return index;
}

/** Finds the item a text names. The longest match wins; ambiguous matches return undefined. */
export function findNamed<T>(text: string, index: NameIndex<T>): T | undefined {
  const words = wordsOf(text);
  for (let length = Math.min(mostWords, words.length); length > 0; length--) {
    const found = new Set<T | "several">();
    for (let first = 0; first + length <= words.length; first++) {
      const thing = index.get(words.slice(first, first + length).join(" "));
      if (thing !== undefined) found.add(thing);
    }
    const [only] = found;
    if (found.size > 0) return found.size === 1 && only !== "several" ? only : undefined;
  }
  return undefined;
}
