import { ServiceError } from "@hearback/sdk";

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection lost",
  EPIPE: "connection lost",
  UND_ERR_SOCKET: "connection lost",
  ENOTFOUND: "its name is not known",
  EAI_AGAIN: "its name cannot be looked up now",
  ENETUNREACH: "network unreachable",
  EHOSTUNREACH: "host unreachable",
  ETIMEDOUT: "no answer in time",
  UND_ERR_CONNECT_TIMEOUT: "no answer in time",
  TimeoutError: "no answer in time",
};

/** Answers that a service, or what stands before it, gives when the same request may succeed later. */
const passing = new Set([0, 408, 429, 500, 502, 503, 504]);
/**
 * The recording did not arrive as a whole: the line's fault, not the recording's. Or something between us and the
 * service answered in its place, such as a proxy that says hello while the service restarts.
 */
const passingCodes = new Set(["body_incomplete", "body_too_slow", "not_understood", "http_404"]);

/** Whether the same request may succeed later, without anybody doing anything. */
export function mayPass(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError)) return false;
  return (passing.has(error.status) && error.code !== "quota_exceeded") || passingCodes.has(error.code);
}

/** Whether the service asks for fewer requests a second. */
export const isOverRate = ({ status, code }: ServiceError) => status === 429 && code !== "too_many_uploads";

/** Why it cannot go on now, for a person: "the service cannot be reached (connection refused)". */
export function whyWaiting(error: ServiceError): string {
  if (error.status === 0) return `the service cannot be reached (${connectionWords(error)})`;
  if (error.status === 429) return `the service asks to go slower (${error.code})`;
  if (error.code === "not_understood" || error.code === "http_404") return "the answer does not come from the service";
  return `the service cannot answer now (${error.status}, ${error.code})`;
}

function connectionWords(error: Error): string {
  let deepest = error;
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const known = words[(at as NodeJS.ErrnoException).code ?? ""] ?? words[at.name];
    if (known) return known;
    deepest = at;
  }
  return deepest.message;
}
