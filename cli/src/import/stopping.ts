import { setMaxListeners } from "node:events";
import { ServiceError } from "@hearback/sdk";
import { ImportStopped } from "./import-stopped.ts";

/** How long what is under way may take to end when an import stops. */
const graceMs = 10_000;

export interface StopOptions {
  /** Stops gently: nothing new is begun, what is under way may end. */
  readonly signal?: AbortSignal | undefined;
  /** Stops at once. */
  readonly cancel?: AbortSignal | undefined;
}

export interface Stopping {
  /** Nothing new is begun when it is aborted. */
  readonly gently: AbortSignal;
  /** What is under way is broken off when it is aborted. */
  readonly atOnce: AbortSignal;
  /** For a failure that is not about one entry. */
  stop(error: unknown): void;
  /** At the end of the work: throws why it was stopped, if it was. */
  end(): void;
}

/** How a piece of work ends before its end: told from outside, or by the first failure that concerns all of it. */
export function openStopping({ signal, cancel }: StopOptions): Stopping {
  const gently = new AbortController();
  const atOnce = new AbortController();
  let failure: unknown;
  let timer: NodeJS.Timeout | undefined;
  // Every request under way listens.
  for (const { signal } of [gently, atOnce]) setMaxListeners(0, signal);

  const stop = (reason: unknown) => {
    if (gently.signal.aborted) return;
    failure = reason;
    gently.abort(reason);
    timer = setTimeout(() => atOnce.abort(reason), graceMs);
  };
  const told = () => stop(new ImportStopped("Stopped. Nothing is lost; run the same command again to continue.", 130));
  const toldAgain = () => {
    told();
    atOnce.abort(failure);
  };
  if (signal?.aborted) told();
  if (cancel?.aborted) toldAgain();
  signal?.addEventListener("abort", told);
  cancel?.addEventListener("abort", toldAgain);

  return {
    gently: gently.signal,
    atOnce: atOnce.signal,
    stop: (error) => stop(stopReason(error)),
    end() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", told);
      cancel?.removeEventListener("abort", toldAgain);
      if (gently.signal.aborted) throw failure;
    },
  };
}

/** A 403 of somebody else (a proxy, a firewall) may be about what was sent, and says nothing about the key. */
const refusesKey = ({ status, code }: ServiceError) =>
  status === 401 || code === "scope_missing" || code === "key_restricted";

/** Whether a refusal would be the same for every entry. */
export const concernsAll = (error: unknown): boolean =>
  !(error instanceof ServiceError) ||
  (error.status >= 300 && error.status < 400) ||
  refusesKey(error) ||
  error.status === 507 ||
  error.code === "quota_exceeded";

function stopReason(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  const named = error.requestId ? ` (request ${error.requestId})` : "";
  if (refusesKey(error))
    return new ImportStopped(
      `The service refuses the key: ${error.message}${named} Get a valid key with the scope "import" (hearback login), then run the same command again to continue.`,
      3,
      { cause: error },
    );
  if (error.status === 507 || error.code === "quota_exceeded") {
    const daily = error.problem?.limit === "workspace_calls_per_day";
    const when = daily ? `from ${nextDay()} on` : "when there is room again";
    return new ImportStopped(
      `The workspace takes no more calls now: ${error.message}${named} Run the same command again ${when} to continue.`,
      4,
      { cause: error },
    );
  }
  return new ImportStopped(
    `The service cannot be asked: ${error.message}${named} When that is mended, run the same command again to continue.`,
    4,
    { cause: error },
  );
}

/** Days end at midnight UTC. */
function nextDay(): string {
  const at = new Date();
  at.setUTCHours(24, 0, 0, 0);
  return `${at.toISOString().slice(0, 10)} 00:00 UTC`;
}
