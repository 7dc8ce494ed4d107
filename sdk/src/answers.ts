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

/** What a success says. Something else than JSON comes from somebody else. */
export function parsed<Body>(text: string, status: number, attempts: number): Body {
  try {
    return JSON.parse(text) as Body;
  } catch (cause) {
    const failure = { status, code: "not_understood", attempts, nothingDone: false };
    throw new ServiceError("The answer is no JSON: is the address that of the service?", failure, { cause });
  }
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
