import { createHash, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

type Json = Record<string, unknown>;

/** How the provider deviates from correct behaviour. */
interface Misbehaviour {
  /** Additional or overriding claims of the ID token. */
  readonly claims?: Json;
  /** Signs with a key that it does not publish. */
  readonly foreignKey?: boolean;
  /** Does not sign the ID token. */
  readonly unsigned?: boolean;
  /** Overrides of the discovery document. */
  readonly metadata?: Json;
  /** Status of the token response. */
  readonly tokenStatus?: number;
  /** Never responds. */
  readonly silent?: boolean;
  /** Claims of the userinfo endpoint. */
  readonly userinfo?: Json;
}

/** An OpenID Connect provider that can be made to misbehave. */
export interface SignInProvider {
  readonly issuer: string;
  behave(how: Misbehaviour): void;
  /** Simulates the browser's visit: signs in, optionally with extra claims, and returns the query of the redirect back. */
  visit(url: string, claims?: Json): string;
  /** Number of requests by path. */
  readonly requestCounts: Map<string, number>;
}

export const clientSecret = "a secret between the two of us";

const pair = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const part = (content: Json) => Buffer.from(JSON.stringify(content)).toString("base64url");

export async function openSignInProvider(): Promise<SignInProvider> {
  let how: Misbehaviour = {};
  const [ownKeys, foreignKeys] = [pair(), pair()];
  const requestCounts = new Map<string, number>();
  const codes = new Map<string, { nonce: string; challenge: string; claims: Json }>();
  let issuer = "";

  /** One account per email address. */
  const subject = () => `account of ${how.claims?.email ?? how.userinfo?.email}`;

  function idToken({ nonce, claims: own }: { nonce: string; claims: Json }): string {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      aud: "hearback",
      sub: subject(),
      nonce,
      iat: now,
      exp: now + 60,
      ...how.claims,
      ...own,
    };
    const header = part(how.unsigned ? { alg: "none" } : { alg: "RS256", kid: "1" });
    const signed = `${header}.${part(claims)}`;
    if (how.unsigned) return `${signed}.`;
    return `${signed}.${sign("sha256", Buffer.from(signed), (how.foreignKey ? foreignKeys : ownKeys).privateKey).toString("base64url")}`;
  }

  function tokens(form: URLSearchParams, authorization: string | undefined): [number, Json] {
    if (how.tokenStatus) return [how.tokenStatus, { error: "invalid_grant" }];
    const code = form.get("code") ?? "";
    const given = codes.get(code);
    codes.delete(code);
    const expected = `Basic ${Buffer.from(`hearback:${encodeURIComponent(clientSecret).replaceAll("%20", "+")}`).toString("base64")}`;
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (!given || given.challenge !== proof) return [400, { error: "invalid_grant" }];
    if (authorization !== expected) return [401, { error: "invalid_client" }];
    return [200, { access_token: randomUUID(), token_type: "Bearer", expires_in: 60, id_token: idToken(given) }];
  }

  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "", issuer);
    requestCounts.set(pathname, (requestCounts.get(pathname) ?? 0) + 1);
    if (how.silent) return;
    let body = "";
    for await (const chunk of request) body += chunk;
    const answers: Record<string, () => [number, Json]> = {
      "/.well-known/openid-configuration": () => [
        200,
        {
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/userinfo`,
          jwks_uri: `${issuer}/jwks`,
          authorization_response_iss_parameter_supported: true,
          code_challenge_methods_supported: ["S256"],
          ...how.metadata,
        },
      ],
      "/jwks": () => [
        200,
        { keys: [{ ...ownKeys.publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" }] },
      ],
      "/token": () => tokens(new URLSearchParams(body), request.headers.authorization),
      "/userinfo": () => [200, { sub: subject(), ...how.userinfo }],
    };
    const [status, content] = answers[pathname]?.() ?? [404, {}];
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(content));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  return {
    issuer,
    requestCounts,
    behave(next) {
      how = next;
    },
    visit(url, claims = {}) {
      const { searchParams } = new URL(url);
      const code = randomUUID();
      const challenge = searchParams.get("code_challenge") ?? "";
      codes.set(code, { nonce: searchParams.get("nonce") ?? "", challenge, claims });
      return String(new URLSearchParams({ code, state: searchParams.get("state") ?? "", iss: issuer }));
    },
  };
}
