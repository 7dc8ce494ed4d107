import type { IncomingMessage } from "node:http";

export interface BodyPace {
  readonly graceMs: number;
  readonly minBytesPerSecond: number;
}

/**
 * Calls `tooSlow` once a body comes slower than the floor over a whole grace period. Time in which we did not read
 * (because the store was slower than the client) does not count. Give the result a call when the body is done.
 */
export function watchBody(request: IncomingMessage, pace: BodyPace, tooSlow: () => void): () => void {
  const { socket } = request;
  const enough = (pace.minBytesPerSecond * pace.graceMs) / 1000;
  let before = socket.bytesRead;
  let paused = false;
  const onPause = () => {
    paused = true;
  };
  request.on("pause", onPause);
  const timer = setInterval(() => {
    if (request.complete) {
      clearInterval(timer);
      return;
    }
    const came = socket.bytesRead - before;
    before = socket.bytesRead;
    if (came < enough && !paused) tooSlow();
    paused = request.isPaused();
  }, pace.graceMs);
  return () => {
    clearInterval(timer);
    request.off("pause", onPause);
  };
}
