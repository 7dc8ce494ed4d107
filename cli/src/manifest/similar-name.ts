import { opendir } from "node:fs/promises";
import { join } from "node:path";

/** Larger folders are not listed for a suggestion, and not more names than these are kept. */
const mostNames = 20_000;
/** Where everything is missing, a million rows must not list a million folders. */
const mostListed = 500_000;

interface Listing {
  readonly exact: ReadonlySet<string>;
  /** Without case, in one form of Unicode, and without the ending as well → the name on disk. */
  readonly alike: ReadonlyMap<string, string>;
}

/** What a missing file may have been meant to be: the same name in another case, in another Unicode form, without its ending. */
export function openSimilarNames(root: string) {
  const listings = new Map<string, Listing | undefined>();
  let kept = 0;
  let listed = 0;
  let turn: Promise<unknown> = Promise.resolve();

  async function listingOf(folder: string): Promise<Listing | undefined> {
    if (listings.has(folder) || listed >= mostListed) return listings.get(folder);
    const listing = await list(folder);
    const names = listing?.exact.size ?? 0;
    listed += listing ? names : mostNames;
    kept += names;
    if (kept > mostNames) {
      listings.clear();
      kept = names;
    }
    listings.set(folder, listing);
    return listing;
  }

  async function find(file: string): Promise<string | undefined> {
    const parts: string[] = [];
    const wanted = file.split("/");
    for (const [depth, name] of wanted.entries()) {
      const listing = await listingOf(join(root, ...parts));
      const last = depth === wanted.length - 1;
      const alike = listing?.alike.get(fold(name)) ?? (last ? listing?.alike.get(stem(name)) : undefined);
      const found = listing?.exact.has(name) ? name : alike;
      if (found === undefined) return undefined;
      parts.push(found);
    }
    return parts.join("/");
  }

  /** One after the other: many folders listed at a time are many in memory. */
  return (file: string): Promise<string | undefined> => {
    const found = turn.then(() => find(file));
    turn = found;
    return found;
  };
}

const fold = (name: string) => name.normalize("NFC").toLowerCase().trim();
const stem = (name: string) => `${fold(name).replace(/\.[a-z0-9]{1,5}$/, "")}.`;

async function list(folder: string): Promise<Listing | undefined> {
  const exact = new Set<string>();
  const alike = new Map<string, string>();
  try {
    for await (const { name } of await opendir(folder)) {
      exact.add(name);
      alike.set(fold(name), name);
      alike.set(stem(name), name);
      if (exact.size > mostNames) return undefined;
    }
  } catch {
    return undefined;
  }
  return { exact, alike };
}
