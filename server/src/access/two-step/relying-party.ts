import { isIP } from "node:net";
import type { App } from "../../platform/app.ts";
import { passkeysUnavailable } from "../errors.ts";

export interface RelyingParty {
  /** The RP ID: passkeys are bound to this host name. */
  readonly id: string;
  readonly origin: string;
}

/** The WebAuthn relying party. Undefined: browsers refuse passkeys for IP addresses, and without TLS except on localhost. */
export function relyingParty({ config }: Pick<App, "config">): RelyingParty | undefined {
  const { hostname, protocol, origin } = new URL(config.publicUrl);
  const secure = protocol === "https:" || hostname === "localhost" || hostname.endsWith(".localhost");
  const isAddress = hostname.startsWith("[") || isIP(hostname) !== 0;
  return secure && !isAddress ? { id: hostname, origin } : undefined;
}

export function requireRelyingParty(app: Pick<App, "config">): RelyingParty {
  const party = relyingParty(app);
  if (party) return party;
  throw passkeysUnavailable();
}
