import type { Page, Response } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Console, openConsole, type Person, startSession, visit } from "./support/console.ts";
import { chooseOption, expectAccessible, screenshots, tabTo } from "./support/page-checks.ts";

let console_: Console;
let ann: Person;
const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0";

beforeAll(async () => {
  console_ = await openConsole();
  ann = await console_.addPerson("supervisor", "ann.lee@example.com");
});
afterAll(async () => {
  await console_?.close();
});

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor();

test("sign-in with the keyboard alone returns to the requested page", async () => {
  const page = await console_.openPage();
  await page.goto(`${console_.url}/campaigns?archived=all`);
  await heading(page, "Sign in to Hearback");
  await screenshots(page, "sign-in");
  await expectAccessible(page);
  await page.keyboard.type(ann.email);
  await tabTo(page, "Password");
  await page.keyboard.type("not the password of anybody");
  await tabTo(page, "Show password");
  await page.keyboard.press("Space");
  expect(await page.getByLabel("Password", { exact: true }).getAttribute("type")).toBe("text");
  await page.keyboard.press("Space");
  await tabTo(page, "Sign in");
  await page.keyboard.press("Enter");
  await page.getByText("The email address or password is wrong.").waitFor();
  await screenshots(page, "sign-in-wrong");
  await expectAccessible(page);
  await page.getByLabel("Password", { exact: true }).focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(ann.password);
  await page.keyboard.press("Enter");
  await heading(page, "Campaigns");
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe("/console/campaigns?archived=all");
  expect(await page.getByRole("link", { name: "Campaigns" }).getAttribute("aria-current")).toBe("page");
  await page.context().close();
});

test("failed sign-ins are throttled with a countdown", async () => {
  const page = await console_.openPage();
  const bob = await console_.addPerson("agent", "bob@example.com");
  await page.goto(`${console_.url}/sign-in`);
  await page.locator("input[autocomplete=username]").fill(bob.email);
  const password = page.locator("input[autocomplete=current-password]");
  const wait = page.getByRole("timer");
  const isAnswer = (answer: Response) =>
    answer.request().method() === "POST" && new URL(answer.url()).pathname === "/session";
  for (let tries = 0, status = 0; tries < 30 && status !== 429; tries++) {
    await password.fill(`wrong password ${tries}`);
    const answered = page.waitForResponse(isAnswer);
    await page.keyboard.press("Enter");
    status = (await answered).status();
    // The form is ready for the next attempt, or shows the countdown.
    await page.locator("button[type=submit]:enabled").or(wait).first().waitFor();
  }
  const before = await wait.textContent();
  await expect.poll(() => wait.textContent({ timeout: 1000 }), { timeout: 15_000 }).not.toBe(before);
  // Extend the pause for the screenshot.
  await console_.stack.adminDb.query(
    "update sign_in_guess set blocked_until = now() + interval '1 minute' where blocked_until > now()",
  );
  await wait.waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  await wait.waitFor();
  await screenshots(page, "sign-in-limited");
  await expectAccessible(page);
  await page.context().close();
});

test("a person in several workspaces chooses one, after a password or a provider sign-in", async () => {
  const { id } = await console_.stack.command<{ id: string }>("workspace", "create", "--name", "Northwind", "--json");
  const mia = await console_.addPerson("agent", "mia@example.com");
  await console_.addPerson("agent", mia.email, id);
  const page = await console_.openPage();
  await page.goto(`${console_.url}/sign-in?failed=oidc_unknown_person`);
  await page.getByText("You don’t have access to Hearback yet.").waitFor();
  await screenshots(page, "sign-in-unknown");
  await expectAccessible(page);
  await page.keyboard.type(mia.email);
  await tabTo(page, "Password");
  await page.keyboard.type(mia.password);
  await page.keyboard.press("Enter");
  await heading(page, "Choose a workspace");
  await screenshots(page, "sign-in-where");
  await expectAccessible(page);
  await tabTo(page, "Northwind", { role: "button" });
  await page.keyboard.press("Enter");
  await page.waitForURL(`${console_.url}/calls`);
  await page.getByRole("banner").getByText("Northwind").waitFor();

  const offered = Buffer.from(JSON.stringify([{ id, name: "Nordwind & Söhne" }])).toString("base64url");
  await page.goto(`${console_.url}/sign-in#workspaces=${offered}`);
  await page.getByRole("button", { name: "Nordwind & Söhne" }).waitFor();
  expect(page.url()).toBe(`${console_.url}/sign-in`);
  const [asked] = await Promise.all([
    page.waitForRequest((request) => request.url().includes("/session/oidc")),
    page.getByRole("button", { name: "Nordwind & Söhne" }).press("Enter"),
  ]);
  expect(new URL(asked.url()).searchParams.get("workspace_id")).toBe(id);
  await page.context().close();
});

test("a session ended from another browser is signed out within a second", async () => {
  const there = await console_.openPage({ userAgent: firefox });
  await startSession(there, console_, ann);
  await visit(there, console_, "/campaigns");
  await heading(there, "Campaigns");
  const here = await console_.openPage();
  await startSession(here, console_, ann);
  await visit(here, console_, "/account");
  await heading(here, "Your account");
  await here.getByText("Firefox, Windows").waitFor();
  await screenshots(here, "account");
  await expectAccessible(here);
  await tabTo(here, "Sign out Firefox, Windows");
  await here.keyboard.press("Enter");
  await here.getByText("Firefox, Windows").waitFor({ state: "detached" });
  await there.waitForTimeout(1000);
  await there.reload();
  await heading(there, "Sign in to Hearback");
  await here.context().close();
  await there.context().close();
});

test("an ended session leads to sign-in with a notice, and back to the page", async () => {
  const page = await console_.openPage();
  await startSession(page, console_, ann);
  await visit(page, console_, "/account");
  await heading(page, "Your account");
  await page.waitForLoadState("networkidle");
  // The click makes the first request that is refused: the page refreshes its data on a timer and when it gets the focus.
  await page.route("**", (route) => {
    const request = route.request();
    const refreshes = request.resourceType() === "fetch" && !new URL(request.url()).pathname.includes("/campaigns");
    return refreshes ? route.abort() : route.continue();
  });
  await console_.stack.adminDb.query("delete from session");
  await page.waitForTimeout(600);
  await page.getByRole("link", { name: "Campaigns" }).click();
  await page.getByText("Your session expired").waitFor();
  await page.unroute("**");
  await screenshots(page, "session-ended");
  await expectAccessible(page);
  await page.locator("input[autocomplete=username]").fill(ann.email);
  await page.locator("input[autocomplete=current-password]").fill(ann.password);
  await page.keyboard.press("Enter");
  await heading(page, "Campaigns");
  await page.context().close();
});

test("changing the password ends all other sessions", async () => {
  const eve = await console_.addPerson("reviewer", "eve@example.com");
  const there = await console_.openPage({ userAgent: firefox });
  await startSession(there, console_, eve);
  await visit(there, console_, "/queue");
  const here = await console_.openPage();
  await startSession(here, console_, eve);
  await visit(here, console_, "/account");
  await here.getByText("Firefox, Windows").waitFor();
  await tabTo(here, "Current password");
  await here.keyboard.type("not my password at all");
  await tabTo(here, "New password");
  await here.keyboard.type("short");
  await here.getByText("7 more characters").waitFor();
  await here.keyboard.type(" and then not short");
  await here.keyboard.press("Enter");
  await here.getByText("This isn’t your current password.").waitFor();
  await screenshots(here, "account-wrong-password");
  await here.getByLabel("Current password").fill(eve.password);
  await here.keyboard.press("Enter");
  await here.getByText("Password changed.").waitFor();
  await here.getByText("Firefox, Windows").waitFor({ state: "detached" });
  await here.reload();
  await heading(here, "Your account");
  await there.waitForTimeout(600);
  await there.reload();
  await heading(there, "Sign in to Hearback");
  await here.context().close();
  await there.context().close();
});

test("preferences are stored: language, theme and time zone", async () => {
  const page = await console_.openPage();
  await startSession(page, console_, ann);
  await visit(page, console_, "/account");
  await heading(page, "Your account");
  await page.getByRole("radio", { name: "Français" }).focus();
  await page.keyboard.press("Space");
  await heading(page, "Votre compte");
  expect(await page.locator("html").getAttribute("lang")).toBe("fr");
  await tabTo(page, "Fuseau horaire");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("buenos");
  await page.getByRole("option", { name: /Buenos Aires/ }).waitFor();
  await screenshots(page, "account-zone-fr");
  await chooseOption(page, /Buenos Aires/);
  await page.reload();
  await heading(page, "Votre compte");
  expect(await page.getByRole("combobox", { name: "Fuseau horaire" }).inputValue()).toContain("Buenos Aires");
  await screenshots(page, "account-fr");
  await expectAccessible(page);
  await page.context().close();
});

test("the shell: pages by role, skip link, focus and shortcut help", async () => {
  const page = await console_.openPage();
  await startSession(page, console_, await console_.addPerson("agent", "agent.smith@example.com"));
  await visit(page, console_, "/calls");
  const navigation = page.getByRole("navigation", { name: "Main navigation" });
  await navigation.getByRole("link").first().waitFor();
  expect(await navigation.getByRole("link").allTextContents()).toEqual([
    "Calls",
    "My reviews",
    "My scores",
    "How I am reviewed",
    "Scorecards",
  ]);
  await visit(page, console_, "/keys");
  await heading(page, "You don’t have access to this page");
  await screenshots(page, "not-allowed");
  await expectAccessible(page);
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await screenshots(page, "shortcuts");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.reload();
  await heading(page, "You don’t have access to this page");
  await page.keyboard.press("Tab");
  expect(await page.locator(":focus").textContent()).toBe("Skip to content");
  await page.keyboard.press("Enter");
  expect(await page.locator(":focus").getAttribute("id")).toBe("content");
  // Navigation focuses the heading.
  await navigation.getByRole("link", { name: "Calls" }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator(":focus").evaluate(({ tagName }) => tagName)).toBe("H1");
  expect(await page.locator(":focus").textContent()).toBe("Calls");
  await page.setViewportSize({ width: 390, height: 844 });
  await tabTo(page, "Open menu");
  await page.keyboard.press("Enter");
  await navigation.getByRole("link", { name: "Calls" }).waitFor();
  await page.screenshot({ path: ".data/screenshots/shell-menu-390-light.png", animations: "disabled" });
  await tabTo(page, "Calls", { role: "link" });
  await page.keyboard.press("Escape");
  expect(await page.locator(":focus").getAttribute("aria-label")).toBe("Open menu");
  // The collapsed menu is not focusable.
  for (let steps = 0; steps < 4; steps++) {
    await page.keyboard.press("Tab");
    expect(await navigation.locator(":focus").count()).toBe(0);
  }
  await page.context().close();
});
