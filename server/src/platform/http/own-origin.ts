import type { FastifyRequest } from "fastify";
import { AppError } from "../errors.ts";

/** Whether a page of that origin is one of ours: at the public address, or where the request itself went. */
function isOurs(origin: string, host: string | undefined, publicUrl: string): boolean {
  if (origin === publicUrl) return true;
  const from = URL.parse(origin);
  // A page that came without TLS can be anybody's where we are reached with it.
  if (!from || (publicUrl.startsWith("https:") && from.protocol !== "https:")) return false;
  // Read as an address too: a proxy may name the port that goes without saying.
  return from.host !== "" && from.host === URL.parse(`${from.protocol}//${host}`)?.host;
}

const forbidden = () =>
  new AppError(
    "origin_forbidden",
    "The request does not come from a page of this service, and the browser's session counts for those alone. If it does, PUBLIC_URL does not name the address that you see in the browser.",
  );

const reading = new Set(["GET", "HEAD"]);

/** Refuses what another site makes a browser send along with our cookie. */
export function requireOwnOrigin({ method, headers }: FastifyRequest, publicUrl: string): void {
  if (reading.has(method)) {
    if (headers["sec-fetch-site"] === "cross-site") throw forbidden();
    return;
  }
  if (!headers.origin || !isOurs(headers.origin, headers.host, publicUrl)) throw forbidden();
}

/** The same for who is not signed in yet: a program that is no browser says nothing of where it comes from. */
export function refuseForeignOrigin({ headers }: FastifyRequest, publicUrl: string): void {
  const { origin, host } = headers;
  if (origin !== undefined && !isOurs(origin, host, publicUrl)) throw forbidden();
  if (headers["sec-fetch-site"] === "cross-site") throw forbidden();
}
