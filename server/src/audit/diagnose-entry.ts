import { auditText, chainHash, type StoredEntry } from "./entry-hash.ts";

/** Problems that verification can find, worded to follow "entry 12". */
export const problems = {
  edited: "was changed after it was written",
  missing: "is missing",
  inserted: "was inserted later",
  reordered: "was moved from its original position",
  broken: "does not match the previous entry: one of the two was changed together with its hash",
  head_edited: "is the last entry, but does not match the recorded head of the log",
  truncated: "is missing: entries were removed from the end of the log",
  rewritten: "has a different hash than before: the log was rewritten up to this entry, or parts of it were",
} as const;
export type Problem = keyof typeof problems;

export interface EntryContext {
  /** The hash of the previous entry, which is valid. */
  readonly previous: Buffer;
  readonly wrong: StoredEntry;
  /** The rest of the page. */
  readonly following: readonly StoredEntry[];
}

/** Whether the entry's hash is valid for this previous hash and number. */
const isChained = (entry: StoredEntry, previous: Buffer, number: number) =>
  chainHash(previous, auditText(entry, number)).equals(entry.hash);

/** Finds the most likely reason for an invalid hash. */
export function diagnoseEntry({ previous, wrong, following }: EntryContext): Problem {
  const { number } = wrong;
  const [next] = following;
  // The next entry belongs here, so this one was placed before it.
  if (next && isChained(next, previous, number)) return isMoved(wrong, following) ? "reordered" : "inserted";
  // All entries from here on moved up by one, so the original entry was removed.
  if (next && isChained(next, wrong.hash, number + 2)) return "missing";
  if (isMoved(wrong, following)) return "reordered";
  // The next entry still matches this entry's stored hash, so only the content was changed.
  if (!next || isChained(next, wrong.hash, number + 1)) return "edited";
  return "broken";
}

/** Whether the entry belongs to a later position within the page. */
function isMoved(wrong: StoredEntry, following: readonly StoredEntry[]): boolean {
  return following.some(
    // After the entry that still precedes that position or, for swapped neighbours, after the one it was swapped with.
    (entry) => isChained(wrong, entry.hash, entry.number + 1) || isChained(wrong, entry.hash, entry.number),
  );
}
