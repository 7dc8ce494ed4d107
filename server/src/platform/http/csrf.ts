import type { FastifyRequest } from "fastify";
import type { Config } from "../config.ts";
import { originForbidden } from "../errors.ts";

type Address = Pick<Config, "publicUrl" | "publicUrlGiven">;

/**
 * Whether the origin is this service: PUBLIC_URL or, if that is not set, the request's Host. The Host header alone is
 * not enough, because with DNS rebinding it names the attacker's site.
 */
function isOwnOrigin(origin: string, host: string | undefined, { publicUrl, publicUrlGiven }: Address): boolean {
  if (origin === publicUrl) return true;
  if (publicUrlGiven) return false;
  const from = URL.parse(origin);
  // Parse the Host header as well: a proxy may add the default port.
  return !!from && from.host !== "" && from.host === URL.parse(`${from.protocol}//${host}`)?.host;
}

const safeMethods = new Set(["GET", "HEAD"]);

/** CSRF protection for requests with a session cookie: rejects requests initiated by other sites. */
export function requireSameOrigin({ method, headers }: FastifyRequest, address: Address): void {
  if (safeMethods.has(method)) {
    if (headers["sec-fetch-site"] === "cross-site") throw originForbidden();
    return;
  }
  if (!headers.origin || !isOwnOrigin(headers.origin, headers.host, address)) throw originForbidden();
}

/**
 * CSRF protection for requests without a session, such as sign-in. Clients other than browsers send no Origin and pass.
 */
export function rejectCrossOrigin({ headers }: FastifyRequest, address: Address): void {
  const { origin, host } = headers;
  if (origin !== undefined && !isOwnOrigin(origin, host, address)) throw originForbidden();
  if (headers["sec-fetch-site"] === "cross-site") throw originForbidden();
}
