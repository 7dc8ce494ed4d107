import { ImportStopped } from "../import/import-stopped.ts";
import { importPass, type PassOptions } from "./import-pass.ts";
import { openProcessedFiles } from "./processed-files.ts";
import { openSettling } from "./settling.ts";
import { startStatus, type WatchStatus, writeStatus } from "./status-file.ts";
import { openWakeUp } from "./wake-up.ts";

/** Maximum number of incomplete recordings to track. */
const maxTracked = 10_000;
const statusEveryMs = 10_000;
const reportEveryMs = 60_000;
/** How often the markers are read again, in case a recording was replaced. */
const rereadMarksMs = 3_600_000;
/** Limits the share of time spent scanning. Also batches the wake-ups caused by our own markers. */
const rest = { minMs: 200, factor: 3 };
/** Grace period for running uploads after a stop. Sending them again is safe. */
const graceMs = 7000;

export interface WatchOptions extends Omit<PassOptions, "settling" | "processed" | "status" | "cancel"> {
  readonly everyMs: number;
  /** Import the current recordings and return. */
  readonly once: boolean;
  readonly statusFile: string | undefined;
}

/** Imports recordings from a folder until `signal` is aborted; with `once`, only the current ones. */
export async function watchFolder(options: WatchOptions): Promise<WatchStatus> {
  const { root, settleMs, everyMs, once, signal, done } = options;
  const settling = openSettling({ settleMs, max: maxTracked });
  const processed = openProcessedFiles(root);
  const status = startStatus(root);
  const wakeUp = openWakeUp(root, signal);
  const reporter = openStatusReporter(options, status);
  const ending = cancelAfterGrace(signal);
  let marksReadAt = Date.now();
  let allSeenAt = Number.POSITIVE_INFINITY;
  try {
    await reporter.write();
    while (!signal.aborted) {
      const beganAt = Date.now();
      if (done.how === "mark" && beganAt - marksReadAt >= rereadMarksMs) {
        marksReadAt = beganAt;
        processed.forgetAll();
      }
      const pass = await importPass({ ...options, settling, processed, status, cancel: ending.cancel });
      Object.assign(status, { lastPassAt: new Date(), waiting: pass.waiting, failedNow: pass.failed });
      reporter.reportFolderProblem(pass.problem);
      await reporter.write();
      const endedAt = Date.now();
      // Recordings that were incomplete at the start had time to settle. Later ones are left to the next run.
      if (once && pass.problem) break;
      const settled = pass.waiting === 0 || beganAt - allSeenAt > settleMs;
      if (once && pass.ready === 0 && pass.complete && settled) break;
      allSeenAt = Math.min(allSeenAt, endedAt);
      const nextMs = once ? Math.min(settleMs, 1000) : pass.waiting > 0 ? Math.min(everyMs, settleMs) : everyMs;
      const restMs = Math.max(rest.minMs, once ? 0 : rest.factor * (endedAt - beganAt));
      await wakeUp.wait({ atLeastMs: Math.min(restMs, nextMs), atMostMs: nextMs });
    }
  } catch (error) {
    if (!signal.aborted && !(error instanceof ImportStopped && error.exitCode === 130)) throw error;
  } finally {
    ending.clear();
    wakeUp.close();
    await reporter.end();
  }
  return status;
}

/** Writes the status file, and logs a line per minute while the service or the folder is unreachable. */
function openStatusReporter({ concurrency, statusFile, emit }: WatchOptions, status: WatchStatus) {
  let folderProblem: string | undefined;
  const problem = () => concurrency.waiting ?? folderProblem;
  async function write(): Promise<void> {
    status.problem = problem();
    if (statusFile === undefined) return;
    await writeStatus(statusFile, status).catch((error) =>
      emit({ event: "problem", detail: `cannot write the status file: ${error.message}` }),
    );
  }
  const timers = [
    setInterval(() => void write(), statusEveryMs),
    setInterval(() => {
      const detail = problem();
      if (detail) emit({ event: "waiting", detail });
    }, reportEveryMs),
  ];
  return {
    write,
    /** Reports a problem with the folder immediately when it starts; the timer repeats it. */
    reportFolderProblem(detail: string | undefined): void {
      if (detail && !folderProblem) emit({ event: "problem", detail });
      folderProblem = detail;
    },
    async end(): Promise<void> {
      for (const timer of timers) clearInterval(timer);
      await write();
    },
  };
}

function cancelAfterGrace(signal: AbortSignal) {
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
