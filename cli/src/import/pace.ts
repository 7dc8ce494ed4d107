import { ServiceError } from "@hearback/sdk";
import { openAllowance } from "./allowance.ts";
import type { ImportStopped } from "./import-stopped.ts";
import { openPauses } from "./pauses.ts";
import { openTurns, type Turn } from "./turns.ts";
import { isOverRate, mayPass } from "./why-waiting.ts";

export interface PaceOptions {
  /** How many requests may be under way at once at most. */
  readonly most?: number | undefined;
  /** How long nothing may succeed before it is given up. */
  readonly patienceMs?: number | undefined;
}

interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  /** Asked after every passing failure: whether this piece of work is given up, although the rest goes on. */
  readonly giveUp?: ((error: ServiceError, attempt: number) => boolean) | undefined;
}

/** How many may be under way at once: doubling at first, then one more each round; half after a fault. */
function openWindow(most: number) {
  let size = Math.min(4, most);
  let doubleTo = most;
  return {
    get size() {
      return Math.floor(size);
    },
    grow() {
      size = Math.min(most, size + (size < doubleTo ? 1 : 1 / size));
    },
    halve() {
      size = doubleTo = Math.max(1, size / 2);
    },
    /** After a fault it begins with one, and doubles up to what the fault left. */
    beginAgain() {
      size = 1;
    },
  };
}

/**
 * How many requests are sent at once: as many as the service likes. It begins with a few and grows; when the service
 * refuses or cannot be reached all wait together, then one goes ahead, and only when that one succeeds it grows again
 * from one. So a service that comes back is never met by more than it bore before.
 */
export function openPace({ most = 16, patienceMs = 3_600_000 }: PaceOptions = {}) {
  const allowance = openAllowance();
  const window = openWindow(most);
  const told = { onGoOn: () => turns.startWaiting(), onGivenUp: (why: ImportStopped) => turns.stopAll(why) };
  const pauses = openPauses({ patienceMs, ...told });
  const turns = openTurns({ window, allowance, pauses });

  function succeeded(turn: Turn): void {
    turns.end(turn);
    allowance.took();
    pauses.succeeded();
    // What began before a pause says nothing about how it is now.
    if (turn.stretch !== pauses.at.stretch) return;
    if (pauses.at.state === "probing") {
      pauses.goOn();
      window.beginAgain();
    }
    // Growing while nobody waits would allow a burst that was never tried.
    if (turns.waiting > 0 || turns.running + 1 >= window.size) window.grow();
  }

  function failed(turn: Turn, error: ServiceError): void {
    turns.end(turn);
    const wasOpen = pauses.at.state === "open";
    if (!pauses.failed(turn.stretch, error)) return;
    if (wasOpen) window.halve();
    if (isOverRate(error)) allowance.refused(performance.now());
    if (turns.waiting === 0) pauses.keepAwake(false);
  }

  return {
    most,
    /** How many may be under way at this moment. */
    get atOnce(): number {
      return pauses.at.state === "open" ? window.size : pauses.at.state === "probing" ? 1 : 0;
    },
    /** Why nothing goes on at this moment, for a person. */
    get waiting(): string | undefined {
      return pauses.waiting;
    },
    /** Does a piece of work when it is its turn, and again until it succeeds or its failure is no passing one. */
    async run<T>(work: (attempt: number) => Promise<T>, { signal, giveUp }: RunOptions = {}): Promise<T> {
      for (let attempt = 1; ; attempt++) {
        const turn = await turns.take(signal);
        try {
          const result = await work(attempt);
          succeeded(turn);
          return result;
        } catch (error) {
          if (mayPass(error)) failed(turn, error);
          // Whoever refuses for good can be reached.
          else if (error instanceof ServiceError) succeeded(turn);
          else turns.end(turn);
          if (!mayPass(error) || giveUp?.(error, attempt)) throw error;
        } finally {
          turns.startWaiting();
        }
      }
    },
  };
}
export type Pace = ReturnType<typeof openPace>;
