import type { Configuration, TokenEndpointResponse, TokenEndpointResponseHelpers } from "openid-client";
import { openSingleFlight } from "../async/single-flight.ts";
import type { OidcConfig } from "../config.ts";

/** State of an authorization request until the browser returns from the provider. */
export interface AuthorizationState {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Unix time in seconds. */
  readonly startedAt: number;
}

/** Sign-in failed: the provider is unavailable ("away"), or it refused or returned an invalid response ("refused"). */
export class ProviderError extends Error {
  override name = "ProviderError";
  readonly reason: "away" | "refused";
  constructor(reason: "away" | "refused", cause: unknown) {
    super(`identity provider: ${reason}`, { cause });
    this.reason = reason;
  }
}

/** Verified claims about the user from the provider. */
export interface ProviderClaims {
  readonly issuer: string;
  /** Identifies the account at the issuer. Never reassigned. */
  readonly subject: string;
  /** When the user last authenticated at the provider. Undefined if the provider does not report it. */
  readonly authenticatedAt: Date | undefined;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
}

export interface Provider {
  /**
   * Returns the URL to redirect the browser to, and the state to keep. `fresh` requires the user to authenticate again.
   */
  begin(options?: {
    readonly fresh?: boolean;
  }): Promise<{ readonly url: string; readonly authorization: AuthorizationState }>;
  /** Completes the sign-in. `query` is the query string of the redirect from the provider. */
  finish(query: string, authorization: AuthorizationState): Promise<ProviderClaims>;
}

/** Maximum length of a subject (OpenID Connect Core, section 2), and a generous one for issuers. */
const maxLength = { issuer: 500, subject: 255 } as const;

/** Timeout of requests to the provider. */
const timeoutSeconds = 5;
/** Cache TTL of the provider's discovery document. */
const discoveryTtlMs = 3600_000;

/**
 * An OpenID Connect provider: authorization code flow with PKCE, state and nonce. Discovery happens at the first
 * sign-in, so the provider may be unavailable when the server starts. The library is also loaded then.
 */
export function openProvider(config: OidcConfig, redirectUri: string): Provider {
  const discoveries = openSingleFlight<Configuration>({
    ttlMs: Number.POSITIVE_INFINITY,
    maxAgeMs: discoveryTtlMs,
  });

  const configuration = () =>
    discoveries
      .run(config.issuer, () => discover(config))
      .catch((error) => {
        throw new ProviderError("away", error);
      });

  return {
    async begin({ fresh = false } = {}) {
      const provider = await configuration();
      const client = await import("openid-client");
      const { randomState, randomNonce, randomPKCECodeVerifier, calculatePKCECodeChallenge } = client;
      const startedAt = Math.floor(Date.now() / 1000);
      const authorization = {
        state: randomState(),
        nonce: randomNonce(),
        verifier: randomPKCECodeVerifier(),
        startedAt,
      };
      const { href } = client.buildAuthorizationUrl(provider, {
        redirect_uri: redirectUri,
        scope: "openid email",
        code_challenge: await calculatePKCECodeChallenge(authorization.verifier),
        code_challenge_method: "S256",
        state: authorization.state,
        nonce: authorization.nonce,
        // max_age makes providers return auth_time.
        ...(fresh && { prompt: "login", max_age: "0" }),
      });
      return { url: href, authorization };
    },
    async finish(query, { state, nonce, verifier }) {
      const provider = await configuration();
      const client = await import("openid-client");
      try {
        const tokens = await client.authorizationCodeGrant(provider, new URL(`${redirectUri}?${query}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        return await readClaims(provider, tokens);
      } catch (error) {
        throw new ProviderError(isUnavailable(error) ? "away" : "refused", error);
      }
    },
  };
}

/** Loads the library and the provider's discovery document. */
async function discover({ issuer, clientId, clientSecret }: OidcConfig): Promise<Configuration> {
  const client = await import("openid-client");
  const server = new URL(issuer);
  const execute = [...(server.protocol === "http:" ? [client.allowInsecureRequests] : [])];
  const found = await client.discovery(server, clientId, clientSecret, undefined, {
    timeout: timeoutSeconds,
    execute,
  });
  const methods = found.serverMetadata().token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const authenticate = methods.includes("client_secret_basic") ? client.ClientSecretBasic : client.ClientSecretPost;
  const configuration = new client.Configuration(found.serverMetadata(), clientId, {}, authenticate(clientSecret));
  configuration.timeout = timeoutSeconds;
  // Verify token signatures, although the tokens come directly from the provider.
  for (const extend of [...execute, client.enableNonRepudiationChecks]) extend(configuration);
  return configuration;
}

async function readClaims(
  provider: Configuration,
  tokens: TokenEndpointResponse & TokenEndpointResponseHelpers,
): Promise<ProviderClaims> {
  const claims = tokens.claims();
  if (!claims) throw new Error("the response contains no ID token");
  const { iss: issuer, sub: subject, auth_time: time } = claims;
  if (issuer.length > maxLength.issuer || subject.length > maxLength.subject) throw new Error("iss or sub is too long");
  // Some providers return the email address only from the userinfo endpoint.
  const { fetchUserInfo } = await import("openid-client");
  const profile =
    claims.email === undefined && provider.serverMetadata().userinfo_endpoint
      ? await fetchUserInfo(provider, tokens.access_token, subject)
      : claims;
  const { email, email_verified: verified } = profile as { email?: unknown; email_verified?: unknown };
  return {
    issuer,
    subject,
    authenticatedAt: typeof time === "number" ? new Date(time * 1000) : undefined,
    email: typeof email === "string" ? email : undefined,
    emailVerified: verified === true,
  };
}

/** Whether the failure is caused by the network or the provider's availability. */
function isUnavailable(error: unknown): boolean {
  const { code, status, error: oauthError } = error as { code?: unknown; status?: unknown; error?: unknown };
  if (oauthError === "temporarily_unavailable" || oauthError === "server_error") return true;
  if (code === "OAUTH_TIMEOUT" || code === "OAUTH_RESPONSE_IS_NOT_CONFORM") return true;
  // fetch reports connection failures as a TypeError with a cause.
  return (error instanceof TypeError && error.cause !== undefined && code === undefined) || Number(status) >= 500;
}
