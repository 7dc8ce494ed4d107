import { ServiceError, type ServiceErrorCode } from "@hearback/sdk";

const connectionErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection lost",
  EPIPE: "connection lost",
  UND_ERR_SOCKET: "connection lost",
  ENOTFOUND: "host not found",
  EAI_AGAIN: "DNS lookup failed",
  ENETUNREACH: "network unreachable",
  EHOSTUNREACH: "host unreachable",
  ETIMEDOUT: "timeout",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  TimeoutError: "timeout",
};

/** Status codes of the service, or of a proxy in front of it, after which the same request may succeed later. */
const retryableStatuses = new Set([0, 408, 429, 500, 502, 503, 504]);
/**
 * body_*: the upload was cut off by the network. not_understood, http_404: another server answered, such as a proxy
 * while the service restarts.
 */
const retryableCodes = new Set<ServiceErrorCode>(["body_incomplete", "body_too_slow", "not_understood", "http_404"]);

/** Whether the same request may succeed later without any change. */
export function isRetryable(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError)) return false;
  return (retryableStatuses.has(error.status) && error.code !== "quota_exceeded") || retryableCodes.has(error.code);
}

/** Whether the request rate is too high. `too_many_uploads` limits concurrency instead. */
export const isRateLimited = ({ status, code }: ServiceError) => status === 429 && code !== "too_many_uploads";

/** For display: "the service is unreachable (connection refused)". */
export function retryReason(error: ServiceError): string {
  if (error.status === 0) return `the service is unreachable (${connectionError(error)})`;
  if (error.status === 429) return `the service is limiting requests (${error.code})`;
  if (error.code === "not_understood" || error.code === "http_404")
    return "the response does not come from the service";
  return `the service is unavailable (${error.status}, ${error.code})`;
}

function connectionError(error: Error): string {
  let deepest = error;
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const known = connectionErrors[(at as NodeJS.ErrnoException).code ?? ""] ?? connectionErrors[at.name];
    if (known) return known;
    deepest = at;
  }
  return deepest.message;
}
