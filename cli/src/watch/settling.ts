/** What changes while a file is being written. */
export interface Appearance {
  readonly bytes: number;
  readonly modifiedMs: number;
}

interface Seen extends Appearance {
  readonly sinceMs: number;
}

/**
 * Which files have not changed for a while, as far as we have looked: the clock of the machine that writes them may be
 * wrong by hours. Remembers `most` files; others have to come again when there is room.
 */
export function openSettling({ settleMs, most }: { readonly settleMs: number; readonly most: number }) {
  const seen = new Map<string, Seen>();
  return {
    get size() {
      return seen.size;
    },
    get isFull() {
      return seen.size >= most;
    },
    has: (path: string) => seen.has(path),
    /** For how long a file has looked like this; undefined: there is no room to remember it. */
    unchangedMs(path: string, { bytes, modifiedMs }: Appearance, nowMs: number): number | undefined {
      const before = seen.get(path);
      if (before && before.bytes === bytes && before.modifiedMs === modifiedMs) return nowMs - before.sinceMs;
      if (!before && seen.size >= most) return undefined;
      seen.set(path, { bytes, modifiedMs, sinceMs: nowMs });
      return 0;
    },
    isSettled: (unchangedMs: number) => unchangedMs >= settleMs,
    forget: (path: string) => void seen.delete(path),
    paths: () => [...seen.keys()],
  };
}
export type Settling = ReturnType<typeof openSettling>;
