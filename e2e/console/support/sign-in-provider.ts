import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";
import type { Page } from "playwright-core";

/** OpenID Connect provider that accepts any email address. */
export interface SignInProvider {
  /** Settings that connect Hearback to the provider. */
  readonly settings: Record<string, string>;
  /** Starts the provider for Hearback at this URL. */
  serve(publicUrl: string): void;
  close(): void;
}

/** Prefix of unverified addresses. */
const unverified = "unconfirmed";

export async function openSignInProvider(): Promise<SignInProvider> {
  const client = { client_id: "hearback", client_secret: "a secret between the two of us" };
  let answer: RequestListener = (_request, response) => response.writeHead(503).end();
  const server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    settings: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: client.client_id,
      OIDC_CLIENT_SECRET: client.client_secret,
      OIDC_NAME: "Acme",
    },
    serve(publicUrl) {
      const provider = new Provider(issuer, {
        clients: [{ ...client, redirect_uris: [`${publicUrl}/session/oidc/callback`] }],
        claims: { openid: ["sub"], email: ["email", "email_verified"] },
        cookies: { keys: ["for tests"] },
        ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
        findAccount: (_: unknown, id: string) => ({
          accountId: id,
          claims: () => ({ sub: id, email: id, email_verified: !id.startsWith(unverified) }),
        }),
      });
      answer = provider.callback();
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Signs in at the provider and gives consent. */
export async function signInAtProvider(page: Page, email: string): Promise<void> {
  await page.locator("input[name=login]").fill(email);
  await page.locator("input[name=password]").fill("anything");
  await page.locator("button[type=submit]").click();
  await page.getByRole("button", { name: "Continue" }).click();
}
