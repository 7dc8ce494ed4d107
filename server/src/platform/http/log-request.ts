import { createHmac, randomBytes } from "node:crypto";
import type { Issue } from "@hearback/contract";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Logs one line per request: ids and numbers, never the request's content. */
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { method, routeOptions } = request;
  const { statusCode: status } = reply;
  const ms = Math.round(reply.elapsedTime);
  const route = routeOptions.url ?? "none";
  request.log[levelOf(request, status)](
    { method, route, status, ms, ...callerOf(request, status), fields: request.refusedFields, ...request.about },
    "request",
  );
}

const maxNames = 10;

/**
 * The names of invalid fields and what is wrong with them, without their values. What the caller named is left out: unknown
 * members, and what does not look like a field, could be a telephone number.
 */
export function namesOf(issues: readonly Issue[]): string[] {
  const isOurs = ({ part, code }: Issue) => code !== "unknown_member" && /^[a-z][a-z0-9_]{0,49}$/.test(part);
  const names = issues.map((issue) => (isOurs(issue) ? `${issue.part}: ${issue.code}` : issue.code));
  return [...new Set(names)].slice(0, maxNames);
}

/** Frequent public requests and rate-limited ones are logged at debug level. 401 and 403 are always logged. */
function levelOf({ routeOptions }: FastifyRequest, status: number): "info" | "debug" {
  if (status === 401 || status === 403) return "info";
  return routeOptions.config.access === "public" || status === 429 ? "debug" : "info";
}

function callerOf({ caller, ip, refusedWith: code }: FastifyRequest, status: number): object {
  if (!caller) return status === 401 || status === 403 ? { client: pseudonymOf(ip), code } : { code };
  const { kind, workspaceId } = caller;
  return { caller: { kind, id: kind === "key" ? caller.keyId : caller.userId, workspaceId }, code };
}

const salt = randomBytes(32);

/**
 * Keyed hash of the IP address, which is personal data and not logged. Distinguishes clients until the process
 * restarts.
 */
const pseudonymOf = (ip: string) => createHmac("sha256", salt).update(ip).digest("hex").slice(0, 12);
