import { createHash, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

type Json = Record<string, unknown>;

/** What the provider does otherwise than it should. */
interface Misbehaviour {
  /** Claims of the token, beside those that belong there. */
  readonly claims?: Json;
  /** Signs with another key than it publishes. */
  readonly foreignKey?: boolean;
  /** Does not sign at all. */
  readonly unsigned?: boolean;
  /** What it says of itself. */
  readonly metadata?: Json;
  /** The status of its answer about tokens. */
  readonly tokenStatus?: number;
  /** Never answers. */
  readonly silent?: boolean;
  /** Tells the address only to who asks for it. */
  readonly userinfo?: Json;
}

/** An OpenID Connect provider that can be made to lie. */
export interface SignInProvider {
  readonly issuer: string;
  behave(how: Misbehaviour): void;
  /** What a browser does that was sent there: signs in, and comes back with the query it is given. */
  visit(url: string): string;
  /** How often it was asked what. */
  readonly asked: Map<string, number>;
}

export const clientSecret = "a secret between the two of us";

const pair = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const part = (content: Json) => Buffer.from(JSON.stringify(content)).toString("base64url");

export async function openSignInProvider(): Promise<SignInProvider> {
  let how: Misbehaviour = {};
  const [own, foreign] = [pair(), pair()];
  const asked = new Map<string, number>();
  const codes = new Map<string, { nonce: string; challenge: string }>();
  let issuer = "";

  function idToken(nonce: string): string {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, aud: "hearback", sub: "4711", nonce, iat: now, exp: now + 60, ...how.claims };
    const header = part(how.unsigned ? { alg: "none" } : { alg: "RS256", kid: "1" });
    const signed = `${header}.${part(claims)}`;
    if (how.unsigned) return `${signed}.`;
    return `${signed}.${sign("sha256", Buffer.from(signed), (how.foreignKey ? foreign : own).privateKey).toString("base64url")}`;
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
    return [200, { access_token: randomUUID(), token_type: "Bearer", expires_in: 60, id_token: idToken(given.nonce) }];
  }

  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "", issuer);
    asked.set(pathname, (asked.get(pathname) ?? 0) + 1);
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
        { keys: [{ ...own.publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" }] },
      ],
      "/token": () => tokens(new URLSearchParams(body), request.headers.authorization),
      "/userinfo": () => [200, { sub: "4711", ...how.userinfo }],
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
    asked,
    behave(next) {
      how = next;
    },
    visit(url) {
      const { searchParams } = new URL(url);
      const code = randomUUID();
      codes.set(code, { nonce: searchParams.get("nonce") ?? "", challenge: searchParams.get("code_challenge") ?? "" });
      return String(new URLSearchParams({ code, state: searchParams.get("state") ?? "", iss: issuer }));
    },
  };
}
