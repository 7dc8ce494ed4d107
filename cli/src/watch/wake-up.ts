import { watch } from "node:fs";

/**
 * Waits between two passes: until the time is over, until it is told to stop, or until something happens in the folder,
 * but then never shorter than asked for. Network file systems tell nothing; then the time decides.
 */
export function openWakeUp(folder: string, signal: AbortSignal) {
  let happened = false;
  let look = () => {};
  const onAbort = () => look();
  const watcher = openWatcher(folder, () => {
    happened = true;
    look();
  });
  signal.addEventListener("abort", onAbort);

  const until = (ms: number, isOver: () => boolean) =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        look = () => {};
        resolve();
      };
      const timer = setTimeout(end, ms);
      look = () => isOver() && end();
      look();
    });

  return {
    async wait({ atLeastMs, atMostMs }: { readonly atLeastMs: number; readonly atMostMs: number }): Promise<void> {
      await until(Math.min(atLeastMs, atMostMs), () => signal.aborted);
      await until(Math.max(0, atMostMs - atLeastMs), () => happened || signal.aborted);
      happened = false;
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
    // Too many watches, or a file system that has none: the passes find everything, only later.
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
