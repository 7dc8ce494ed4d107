import type { openAllowance } from "./allowance.ts";
import type { Pauses } from "./pauses.ts";
import { openTurnQueue } from "./turn-queue.ts";

export interface Turn {
  /** In which stretch between two pauses it began. */
  readonly stretch: number;
  readonly probe: boolean;
}

interface TurnsOptions {
  readonly window: { readonly size: number };
  readonly allowance: ReturnType<typeof openAllowance>;
  readonly pauses: Pauses;
}

/** Who may send a request now: no more at once than the window says, and no faster than is allowed. */
export function openTurns({ window, allowance, pauses }: TurnsOptions) {
  const queue = openTurnQueue<Turn>();
  let running = 0;
  let probeUnderWay = false;
  let awaitsAllowance = false;

  function mayStart(): boolean {
    if (pauses.at.state === "paused" || (pauses.at.state === "probing" && probeUnderWay)) return false;
    if (pauses.at.state === "open" && running >= window.size) return false;
    const inMs = allowance.take(performance.now());
    if (inMs === 0) return true;
    if (!awaitsAllowance)
      setTimeout(() => {
        awaitsAllowance = false;
        startWaiting();
      }, inMs);
    awaitsAllowance = true;
    return false;
  }

  function start(): Turn {
    running++;
    const probe = pauses.at.state === "probing";
    probeUnderWay ||= probe;
    return { stretch: pauses.at.stretch, probe };
  }

  function startWaiting(): void {
    while (queue.length > 0 && mayStart()) queue.startNext(start());
  }

  return {
    startWaiting,
    get running() {
      return running;
    },
    /** How many wait. */
    get waiting() {
      return queue.length;
    },
    async take(signal: AbortSignal | undefined): Promise<Turn> {
      if (pauses.at.over) throw pauses.at.over;
      signal?.throwIfAborted();
      if (queue.length === 0 && mayStart()) return start();
      pauses.keepAwake(true);
      try {
        return await queue.wait(signal);
      } finally {
        // Nobody who has been told to stop should wait for the end of a pause.
        if (signal?.aborted && queue.length === 0) pauses.keepAwake(false);
      }
    },
    end(turn: Turn): void {
      running--;
      if (turn.probe) probeUnderWay = false;
    },
    stopAll: queue.stopAll,
  };
}
