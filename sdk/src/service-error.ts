import type { Problem } from "./wire.ts";

/** What a failure without an answer is called: the connection was refused, lost, or too slow. */
export const unreachable = "unreachable";

interface Failure {
  readonly status: number;
  readonly code: string;
  readonly requestId?: string | undefined;
  readonly problem?: (Problem & Readonly<Record<string, unknown>>) | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly attempts: number;
  readonly nothingDone: boolean;
}

/** Every failure of a request: an answer that is not a success, or none (status 0, code "unreachable"). */
export class ServiceError extends Error {
  override name = "ServiceError";
  /** The status of the answer; 0: there was none. */
  readonly status: number;
  /** Stable; every code is explained at `/errors/<code>` of the service. */
  readonly code: string;
  /** Name it when you ask for help. */
  readonly requestId: string | undefined;
  /** The whole answer, where the service gave one. */
  readonly problem: (Problem & Readonly<Record<string, unknown>>) | undefined;
  /** How long the service asks to wait before the next attempt. */
  readonly retryAfterMs: number | undefined;
  /** How often it was tried. */
  readonly attempts: number;
  /** true: it is certain that the request changed nothing. */
  readonly nothingDone: boolean;

  constructor(message: string, failure: Failure, options?: ErrorOptions) {
    super(message, options);
    this.status = failure.status;
    this.code = failure.code;
    this.requestId = failure.requestId;
    this.problem = failure.problem;
    this.retryAfterMs = failure.retryAfterMs;
    this.attempts = failure.attempts;
    this.nothingDone = failure.nothingDone;
  }
}

const passing = new Set([0, 429, 500, 502, 503, 504]);

/** Whether sending the same request again may succeed: the service cannot answer now, or asks to wait. */
export const mayRetry = ({ status }: ServiceError) => passing.has(status);

/** "3" or a date → milliseconds from now. */
export function retryAfterMs(header: string | null | undefined, now = Date.now()): number | undefined {
  if (!header) return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}
