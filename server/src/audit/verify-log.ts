import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { diagnoseEntry, type Problem } from "./diagnose-entry.ts";
import { auditText, chainHash, genesisHash } from "./entry-hash.ts";
import { type ChainPage, type Head, readChain } from "./read-entries.ts";

export interface InvalidEntry {
  readonly number: number;
  readonly problem: Problem;
}

export interface VerifiedLog {
  readonly entries: number;
  readonly last: Head;
  /** The first invalid entry; undefined: the log is valid. */
  readonly wrong: InvalidEntry | undefined;
}

export interface VerifyLogOptions {
  /** An earlier head of the log, stored outside the installation. */
  readonly expected?: Head;
  readonly onProgress?: (entries: number) => void;
}

const pageSize = 2_000;
/** Below any number, so that inserted entries with numbers below 1 are found. */
const lowestNumber = Number.MIN_SAFE_INTEGER;

/** Recomputes the hash chain of a workspace, page by page, and returns the first invalid entry. */
export async function verifyLog(app: App, workspaceId: string, options: VerifyLogOptions = {}): Promise<VerifiedLog> {
  let last: Head = { number: 0, hash: genesisHash };
  let after = lowestNumber;
  let entries = 0;
  let hashAtExpected: Buffer | undefined;
  for (;;) {
    const page = await inWorkspace(app, workspaceId, (tx) => readChain(tx, workspaceId, { after, limit: pageSize }));
    const checked = checkPage(last, page);
    const valid = page.entries.slice(0, checked.valid);
    entries += valid.length;
    options.onProgress?.(entries);
    hashAtExpected ??= valid.find(({ number }) => number === options.expected?.number)?.hash;
    last = valid.at(-1) ?? last;
    if (checked.wrong) return { entries, last, wrong: checked.wrong };
    if (page.entries.length < pageSize) {
      const wrong = checkEnd(last, page) ?? checkExpected(last, hashAtExpected, options.expected);
      return { entries, last, wrong };
    }
    after = last.number;
  }
}

/** Counts the valid entries at the start of a page and diagnoses the first invalid one. */
function checkPage(before: Head, { entries, head }: ChainPage): { valid: number; wrong?: InvalidEntry } {
  let { number, hash } = before;
  for (const [index, entry] of entries.entries()) {
    if (entry.number <= number) return { valid: index, wrong: { number: entry.number, problem: "inserted" } };
    if (entry.number > number + 1) return { valid: index, wrong: { number: number + 1, problem: "missing" } };
    if (!chainHash(hash, auditText(entry)).equals(entry.hash)) {
      // Entries after the recorded head were never written by the log.
      const afterHead = head && entry.number > head.number;
      const problem = afterHead
        ? "inserted"
        : diagnoseEntry({ previous: hash, wrong: entry, following: entries.slice(index + 1) });
      return { valid: index, wrong: { number: entry.number, problem } };
    }
    ({ number, hash } = entry);
  }
  return { valid: entries.length };
}

/** Compares the last entry with the recorded head. */
function checkEnd(last: Head, { head }: ChainPage): InvalidEntry | undefined {
  const recorded = head ?? { number: 0, hash: genesisHash };
  if (recorded.number > last.number) return { number: last.number + 1, problem: "missing" };
  if (recorded.number < last.number) return { number: recorded.number + 1, problem: "inserted" };
  return recorded.hash.equals(last.hash) ? undefined : { number: last.number, problem: "head_edited" };
}

function checkExpected(last: Head, hash: Buffer | undefined, expected: Head | undefined): InvalidEntry | undefined {
  if (!expected) return undefined;
  if (expected.number > last.number) return { number: last.number + 1, problem: "truncated" };
  const found = expected.number === 0 ? genesisHash : hash;
  return found?.equals(expected.hash) ? undefined : { number: expected.number, problem: "rewritten" };
}
