const pattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

interface ParsedIds {
  readonly ids: readonly string[];
  /** Words without the ID of a call. */
  readonly wrong: readonly string[];
}

/** Finds the IDs of calls in pasted text: one or several per line, or links to calls. Each ID once. */
export function parseCallIds(text: string): ParsedIds {
  const words = text.split(/[\s,;"]+/).filter((word) => word !== "");
  const idsOf = (word: string) => word.match(pattern) ?? [];
  return {
    ids: [...new Set(words.flatMap((word) => idsOf(word).map((id) => id.toLowerCase())))],
    wrong: words.filter((word) => idsOf(word).length === 0),
  };
}
