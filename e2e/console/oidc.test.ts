import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Console, openConsole } from "./support/console.ts";
import { expectAccessible, shots, tabTo } from "./support/looks.ts";
import { openSignInProvider, type SignInProvider, vouchFor } from "./support/sign-in-provider.ts";

let provider: SignInProvider;
let world: Console;
beforeAll(async () => {
  provider = await openSignInProvider();
  world = await openConsole(provider.settings);
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
/** Who the browser is to the service. */
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
/** The address that the provider sends a browser back to, not visited. */
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
  await vouchFor(page, email).catch(() => {});
  return held;
}

test("the page for signing in has the provider's button, in light and dark, wide and narrow", async () => {
  const page = await world.openPage();
  await page.goto(`${world.url}/sign-in`);
  await page.getByRole("button", { name: button }).waitFor();
  await shots(page, "sign-in-with-provider");
  await expectAccessible(page);
});

test("an invited person signs in by the provider, with the keyboard alone, and comes to the page they wanted", async () => {
  const who = ["--workspace", world.stack.workspaceId, "--email", "invited@example.com"];
  await world.stack.command("user", "create", ...who, "--name", "Ina Vit", "--role", "reviewer", "--json");
  const page = await world.openPage();
  await page.goto(`${world.url}/account`);
  await page.getByRole("button", { name: button }).waitFor();
  await tabTo(page, button);
  await page.keyboard.press("Enter");
  await page.waitForURL((address) => address.pathname.startsWith("/interaction/"));
  const callback = page.waitForRequest((request) => request.url().includes("/session/oidc/callback"));
  await vouchFor(page, "invited@example.com");
  const answered = (await callback).url();
  await page.waitForURL(`${world.url}/account`);
  await page.getByRole("heading", { name: "Your account" }).waitFor();
  expect(await whoAmI(page)).toMatchObject({ status: 200, email: "invited@example.com", by: "oidc" });

  // The same answer once more, in the same browser and in another: neither signs anybody in.
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
  ["nobody knows", "stranger@example.com", "oidc_unknown_person"],
  ["whose address is not confirmed", "unconfirmed@example.com", "oidc_unverified"],
])("somebody %s is told so and not let in", async (_, email, code) => {
  const page = await world.openPage();
  await goToProvider(page);
  await vouchFor(page, email);
  await page.waitForURL(new RegExp(`failed=${code}`));
  await page.getByRole("alert").waitFor();
  expect((await whoAmI(page)).status).toBe(401);
  await shots(page, `sign-in-${code.replaceAll("_", "-")}`);
  await expectAccessible(page);
});

test("the answer that another browser was given signs nobody in", async () => {
  const attacker = await world.openPage();
  const answer = await heldAnswer(attacker, world.admin.email);
  const victim = await world.openPage();
  // Also while the victim is on the way there.
  await goToProvider(victim);
  await victim.goto(answer);
  await victim.waitForURL(/failed=oidc_expired/);
  expect((await whoAmI(victim)).status).toBe(401);
});

test("who declines is back on the page for signing in", async () => {
  const page = await world.openPage();
  await goToProvider(page);
  await page.getByRole("link", { name: /cancel/i }).click();
  await page.waitForURL(/failed=oidc_refused/);
  expect((await whoAmI(page)).status).toBe(401);
});

test("somebody of two workspaces chooses one", async () => {
  const { id } = await world.stack.command<{ id: string }>("workspace", "create", "--name", "Second", "--json");
  for (const workspace of [id, world.stack.workspaceId]) {
    const who = ["--workspace", workspace, "--email", "both@example.com"];
    await world.stack.command("user", "create", ...who, "--name", "Bo Th", "--role", "supervisor", "--json");
  }
  const page = await world.openPage();
  await goToProvider(page);
  await vouchFor(page, "both@example.com");
  await page.getByRole("button", { name: "Second" }).waitFor();
  await shots(page, "sign-in-workspace-choice");
  await expectAccessible(page);
  await tabTo(page, "Back to the sign-in");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Sign in to Hearback" }).waitFor();

  // The provider still knows who it is, and asks nothing.
  await tabTo(page, button);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Second" }).waitFor();
  await tabTo(page, "Second");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${world.url}/calls`);
  expect(await whoAmI(page)).toMatchObject({ email: "both@example.com", workspace: "Second", by: "oidc" });
});
