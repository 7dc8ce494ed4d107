import { openSingleFlight } from "../platform/async/single-flight.ts";

/** Cache TTL. Revocation must take effect within 1 s on every process. */
const ttlMs = 500;
const maxEntries = 10_000;

/** Looks up a hash. Calls `onUnknown`, which may throw, before querying for a hash that has never been found. */
export type Lookup<Found> = (hash: Buffer, onUnknown?: () => void) => Promise<Found | undefined>;

/** Caches lookups for a short TTL, single-flight per hash. Negative results are not cached. */
export function cacheLookup<Found>(lookUp: (hash: Buffer) => Promise<Found | undefined>): Lookup<Found> {
  const lookups = openSingleFlight<Found | undefined>({
    // The TTL starts with the query: its result may be stale by the time it arrives.
    maxAgeMs: ttlMs,
    ttlMs: (found) => (found ? Number.POSITIVE_INFINITY : 0),
    maxEntries,
  });
  /** Hashes that have been found before. Still looked up, but not rate-limited as guesses. */
  const knownHashes = new Set<string>();

  async function query(name: string, hash: Buffer): Promise<Found | undefined> {
    const found = await lookUp(hash);
    if (knownHashes.size >= maxEntries) knownHashes.clear();
    if (found) knownHashes.add(name);
    else knownHashes.delete(name);
    return found;
  }

  return async (hash, onUnknown) => {
    const name = hash.toString("base64");
    return lookups.run(name, () => {
      if (!knownHashes.has(name)) onUnknown?.();
      return query(name, hash);
    });
  };
}
