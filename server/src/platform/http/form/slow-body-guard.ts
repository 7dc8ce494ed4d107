import type { IncomingMessage } from "node:http";

export interface BodyPace {
  readonly graceMs: number;
  readonly minBytesPerSecond: number;
}

export interface GuardedBody {
  /** Suspends the check until `work` is done, because the server itself is not reading (the object store is slower). */
  excuse(work: Promise<void>): void;
  stop(): void;
}

/**
 * Calls `tooSlow` when a body arrives below the minimum rate for a whole grace period. Periods in which the server did
 * not read all the time do not count: excused ones, and those in which this process was blocked.
 */
export function guardSlowBody(request: IncomingMessage, pace: BodyPace, tooSlow: () => void): GuardedBody {
  const { socket } = request;
  const minBytes = (pace.minBytesPerSecond * pace.graceMs) / 1000;
  let before = socket.bytesRead;
  let periodStart = performance.now();
  let excuses = 0;
  let excused = false;
  const timer = setInterval(() => {
    if (request.complete) {
      clearInterval(timer);
      return;
    }
    const wasBlocked = performance.now() - periodStart > pace.graceMs * 1.5;
    const received = socket.bytesRead - before;
    if (received < minBytes && !excused && !wasBlocked) tooSlow();
    before = socket.bytesRead;
    periodStart = performance.now();
    excused = excuses > 0;
  }, pace.graceMs);
  // The connection keeps the process alive, not the timer.
  timer.unref();
  const done = () => {
    excuses -= 1;
  };
  return {
    excuse(work) {
      excuses += 1;
      excused = true;
      work.then(done, done);
    },
    stop: () => clearInterval(timer),
  };
}
