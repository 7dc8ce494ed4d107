import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OwnConsole, openOwnConsole } from "./support/console.ts";
import { expectAccessible, screenshots, tabTo } from "./support/page-checks.ts";
import { openSignInProvider, type SignInProvider, signInAtProvider } from "./support/sign-in-provider.ts";

let provider: SignInProvider;
let world: OwnConsole;
beforeAll(async () => {
  provider = await openSignInProvider();
  world = await openOwnConsole(provider.settings);
  provider.serve(world.api.baseUrl);
});
afterAll(async () => {
  await world?.close();
  provider?.close();
});

const button = "Sign in with Acme";
async function goToProvider(page: Page): Promise<void> {
  await page.goto(`${world.url}/sign-in`);
  await page.getByRole("button", { name: button }).click();
  await page.waitForURL((address) => address.pathname.startsWith("/interaction/"));
}
/** Session as the server sees it. */
const whoAmI = (page: Page) =>
  page.evaluate(async () => {
    const answer = await fetch("/session");
    const body = (await answer.json()) as {
      user?: { email: string };
      workspace?: { name: string };
      signed_in_by?: string;
    };
    return { status: answer.status, email: body.user?.email, workspace: body.workspace?.name, by: body.signed_in_by };
  });
/** Callback URL of the provider, intercepted before it is visited. */
async function heldAnswer(page: Page, email: string): Promise<string> {
  await goToProvider(page);
  const browser = await page.context().newCDPSession(page);
  await browser.send("Fetch.enable", { patterns: [{ urlPattern: "*/session/oidc/callback*" }] });
  const held = new Promise<string>((resolve) => {
    browser.on("Fetch.requestPaused", ({ requestId, request }) => {
      resolve(request.url);
      void browser.send("Fetch.failRequest", { requestId, errorReason: "Aborted" });
    });
  });
  await signInAtProvider(page, email).catch(() => {});
  return held;
}

test("the sign-in page has the provider's button", async () => {
  const page = await world.openPage();
  await page.goto(`${world.url}/sign-in`);
  await page.getByRole("button", { name: button }).waitFor();
  await screenshots(page, "sign-in-with-provider");
  await expectAccessible(page);
});

test("an invited person signs in with the provider, with the keyboard alone, and returns to the requested page", async () => {
  const who = ["--workspace", world.stack.workspaceId, "--email", "invited@example.com"];
  await world.stack.command("user", "create", ...who, "--name", "Ina Vit", "--role", "reviewer", "--json");
  const page = await world.openPage();
  await page.goto(`${world.url}/account`);
  await page.getByRole("button", { name: button }).waitFor();
  await tabTo(page, button);
  await page.keyboard.press("Enter");
  await page.waitForURL((address) => address.pathname.startsWith("/interaction/"));
  const callback = page.waitForRequest((request) => request.url().includes("/session/oidc/callback"));
  await signInAtProvider(page, "invited@example.com");
  const answered = (await callback).url();
  await page.waitForURL(`${world.url}/account`);
  await page.getByRole("heading", { name: "Your account" }).waitFor();
  expect(await whoAmI(page)).toMatchObject({ status: 200, email: "invited@example.com", by: "oidc" });

  // Replaying the callback fails, in the same browser and in another.
  await page.context().clearCookies({ name: /^hearback$/ });
  await page.goto(answered);
  await page.getByText("Try again.").waitFor();
  expect(new URL(page.url()).searchParams.get("failed")).toBe("oidc_expired");
  const stranger = await world.openPage();
  await stranger.goto(answered);
  await stranger.waitForURL(/failed=oidc_expired/);
  for (const one of [page, stranger]) expect((await whoAmI(one)).status).toBe(401);
});

test.each([
  ["without a user", "stranger@example.com", "oidc_unknown_person"],
  ["with an unverified address", "unconfirmed@example.com", "oidc_unverified"],
])("a person %s gets an error and no session", async (_, email, code) => {
  const page = await world.openPage();
  await goToProvider(page);
  await signInAtProvider(page, email);
  await page.waitForURL(new RegExp(`failed=${code}`));
  await page.getByRole("alert").waitFor();
  expect((await whoAmI(page)).status).toBe(401);
  await screenshots(page, `sign-in-${code.replaceAll("_", "-")}`);
  await expectAccessible(page);
});

test("a callback of another browser does not sign in", async () => {
  const attacker = await world.openPage();
  const answer = await heldAnswer(attacker, world.admin.email);
  const victim = await world.openPage();
  // Also while the victim's own sign-in is in progress.
  await goToProvider(victim);
  await victim.goto(answer);
  await victim.waitForURL(/failed=oidc_expired/);
  expect((await whoAmI(victim)).status).toBe(401);
});

test("declining returns to the sign-in page", async () => {
  const page = await world.openPage();
  await goToProvider(page);
  await page.getByRole("link", { name: /cancel/i }).click();
  await page.waitForURL(/failed=oidc_refused/);
  expect((await whoAmI(page)).status).toBe(401);
});

test("a person in two workspaces chooses one", async () => {
  const { id } = await world.stack.command<{ id: string }>("workspace", "create", "--name", "Second", "--json");
  for (const workspace of [id, world.stack.workspaceId]) {
    const who = ["--workspace", workspace, "--email", "both@example.com"];
    await world.stack.command("user", "create", ...who, "--name", "Bo Th", "--role", "supervisor", "--json");
  }
  const page = await world.openPage();
  await goToProvider(page);
  await signInAtProvider(page, "both@example.com");
  await page.getByRole("button", { name: "Second" }).waitFor();
  await screenshots(page, "sign-in-workspace-choice");
  await expectAccessible(page);
  await tabTo(page, "Back to sign-in");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Sign in to Hearback" }).waitFor();

  // The provider session is still active, so it does not ask again.
  await tabTo(page, button);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Second" }).waitFor();
  await tabTo(page, "Second");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${world.url}/calls`);
  expect(await whoAmI(page)).toMatchObject({ email: "both@example.com", workspace: "Second", by: "oidc" });
});
