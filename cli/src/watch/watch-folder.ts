import { ImportStopped } from "../import/import-stopped.ts";
import { openDecided } from "./decided.ts";
import { importPass, type PassOptions } from "./import-pass.ts";
import { openSettling } from "./settling.ts";
import { startStatus, type WatchStatus, writeStatus } from "./status-file.ts";
import { openWakeUp } from "./wake-up.ts";

/** How many recordings are waited for at a time; the others have their turn when these are done. */
const mostWaiting = 10_000;
const statusEveryMs = 10_000;
const sayEveryMs = 60_000;
/** So often marks are looked at again, in case that a recording was replaced. */
const marksAgainMs = 3_600_000;
/** Never busier with looking than with resting; and our own marks, which wake us too, come together. */
const rest = { leastMs: 200, factor: 3 };
/** What is under way may end when it is told to stop, for so long. Sending it again is safe. */
const graceMs = 7000;

export interface WatchOptions extends Omit<PassOptions, "settling" | "decided" | "status" | "cancel"> {
  readonly everyMs: number;
  /** Only what is there now. */
  readonly once: boolean;
  readonly statusFile: string | undefined;
}

/** Imports what comes into a folder, until it is told to stop; with `once`, what is there now. */
export async function watchFolder(options: WatchOptions): Promise<WatchStatus> {
  const { root, settleMs, everyMs, once, signal, done } = options;
  const settling = openSettling({ settleMs, most: mostWaiting });
  const decided = openDecided(root);
  const status = startStatus(root);
  const wakeUp = openWakeUp(root, signal);
  const life = openSignsOfLife(options, status);
  const ending = endSoonAfter(signal);
  let marksReadAt = Date.now();
  let allSeenAt = Number.POSITIVE_INFINITY;
  try {
    await life.write();
    while (!signal.aborted) {
      const beganAt = Date.now();
      if (done.how === "mark" && beganAt - marksReadAt >= marksAgainMs) {
        marksReadAt = beganAt;
        decided.forgetAll();
      }
      const pass = await importPass({ ...options, settling, decided, status, cancel: ending.cancel });
      Object.assign(status, { lastPassAt: new Date(), waiting: pass.waiting, failedThere: pass.failed });
      life.noteTrouble(pass.trouble);
      await life.write();
      const endedAt = Date.now();
      // What was still being written at the beginning has had its time; what came later is for the next run.
      if (once && pass.trouble) break;
      const hadTime = pass.waiting === 0 || beganAt - allSeenAt > settleMs;
      if (once && pass.ready === 0 && pass.complete && hadTime) break;
      allSeenAt = Math.min(allSeenAt, endedAt);
      const nextMs = once ? Math.min(settleMs, 1000) : pass.waiting > 0 ? Math.min(everyMs, settleMs) : everyMs;
      const restMs = Math.max(rest.leastMs, once ? 0 : rest.factor * (endedAt - beganAt));
      await wakeUp.wait({ atLeastMs: Math.min(restMs, nextMs), atMostMs: nextMs });
    }
  } catch (error) {
    if (!signal.aborted && !(error instanceof ImportStopped && error.exitCode === 130)) throw error;
  } finally {
    ending.clear();
    wakeUp.close();
    await life.end();
  }
  return status;
}

/** The status file, and a line a minute while the service cannot be reached: nothing is given up, but somebody should know. */
function openSignsOfLife({ pace, statusFile, tell }: WatchOptions, status: WatchStatus) {
  let ofFolder: string | undefined;
  const trouble = () => pace.waiting ?? ofFolder;
  async function write(): Promise<void> {
    status.trouble = trouble();
    if (statusFile === undefined) return;
    await writeStatus(statusFile, status).catch((error) =>
      tell({ event: "trouble", detail: `the status cannot be written: ${error.message}` }),
    );
  }
  const timers = [
    setInterval(() => void write(), statusEveryMs),
    setInterval(() => {
      const detail = trouble();
      if (detail) tell({ event: "waiting", detail });
    }, sayEveryMs),
  ];
  return {
    write,
    /** Told at once when it begins, then every minute. */
    noteTrouble(detail: string | undefined): void {
      if (detail && !ofFolder) tell({ event: "trouble", detail });
      ofFolder = detail;
    },
    async end(): Promise<void> {
      for (const timer of timers) clearInterval(timer);
      await write();
    },
  };
}

function endSoonAfter(signal: AbortSignal) {
  const cancel = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => {
    timer = setTimeout(() => cancel.abort(signal.reason), graceMs);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  return {
    cancel: cancel.signal,
    clear() {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    },
  };
}
