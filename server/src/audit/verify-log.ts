import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { auditText, beforeTheFirst, hashOf } from "./audit-text.ts";
import { type ChainPage, type Head, readChain } from "./read-entries.ts";
import { type Problem, whatIsWrong } from "./what-is-wrong.ts";

export interface WrongEntry {
  readonly number: number;
  readonly problem: Problem;
}

export interface VerifiedLog {
  readonly entries: number;
  readonly last: Head;
  /** The first entry that is not as it was written; absent: all are. */
  readonly wrong: WrongEntry | undefined;
}

export interface VerifyLogOptions {
  /** Where the log ended at an earlier time, kept where nobody of the installation could change it. */
  readonly expected?: Head;
  readonly onProgress?: (entries: number) => void;
}

const pageSize = 2_000;
/** Before the first entry, and before whatever somebody put there. */
const beginning = Number.MIN_SAFE_INTEGER;

/** Computes the whole chain of a workspace again and tells the first entry that is wrong. Holds a page at a time. */
export async function verifyLog(app: App, workspaceId: string, options: VerifyLogOptions = {}): Promise<VerifiedLog> {
  let last: Head = { number: 0, hash: beforeTheFirst };
  let after = beginning;
  let entries = 0;
  let kept: Buffer | undefined;
  for (;;) {
    const page = await inWorkspace(app, workspaceId, (tx) => readChain(tx, workspaceId, { after, limit: pageSize }));
    const checked = checkPage(last, page);
    const right = page.entries.slice(0, checked.right);
    entries += right.length;
    options.onProgress?.(entries);
    kept ??= right.find(({ number }) => number === options.expected?.number)?.hash;
    last = right.at(-1) ?? last;
    if (checked.wrong) return { entries, last, wrong: checked.wrong };
    if (page.entries.length < pageSize) {
      const wrong = checkEnd(last, page) ?? checkExpected(last, kept, options.expected);
      return { entries, last, wrong };
    }
    after = last.number;
  }
}

/** How many entries of a page follow from the one before, and what is wrong with the next. */
function checkPage(before: Head, { entries, head }: ChainPage): { right: number; wrong?: WrongEntry } {
  let { number, hash } = before;
  for (const [index, entry] of entries.entries()) {
    if (entry.number <= number) return { right: index, wrong: { number: entry.number, problem: "inserted" } };
    if (entry.number > number + 1) return { right: index, wrong: { number: number + 1, problem: "missing" } };
    if (!hashOf(hash, auditText(entry)).equals(entry.hash)) {
      // Behind the end that the log itself knows, nothing was ever written.
      const added = head && entry.number > head.number;
      const problem = added
        ? "inserted"
        : whatIsWrong({ previous: hash, wrong: entry, following: entries.slice(index + 1) });
      return { right: index, wrong: { number: entry.number, problem } };
    }
    ({ number, hash } = entry);
  }
  return { right: entries.length };
}

/** Whether the log's own note of where it ends agrees. */
function checkEnd(last: Head, { head }: ChainPage): WrongEntry | undefined {
  const noted = head ?? { number: 0, hash: beforeTheFirst };
  if (noted.number > last.number) return { number: last.number + 1, problem: "missing" };
  if (noted.number < last.number) return { number: noted.number + 1, problem: "inserted" };
  return noted.hash.equals(last.hash) ? undefined : { number: last.number, problem: "head_edited" };
}

function checkExpected(last: Head, kept: Buffer | undefined, expected: Head | undefined): WrongEntry | undefined {
  if (!expected) return undefined;
  if (expected.number > last.number) return { number: last.number + 1, problem: "truncated" };
  // Before the first entry there is one hash only.
  const found = expected.number === 0 ? beforeTheFirst : kept;
  return found?.equals(expected.hash) ? undefined : { number: expected.number, problem: "rewritten" };
}
