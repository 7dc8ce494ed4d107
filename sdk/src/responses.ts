import type { RawResponse } from "./form.ts";
import { retryAfterMs, ServiceError, unreachable } from "./service-error.ts";
import type { ErrorCode } from "./wire.ts";

const neverSent = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** A failure without a response. */
export function noResponse(root: string, attempts: number, error: unknown): ServiceError {
  // fetch wraps the reason in "fetch failed"; node:net wraps several in an AggregateError without a message.
  const chain = [error, (error as Error | undefined)?.cause].filter((link) => link instanceof Error);
  const links = chain.flatMap((link) => (link instanceof AggregateError ? (link.errors as Error[]) : [link]));
  const nothingDone = links.some((link) => neverSent.has((link as { code?: string }).code ?? ""));
  const reason = links.at(-1)?.message || String(error);
  const failure = { status: 0, code: unreachable, attempts, nothingDone } as const;
  return new ServiceError(`No response from ${root}: ${reason}`, failure, { cause: error });
}

/** A response with an error status. */
export function errorResponse({ status, header, text }: RawResponse, attempts: number): ServiceError {
  const problem = problemOf(text);
  const code = (problem?.code as ErrorCode | undefined) ?? (`http_${status}` as const);
  const redirect =
    status >= 300 && status < 400
      ? ` It redirects to ${header("location") ?? "another address"}. Check the base URL.`
      : "";
  return new ServiceError(problem?.detail ?? `The service returned status ${status}.${redirect}`, {
    status,
    code,
    attempts,
    problem,
    requestId: problem?.request_id ?? header("x-request-id") ?? undefined,
    retryAfterMs: retryAfterMs(header("retry-after")),
    // If the database connection is lost during a commit, the outcome is unknown. In all other cases nothing was
    // changed.
    nothingDone: (status >= 300 && status < 500) || (status === 503 && code !== "database_unavailable"),
  });
}

interface Success<Body> {
  readonly text: string;
  readonly status: number;
  /** Checks that the body has the required members. */
  readonly isComplete?: ((body: Partial<Body>) => boolean) | undefined;
}

/** Parses a successful response. A body that is not JSON, or has another shape, does not come from Hearback. */
export function parseBody<Body>({ text, status, isComplete = () => true }: Success<Body>, attempts: number): Body {
  let body: Body;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw notUnderstood("is not JSON", { status, attempts, cause });
  }
  if (typeof body === "object" && body !== null && isComplete(body)) return body;
  throw notUnderstood("has an unexpected form", { status, attempts });
}

export function notUnderstood(
  what: string,
  { status, attempts, cause }: { status: number; attempts: number; cause?: unknown },
): ServiceError {
  const failure = { status, code: "not_understood", attempts, nothingDone: false } as const;
  return new ServiceError(
    `The response ${what}. Check that the base URL is the address of a Hearback server.`,
    failure,
    { cause },
  );
}

function problemOf(text: string): ServiceError["problem"] {
  try {
    const body = JSON.parse(text) as ServiceError["problem"];
    return typeof body?.code === "string" ? body : undefined;
  } catch {
    // The response comes from a proxy, not from the service.
    return undefined;
  }
}
