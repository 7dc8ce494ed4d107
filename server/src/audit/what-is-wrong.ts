import { auditText, hashOf, type StoredEntry } from "./audit-text.ts";

/** What can be wrong with a log, and what it means to whoever must act on it. */
export const problems = {
  edited: "was changed after it was written",
  missing: "is missing",
  inserted: "was put in later",
  reordered: "stands in another place than it was written in",
  broken: "does not follow from the entry before it: one of the two was changed together with its hash",
  head_edited: "is the last one, and the log's head says something else",
  truncated: "is missing: the log is shorter than it was",
  rewritten: "has another hash than it had: the log was written anew up to here, or in part",
} as const;
export type Problem = keyof typeof problems;

export interface Around {
  /** The hash of the entry before it, which was found to be right. */
  readonly previous: Buffer;
  readonly wrong: StoredEntry;
  /** Those that follow it, as many as were read with it. */
  readonly following: readonly StoredEntry[];
}

/** Whether an entry was written behind that hash with that number. */
const fits = (entry: StoredEntry, previous: Buffer, number: number) =>
  hashOf(previous, auditText(entry, number)).equals(entry.hash);

/** Tells, of an entry whose hash is wrong, what was most likely done. */
export function whatIsWrong({ previous, wrong, following }: Around): Problem {
  const { number } = wrong;
  const [next] = following;
  // The entry that belongs here stands one further: this one was put before it.
  if (next && fits(next, previous, number)) return isMoved(wrong, following) ? "reordered" : "inserted";
  // All entries from here on have moved up by one: the one that was here was taken out.
  if (next && fits(next, wrong.hash, number + 2)) return "missing";
  if (isMoved(wrong, following)) return "reordered";
  // What follows still builds on the hash that this one had when it was written.
  if (!next || fits(next, wrong.hash, number + 1)) return "edited";
  return "broken";
}

/** Whether it belongs to a later place, among those that were read with it. */
function isMoved(wrong: StoredEntry, following: readonly StoredEntry[]): boolean {
  return following.some(
    // Behind the entry that still stands before that place; or, of neighbours, behind the one it was exchanged with.
    (entry) => fits(wrong, entry.hash, entry.number + 1) || fits(wrong, entry.hash, entry.number),
  );
}
