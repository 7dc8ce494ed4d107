import { opendir } from "node:fs/promises";
import { join } from "node:path";

/** Larger folders are not listed for a suggestion, and no more than a few lists are kept. */
const mostNames = 50_000;
const mostFolders = 8;

interface Listing {
  readonly exact: ReadonlySet<string>;
  /** Without case, in one form of Unicode, and without the ending as well → the name on disk. */
  readonly alike: ReadonlyMap<string, string>;
}

/** What a missing file may have been meant to be: the same name in another case, in another Unicode form, without its ending. */
export function openSimilarNames(root: string) {
  const listings = new Map<string, Listing | undefined>();

  async function listingOf(folder: string): Promise<Listing | undefined> {
    if (listings.has(folder)) return listings.get(folder);
    if (listings.size >= mostFolders) listings.delete(listings.keys().next().value ?? "");
    const listing = await list(folder);
    listings.set(folder, listing);
    return listing;
  }

  return async (file: string): Promise<string | undefined> => {
    const parts: string[] = [];
    const wanted = file.split("/");
    for (const [depth, name] of wanted.entries()) {
      const listing = await listingOf(join(root, ...parts));
      const isLast = depth === wanted.length - 1;
      const found = listing?.exact.has(name)
        ? name
        : (listing?.alike.get(fold(name)) ?? (isLast ? listing?.alike.get(stem(name)) : undefined));
      if (found === undefined) return undefined;
      parts.push(found);
    }
    return parts.join("/");
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
