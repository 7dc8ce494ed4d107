import { setMaxListeners } from "node:events";
import { ServiceError } from "@hearback/sdk";
import { ImportStopped } from "./import-stopped.ts";

/** Grace period for running requests after a stop. */
const graceMs = 10_000;

export interface StopOptions {
  /** Graceful stop: start nothing new, let running requests finish. */
  readonly signal?: AbortSignal | undefined;
  /** Immediate stop. */
  readonly cancel?: AbortSignal | undefined;
}

export interface Shutdown {
  /** When aborted, start nothing new. */
  readonly graceful: AbortSignal;
  /** When aborted, cancel running requests. */
  readonly immediate: AbortSignal;
  /** Stops because of an error that affects all entries. */
  stop(error: unknown): void;
  /** Call at the end of the work. Throws the reason if it was stopped. */
  end(): void;
}

/** Two-stage shutdown: by a signal from outside, or by the first fatal error. */
export function openShutdown({ signal, cancel }: StopOptions): Shutdown {
  const graceful = new AbortController();
  const immediate = new AbortController();
  let failure: unknown;
  let timer: NodeJS.Timeout | undefined;
  // Every running request adds a listener.
  for (const { signal } of [graceful, immediate]) setMaxListeners(0, signal);

  const stop = (reason: unknown) => {
    if (graceful.signal.aborted) return;
    failure = reason;
    graceful.abort(reason);
    timer = setTimeout(() => immediate.abort(reason), graceMs);
  };
  const onStop = () => stop(new ImportStopped("Stopped. Nothing was lost; run the same command again to resume.", 130));
  const onCancel = () => {
    onStop();
    immediate.abort(failure);
  };
  if (signal?.aborted) onStop();
  if (cancel?.aborted) onCancel();
  signal?.addEventListener("abort", onStop);
  cancel?.addEventListener("abort", onCancel);

  return {
    graceful: graceful.signal,
    immediate: immediate.signal,
    stop: (error) => stop(stopReason(error)),
    end() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onStop);
      cancel?.removeEventListener("abort", onCancel);
      if (graceful.signal.aborted) throw failure;
    },
  };
}

/** Checks the code: a 403 from a proxy or firewall says nothing about the key. */
const isKeyRejected = ({ status, code }: ServiceError) =>
  status === 401 || code === "scope_missing" || code === "key_restricted";

/** Whether the error affects every entry. */
export const isFatal = (error: unknown): boolean =>
  !(error instanceof ServiceError) ||
  (error.status >= 300 && error.status < 400) ||
  isKeyRejected(error) ||
  error.status === 507 ||
  error.code === "quota_exceeded";

function stopReason(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  const named = error.requestId ? ` (request ${error.requestId})` : "";
  if (isKeyRejected(error))
    return new ImportStopped(
      `The service rejected the API key: ${error.message}${named} Log in with a valid key that has the import scope (hearback login), then run the same command again to resume.`,
      3,
      { cause: error },
    );
  if (error.status === 507 || error.code === "quota_exceeded") {
    const daily = error.problem?.limit === "workspace_calls_per_day";
    const when = daily ? `after ${nextDay()}` : "once there is storage space";
    return new ImportStopped(
      `The workspace accepts no more calls: ${error.message}${named} Run the same command again to resume ${when}.`,
      4,
      { cause: error },
    );
  }
  return new ImportStopped(
    `Unexpected response from the service: ${error.message}${named} Fix the problem, then run the same command again to resume.`,
    4,
    { cause: error },
  );
}

/** Quota days end at midnight UTC. */
function nextDay(): string {
  const at = new Date();
  at.setUTCHours(24, 0, 0, 0);
  return `${at.toISOString().slice(0, 10)} 00:00 UTC`;
}
