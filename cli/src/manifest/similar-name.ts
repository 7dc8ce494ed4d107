import { opendir } from "node:fs/promises";
import { join } from "node:path";

/** Larger folders are not listed. Also the size of the cache. */
const maxNames = 20_000;
/** Limits the work if many files are missing. */
const maxListed = 500_000;

interface Listing {
  readonly exact: ReadonlySet<string>;
  /** Folded name (NFC, lower case; also without its extension) → name on disk. */
  readonly alike: ReadonlyMap<string, string>;
}

/** Suggests a name for a missing file that differs only in case, Unicode form or extension. */
export function openSimilarNames(root: string) {
  const listings = new Map<string, Listing | undefined>();
  let kept = 0;
  let listed = 0;
  let queue: Promise<unknown> = Promise.resolve();

  async function listingOf(folder: string): Promise<Listing | undefined> {
    if (listings.has(folder) || listed >= maxListed) return listings.get(folder);
    const listing = await list(folder);
    const names = listing?.exact.size ?? 0;
    listed += listing ? names : maxNames;
    kept += names;
    if (kept > maxNames) {
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

  /** Sequential, to keep only one listing in memory at a time. */
  return (file: string): Promise<string | undefined> => {
    const found = queue.then(() => find(file));
    queue = found;
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
      if (exact.size > maxNames) return undefined;
    }
  } catch {
    return undefined;
  }
  return { exact, alike };
}
