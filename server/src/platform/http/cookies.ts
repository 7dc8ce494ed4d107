/**
 * Reads a cookie. Undefined if it was sent twice: one of the two was planted by an attacker, and it is unknown which.
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const values = (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}

export interface CookieOptions {
  /** Max-Age. 0 deletes the cookie. */
  readonly seconds: number;
  /** Whether to set the Secure attribute. */
  readonly secure: boolean;
}

/** Builds a Set-Cookie header: host-only, HttpOnly and SameSite=Lax. */
export const writeCookie = (name: string, value: string, { seconds, secure }: CookieOptions): string =>
  `${name}=${value}; Path=/; Max-Age=${Math.max(0, Math.floor(seconds))}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
