import type { ErrorCode, Problem } from "./wire.ts";

/** Code of a failure without a response: the connection was refused, lost or too slow. */
export const unreachable = "unreachable";

/**
 * The code of a failed request: one of the service, or one of the client. http_…: the response came from something else,
 * such as a proxy. A newer service may also send codes that are not listed.
 */
export type ServiceErrorCode = ErrorCode | typeof unreachable | "not_understood" | `http_${number}`;

interface Failure {
  readonly status: number;
  readonly code: ServiceErrorCode;
  readonly requestId?: string | undefined;
  readonly problem?: (Problem & Readonly<Record<string, unknown>>) | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly attempts: number;
  readonly nothingDone: boolean;
}

/** A failed request: an error response, or no response (status 0, code "unreachable"). */
export class ServiceError extends Error {
  override name = "ServiceError";
  /** HTTP status. 0: no response. */
  readonly status: number;
  /** Stable error code. `/errors/<code>` on the server explains it. */
  readonly code: ServiceErrorCode;
  /** Include it when you contact support. */
  readonly requestId: string | undefined;
  /** The response body, if the service sent one. */
  readonly problem: (Problem & Readonly<Record<string, unknown>>) | undefined;
  /** From the Retry-After header. */
  readonly retryAfterMs: number | undefined;
  /** Number of attempts made. */
  readonly attempts: number;
  /** true: the request certainly changed nothing. */
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

const retryableStatuses = new Set([0, 429, 500, 502, 503, 504]);

/** Whether the same request may succeed later: the service is unavailable or rate-limits the caller. */
export const isRetryable = ({ status }: ServiceError) => retryableStatuses.has(status);

/** Parses Retry-After, in seconds or as a date, to milliseconds from now. */
export function retryAfterMs(header: string | null | undefined, now = Date.now()): number | undefined {
  if (!header) return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}
