import type { IncomingMessage } from "node:http";

export interface BodyPace {
  readonly graceMs: number;
  readonly minBytesPerSecond: number;
}

export interface WatchedBody {
  /** Until then nothing is read, and that is not the client's doing (the store is slower than it is). */
  excuse(work: Promise<void>): void;
  stop(): void;
}

/**
 * Calls `tooSlow` once a body comes slower than the floor over a whole grace period. Periods in which we did not read all
 * the time do not count: those that are excused, and those in which this process stood still.
 */
export function watchBody(request: IncomingMessage, pace: BodyPace, tooSlow: () => void): WatchedBody {
  const { socket } = request;
  const enough = (pace.minBytesPerSecond * pace.graceMs) / 1000;
  let before = socket.bytesRead;
  let begun = performance.now();
  let excuses = 0;
  let excused = false;
  const timer = setInterval(() => {
    if (request.complete) {
      clearInterval(timer);
      return;
    }
    const stoodStill = performance.now() - begun > pace.graceMs * 1.5;
    const came = socket.bytesRead - before;
    if (came < enough && !excused && !stoodStill) tooSlow();
    before = socket.bytesRead;
    begun = performance.now();
    excused = excuses > 0;
  }, pace.graceMs);
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
