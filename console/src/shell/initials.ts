/** "Ann-Marie van Dyke" → "AD": of the first and the last word. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const letters = [words.at(0), words.length > 1 ? words.at(-1) : undefined].map(
    (word) => word?.match(/[\p{L}\p{N}]\p{M}*/u)?.[0] ?? "",
  );
  return letters.join("").toUpperCase();
}
