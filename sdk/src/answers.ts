import type { RawAnswer } from "./form.ts";
import { retryAfterMs, ServiceError, unreachable } from "./service-error.ts";

const neverSent = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** A failure without an answer. */
export function noAnswer(root: string, attempts: number, error: unknown): ServiceError {
  // fetch hides the reason behind "fetch failed", and node:net several of them behind nothing.
  const chain = [error, (error as Error | undefined)?.cause].filter((link) => link instanceof Error);
  const links = chain.flatMap((link) => (link instanceof AggregateError ? (link.errors as Error[]) : [link]));
  const nothingDone = links.some((link) => neverSent.has((link as { code?: string }).code ?? ""));
  const reason = links.at(-1)?.message || String(error);
  const failure = { status: 0, code: unreachable, attempts, nothingDone };
  return new ServiceError(`No answer from ${root}: ${reason}`, failure, { cause: error });
}

/** An answer that is not a success. */
export function refusal({ status, header, text }: RawAnswer, attempts: number): ServiceError {
  const problem = problemOf(text);
  const code = problem?.code ?? `http_${status}`;
  const moved =
    status >= 300 && status < 400
      ? ` It sends us to ${header("location") ?? "another address"}: is the address right?`
      : "";
  return new ServiceError(problem?.detail ?? `The service answered ${status}.${moved}`, {
    ...{ status, code, attempts, problem },
    requestId: problem?.request_id ?? header("x-request-id") ?? undefined,
    retryAfterMs: retryAfterMs(header("retry-after")),
    // PostgreSQL may be lost at the very moment of a commit; of everything else it is known.
    nothingDone: (status >= 300 && status < 500) || (status === 503 && code !== "database_unavailable"),
  });
}

interface Success<Body> {
  readonly text: string;
  readonly status: number;
  /** Whether it has what is needed of it. */
  readonly isWhole?: ((body: Partial<Body>) => boolean) | undefined;
}

/** What a success says. Something else than JSON, or JSON of another shape, comes from somebody else. */
export function parsed<Body>({ text, status, isWhole = () => true }: Success<Body>, attempts: number): Body {
  let body: Body;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw notUnderstood("is no JSON", { status, attempts, cause });
  }
  if (typeof body === "object" && body !== null && isWhole(body)) return body;
  throw notUnderstood("is not what was asked for", { status, attempts });
}

export function notUnderstood(
  what: string,
  { status, attempts, cause }: { status: number; attempts: number; cause?: unknown },
): ServiceError {
  const failure = { status, code: "not_understood", attempts, nothingDone: false };
  return new ServiceError(`The answer ${what}: is the address that of the service?`, failure, { cause });
}

function problemOf(text: string): ServiceError["problem"] {
  try {
    const body = JSON.parse(text) as ServiceError["problem"];
    return typeof body?.code === "string" ? body : undefined;
  } catch {
    // Something between us and the service answered.
    return undefined;
  }
}
