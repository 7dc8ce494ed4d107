import { ServiceError } from "@hearback/sdk";
import { openAllowance } from "./allowance.ts";
import { ImportStopped } from "./import-stopped.ts";
import { openTurnQueue } from "./turn-queue.ts";
import { mayPass, whyWaiting } from "./why-waiting.ts";

const pauses = { firstMs: 500, longestMs: 30_000, afterRefusalMs: 250 };

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

interface Turn {
  /** In which stretch between two pauses it began. */
  readonly stretch: number;
  readonly probe: boolean;
}

const now = () => performance.now();

/** The pause after so many faults in a row: never shorter than asked for, and never the same for two clients. */
function pauseAfter(error: ServiceError, faults: number): number {
  const askedMs = error.retryAfterMs ?? 0;
  const backoffMs = Math.min(pauses.longestMs, pauses.firstMs * 2 ** (faults - 1));
  if (isOverRate(error)) return askedMs + Math.random() * Math.max(pauses.afterRefusalMs, backoffMs / 4);
  return askedMs > 0 ? askedMs + Math.random() * backoffMs : backoffMs * (0.5 + Math.random() / 2);
}

const isOverRate = ({ status, code }: ServiceError) => status === 429 && code !== "too_many_uploads";

function givenUp(trouble: string, patienceMs: number, cause: unknown): ImportStopped {
  const after = patienceMs >= 60_000 ? `${Math.round(patienceMs / 60_000)} min` : `${Math.round(patienceMs / 1000)} s`;
  const detail = `Given up: for ${after} ${trouble}. Nothing is lost; run the same command again to continue.`;
  return new ImportStopped(detail, 4, { cause });
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
  const queue = openTurnQueue<Turn>();
  const allowance = openAllowance();
  const window = openWindow(most);
  let state: "open" | "paused" | "probing" = "open";
  let running = 0;
  let probeUnderWay = false;
  let stretch = 0;
  let faults = 0;
  let troubleSince: number | undefined;
  let trouble = "";
  let goesOnAt = 0;
  let pauseTimer: NodeJS.Timeout | undefined;
  let awaitsAllowance = false;
  let over: ImportStopped | undefined;

  function mayStart(): boolean {
    if (state === "paused" || (state === "probing" && probeUnderWay)) return false;
    if (state === "open" && running >= window.size) return false;
    const inMs = allowance.take(now());
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
    const probe = state === "probing";
    probeUnderWay ||= probe;
    return { stretch, probe };
  }

  function startWaiting(): void {
    while (queue.length > 0 && mayStart()) queue.startNext(start());
  }

  function end(turn: Turn): void {
    running--;
    if (turn.probe) probeUnderWay = false;
  }

  function succeeded(turn: Turn): void {
    end(turn);
    allowance.took();
    troubleSince = undefined;
    // What began before a pause says nothing about how it is now.
    if (turn.stretch !== stretch) return;
    if (state === "probing") {
      state = "open";
      faults = 0;
      window.beginAgain();
    }
    // Growing while nobody waits would allow a burst that was never tried.
    if (queue.length > 0 || running + 1 >= window.size) window.grow();
  }

  function failed(turn: Turn, error: ServiceError): void {
    end(turn);
    const at = now();
    troubleSince ??= at;
    if (turn.stretch !== stretch) return;
    trouble = whyWaiting(error);
    if (at - troubleSince >= patienceMs) {
      over = givenUp(trouble, patienceMs, error);
      queue.stopAll(over);
      return;
    }
    if (state === "open") window.halve();
    if (isOverRate(error)) allowance.refused(at);
    faults++;
    stretch++;
    const pauseMs = Math.min(pauseAfter(error, faults), Math.max(1000, troubleSince + patienceMs - at));
    state = "paused";
    goesOnAt = at + pauseMs;
    pauseTimer = setTimeout(() => {
      state = "probing";
      startWaiting();
    }, pauseMs);
    // A pause for which nobody waits must not keep the process from ending.
    if (queue.length === 0) pauseTimer.unref();
  }

  async function turnOf(signal: AbortSignal | undefined): Promise<Turn> {
    if (over) throw over;
    signal?.throwIfAborted();
    if (queue.length === 0 && mayStart()) return start();
    pauseTimer?.ref();
    try {
      return await queue.wait(signal);
    } finally {
      // Nobody who has been told to stop should wait for the end of a pause.
      if (signal?.aborted && queue.length === 0) pauseTimer?.unref();
    }
  }

  return {
    most,
    /** How many may be under way at this moment. */
    get atOnce(): number {
      return state === "open" ? window.size : state === "probing" ? 1 : 0;
    },
    /** Why nothing goes on at this moment, for a person. */
    get waiting(): string | undefined {
      if (state === "open") return undefined;
      const seconds = Math.ceil((goesOnAt - now()) / 1000);
      return seconds > 0 ? `${trouble}; trying again in ${seconds} s` : `${trouble}; trying again`;
    },
    /** Does a piece of work when it is its turn, and again until it succeeds or its failure is no passing one. */
    async run<T>(work: (attempt: number) => Promise<T>, { signal, giveUp }: RunOptions = {}): Promise<T> {
      for (let attempt = 1; ; attempt++) {
        const turn = await turnOf(signal);
        try {
          const result = await work(attempt);
          succeeded(turn);
          return result;
        } catch (error) {
          if (mayPass(error)) failed(turn, error);
          // Whoever refuses for good can be reached.
          else if (error instanceof ServiceError) succeeded(turn);
          else end(turn);
          if (!mayPass(error) || giveUp?.(error, attempt)) throw error;
        } finally {
          startWaiting();
        }
      }
    },
  };
}
export type Pace = ReturnType<typeof openPace>;
