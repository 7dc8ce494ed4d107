import type { ServiceError } from "@hearback/sdk";
import { ImportStopped } from "./import-stopped.ts";
import { isOverRate, whyWaiting } from "./why-waiting.ts";

const lengths = { firstMs: 500, longestMs: 30_000, afterRefusalMs: 250 };

const now = () => performance.now();

/** The pause after so many faults in a row: never shorter than asked for, and never the same for two clients. */
function pauseAfter(error: ServiceError, faults: number): number {
  const askedMs = error.retryAfterMs ?? 0;
  const backoffMs = Math.min(lengths.longestMs, lengths.firstMs * 2 ** (faults - 1));
  if (isOverRate(error)) return askedMs + Math.random() * Math.max(lengths.afterRefusalMs, backoffMs / 4);
  return askedMs > 0 ? askedMs + Math.random() * backoffMs : backoffMs * (0.5 + Math.random() / 2);
}

function givenUp(trouble: string, patienceMs: number, cause: unknown): ImportStopped {
  const after = patienceMs >= 60_000 ? `${Math.round(patienceMs / 60_000)} min` : `${Math.round(patienceMs / 1000)} s`;
  const detail = `Given up: for ${after} ${trouble}. Nothing is lost; run the same command again to continue.`;
  return new ImportStopped(detail, 4, { cause });
}

interface At {
  state: "open" | "paused" | "probing";
  /** The number of the stretch between two pauses. */
  stretch: number;
  /** Why it was given up. */
  over: ImportStopped | undefined;
}

interface PausesOptions {
  /** How long nothing may succeed before it is given up. */
  readonly patienceMs: number;
  /** A pause is over: one may go ahead. */
  readonly onGoOn: () => void;
  readonly onGivenUp: (why: ImportStopped) => void;
}

/** Whether requests are sent now: after a fault all wait, then one goes ahead, and if that one succeeds all go on. */
export function openPauses({ patienceMs, onGoOn, onGivenUp }: PausesOptions) {
  const at: At = { state: "open", stretch: 0, over: undefined };
  let faults = 0;
  let troubleSince: number | undefined;
  let trouble = "";
  let goesOnAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function pause(error: ServiceError, mostMs: number): void {
    faults++;
    at.stretch++;
    const pauseMs = Math.min(pauseAfter(error, faults), Math.max(1000, mostMs));
    at.state = "paused";
    goesOnAt = now() + pauseMs;
    timer = setTimeout(() => {
      at.state = "probing";
      onGoOn();
    }, pauseMs);
  }

  return {
    at: at as Readonly<At>,
    /** Why nothing goes on at this moment, for a person. */
    get waiting(): string | undefined {
      if (at.state === "open") return undefined;
      const seconds = Math.ceil((goesOnAt - now()) / 1000);
      return seconds > 0 ? `${trouble}; trying again in ${seconds} s` : `${trouble}; trying again`;
    },
    succeeded(): void {
      troubleSince = undefined;
    },
    /** The one that went ahead has succeeded. */
    goOn(): void {
      at.state = "open";
      faults = 0;
    },
    /** Whether a pause begins. A request that began before a pause says nothing about how it is now. */
    failed(began: number, error: ServiceError): boolean {
      troubleSince ??= now();
      if (began !== at.stretch) return false;
      trouble = whyWaiting(error);
      const leftMs = troubleSince + patienceMs - now();
      if (leftMs > 0) pause(error, leftMs);
      else at.over = givenUp(trouble, patienceMs, error);
      if (at.over) onGivenUp(at.over);
      return leftMs > 0;
    },
    /** A pause for which nobody waits must not keep the process from ending. */
    keepAwake(needed: boolean): void {
      if (needed) timer?.ref();
      else timer?.unref();
    },
  };
}
export type Pauses = ReturnType<typeof openPauses>;
