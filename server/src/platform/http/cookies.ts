/** The value of a cookie. None if it was sent twice: one of the two was planted, and nobody can tell which. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const values = (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}

export interface CookieOptions {
  /** How long the browser keeps it; 0: it forgets it. */
  readonly seconds: number;
  /** Whether it is sent over TLS alone. */
  readonly secure: boolean;
}

/** A cookie for all of this host and no other, which no script can read and no other site's form sends along. */
export const writeCookie = (name: string, value: string, { seconds, secure }: CookieOptions): string =>
  `${name}=${value}; Path=/; Max-Age=${Math.max(0, Math.floor(seconds))}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
