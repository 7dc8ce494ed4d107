import { watch } from "node:fs";

/**
 * Waits between two passes: until the timeout, an abort, or a change in the folder (but at least `atLeastMs`). Network
 * file systems report no changes; there the timeout applies.
 */
export function openWakeUp(folder: string, signal: AbortSignal) {
  let changed = false;
  let check = () => {};
  const onAbort = () => check();
  const watcher = openWatcher(folder, () => {
    changed = true;
    check();
  });
  signal.addEventListener("abort", onAbort);

  const until = (ms: number, isOver: () => boolean) =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        check = () => {};
        resolve();
      };
      const timer = setTimeout(end, ms);
      check = () => isOver() && end();
      check();
    });

  return {
    async wait({ atLeastMs, atMostMs }: { readonly atLeastMs: number; readonly atMostMs: number }): Promise<void> {
      await until(Math.min(atLeastMs, atMostMs), () => signal.aborted);
      await until(Math.max(0, atMostMs - atLeastMs), () => changed || signal.aborted);
      changed = false;
    },
    close() {
      signal.removeEventListener("abort", onAbort);
      watcher?.close();
    },
  };
}

function openWatcher(folder: string, onChange: () => void) {
  try {
    const watcher = watch(folder, { persistent: false }, onChange);
    // Too many watches, or not supported by the file system: rely on the timeout.
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
