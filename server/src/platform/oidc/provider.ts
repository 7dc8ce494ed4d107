import type { Configuration } from "openid-client";
import type { OidcConfig } from "../config.ts";

/** What must be remembered of a journey to the provider until the browser comes back. */
export interface Journey {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Why nobody came back: the provider does not answer, or it says no, or what it says is not to be believed. */
export class ProviderError extends Error {
  override name = "ProviderError";
  readonly reason: "away" | "refused";
  constructor(reason: "away" | "refused", cause: unknown) {
    super(`the sign-in provider: ${reason}`, { cause });
    this.reason = reason;
  }
}

/** Whom the provider vouches for. */
export interface Vouched {
  readonly email: string | undefined;
  readonly emailVerified: boolean;
}

export interface Provider {
  /** Where to send a browser, and what to remember meanwhile. */
  begin(): Promise<{ readonly url: string; readonly journey: Journey }>;
  /** What came back: `query` is that of the address the browser was sent to. */
  finish(query: string, journey: Journey): Promise<Vouched>;
}

/** A provider that takes longer than this is away. */
const patienceSeconds = 5;
/** What it says of itself is asked for again after this long. */
const believedMs = 3600_000;

/**
 * An OpenID Connect provider: authorization code with PKCE, state and nonce. It is first spoken to when somebody wants to
 * sign in, so it can be away when we start; the library is loaded then, too.
 */
export function openProvider({ issuer, clientId, clientSecret }: OidcConfig, redirectUri: string): Provider {
  let known: { readonly asked: Promise<Configuration>; readonly at: number } | undefined;

  async function discover(): Promise<Configuration> {
    const client = await import("openid-client");
    const server = new URL(issuer);
    const execute = [...(server.protocol === "http:" ? [client.allowInsecureRequests] : [])];
    const found = await client.discovery(server, clientId, clientSecret, undefined, {
      timeout: patienceSeconds,
      execute,
    });
    const methods = found.serverMetadata().token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const authenticate = methods.includes("client_secret_basic") ? client.ClientSecretBasic : client.ClientSecretPost;
    const configuration = new client.Configuration(found.serverMetadata(), clientId, {}, authenticate(clientSecret));
    configuration.timeout = patienceSeconds;
    // Signatures are checked although the tokens come straight from the provider.
    for (const extend of [...execute, client.enableNonRepudiationChecks]) extend(configuration);
    return configuration;
  }

  /** One question for all who ask at once. A failure is forgotten, so that the next one asks again. */
  async function configuration(): Promise<Configuration> {
    if (!known || known.at < Date.now() - believedMs) {
      const asked = discover();
      const asking = { asked, at: Date.now() };
      known = asking;
      asked.catch(() => {
        if (known === asking) known = undefined;
      });
    }
    return known.asked.catch((error) => {
      throw new ProviderError("away", error);
    });
  }

  return {
    async begin() {
      const provider = await configuration();
      const client = await import("openid-client");
      const { randomState, randomNonce, randomPKCECodeVerifier, calculatePKCECodeChallenge } = client;
      const journey = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const { href } = client.buildAuthorizationUrl(provider, {
        redirect_uri: redirectUri,
        scope: "openid email",
        code_challenge: await calculatePKCECodeChallenge(journey.verifier),
        code_challenge_method: "S256",
        ...{ state: journey.state, nonce: journey.nonce },
      });
      return { url: href, journey };
    },
    async finish(query, { state, nonce, verifier }) {
      const provider = await configuration();
      const client = await import("openid-client");
      try {
        const tokens = await client.authorizationCodeGrant(provider, new URL(`${redirectUri}?${query}`), {
          ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
        });
        const claims = tokens.claims();
        // Some providers keep the address out of the token and tell it only to who asks.
        const said =
          claims && claims.email === undefined && provider.serverMetadata().userinfo_endpoint
            ? await client.fetchUserInfo(provider, tokens.access_token, claims.sub)
            : (claims ?? {});
        const { email, email_verified: verified } = said as { email?: unknown; email_verified?: unknown };
        return { email: typeof email === "string" ? email : undefined, emailVerified: verified === true };
      } catch (error) {
        throw new ProviderError(isAway(error) ? "away" : "refused", error);
      }
    },
  };
}

/** Whether it is a matter of the network or of the provider's health, and not of what it said. */
function isAway(error: unknown): boolean {
  const { code, status, error: said } = error as { code?: unknown; status?: unknown; error?: unknown };
  if (said === "temporarily_unavailable" || said === "server_error") return true;
  if (code === "OAUTH_TIMEOUT" || code === "OAUTH_RESPONSE_IS_NOT_CONFORM") return true;
  // fetch says of every failure to connect that it is a TypeError with a cause.
  return (error instanceof TypeError && error.cause !== undefined && code === undefined) || Number(status) >= 500;
}
