import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";
import type { Page } from "playwright-core";

/** An OpenID Connect provider, with pages on which people sign in: whoever says an address has it. */
export interface SignInProvider {
  /** The settings of a service that lets people sign in there. */
  readonly settings: Record<string, string>;
  /** Opens it for the service at this address. */
  serve(publicUrl: string): void;
  close(): void;
}

/** Addresses that begin so are not confirmed. */
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

/** Signs in on the provider's pages and agrees that the service may know who it is. */
export async function vouchFor(page: Page, email: string): Promise<void> {
  await page.locator("input[name=login]").fill(email);
  await page.locator("input[name=password]").fill("anything");
  await page.locator("button[type=submit]").click();
  await page.getByRole("button", { name: "Continue" }).click();
}
