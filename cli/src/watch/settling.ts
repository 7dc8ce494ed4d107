/** Size and time of a file. They change while it is being written. */
export interface FileStat {
  readonly bytes: number;
  readonly modifiedMs: number;
}

interface Seen extends FileStat {
  readonly sinceMs: number;
}

/**
 * Tracks how long files have been unchanged, by local observation: the clock of the machine that writes them may be
 * hours off. Tracks at most `max` files; others wait until there is room.
 */
export function openSettling({ settleMs, max }: { readonly settleMs: number; readonly max: number }) {
  const seen = new Map<string, Seen>();
  return {
    get size() {
      return seen.size;
    },
    get isFull() {
      return seen.size >= max;
    },
    has: (path: string) => seen.has(path),
    /** Time without a change; undefined if there is no room to track the file. */
    unchangedMs(path: string, { bytes, modifiedMs }: FileStat, nowMs: number): number | undefined {
      const before = seen.get(path);
      if (before && before.bytes === bytes && before.modifiedMs === modifiedMs) return nowMs - before.sinceMs;
      if (!before && seen.size >= max) return undefined;
      seen.set(path, { bytes, modifiedMs, sinceMs: nowMs });
      return 0;
    },
    isSettled: (unchangedMs: number) => unchangedMs >= settleMs,
    forget: (path: string) => void seen.delete(path),
    paths: () => [...seen.keys()],
  };
}
export type Settling = ReturnType<typeof openSettling>;
