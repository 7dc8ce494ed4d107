import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type MailServer, openMailServer } from "../support/servers/mail-server.ts";
import { type OwnConsole, openOwnConsole, startSession, visit } from "./support/console.ts";
import { expectAccessible, screenshots, tabTo } from "./support/page-checks.ts";

let mail: MailServer;
let console_: OwnConsole;
const zoe = { email: "zoe@example.com", name: "Zoé Martin", password: "a boat on a quiet lake" };

beforeAll(async () => {
  mail = await openMailServer();
  console_ = await openOwnConsole({ SMTP_URL: mail.url });
});
afterAll(async () => {
  await console_?.close();
  await mail?.close();
});

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();

/** Link in the latest email to an address, once that many have arrived. */
async function linkTo(email: string, letters: number): Promise<string> {
  const theirs = () => mail.letters.filter(({ to }) => to === email);
  await expect.poll(() => theirs().length, { timeout: 20_000 }).toBe(letters);
  const link = /http:\/\/\S+\/console\/welcome#\S+/.exec(theirs().at(-1)?.text ?? "")?.[0];
  if (!link) throw new Error("the email has no link");
  return link;
}

test("an agent is invited by email, accepts with the keyboard alone, and sees the agent's pages", async () => {
  const admin = await console_.openPage();
  await startSession(admin, console_, console_.admin);
  await visit(admin, console_, "/people");
  await heading(admin, "People");
  await tabTo(admin, "Invite people", { role: "button" });
  await admin.keyboard.press("Enter");
  await admin
    .getByRole("dialog")
    .getByLabel(/^Email/)
    .waitFor();
  await admin.keyboard.type(zoe.email);
  await tabTo(admin, "Name");
  await admin.keyboard.type("Zoe");
  await admin.keyboard.press("Enter");
  const link = await linkTo(zoe.email, 1);

  const page = await console_.openPage();
  await page.goto(link);
  await heading(page, "Welcome to Acme");
  // The token is removed from the address bar.
  expect(page.url()).toBe(`${console_.url}/welcome`);
  await screenshots(page, "welcome-invitation");
  await expectAccessible(page);
  await tabTo(page, "Your name");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(zoe.name);
  await tabTo(page, "Password");
  await page.keyboard.type("a boat");
  await page.getByText("6 more characters").waitFor();
  await page.keyboard.type(zoe.password.slice("a boat".length));
  await page.getByText("Long enough.").waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(`${console_.url}/calls`);
  await page.getByRole("button", { name: `Your account: ${zoe.name}` }).waitFor();
  const navigation = page.getByRole("navigation", { name: "Main navigation" });
  expect(await navigation.getByRole("link").allTextContents()).toEqual([
    "Calls",
    "My reviews",
    "My scores",
    "How I am reviewed",
    "Scorecards",
  ]);
  await visit(page, console_, "/people");
  await heading(page, "You don’t have access to this page");

  const again = await console_.openPage();
  await again.goto(link);
  await heading(again, "This link is no longer valid");
  await screenshots(again, "welcome-ended");
  await expectAccessible(again);
});

test("password reset: same response for all addresses, email for known ones, new password", async () => {
  const ann = await console_.addPerson("reviewer", "ann.lee@example.com");
  const elsewhere = await console_.openPage();
  await startSession(elsewhere, console_, ann);
  await visit(elsewhere, console_, "/account");
  const page = await console_.openPage();
  const ask = async (email: string) => {
    await page.goto(`${console_.url}/sign-in`);
    await tabTo(page, "Forgot your password?");
    await page.keyboard.press("Enter");
    await heading(page, "Reset password");
    await page.getByLabel("Email").focus();
    await page.keyboard.type(email);
  };
  await ask("nobody@example.com");
  await screenshots(page, "forgotten");
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await heading(page, "Check your inbox");
  await screenshots(page, "forgotten-sent");
  await expectAccessible(page);
  await ask(ann.email);
  await page.keyboard.press("Enter");
  await heading(page, "Check your inbox");

  await page.goto(await linkTo(ann.email, 1));
  await heading(page, "Choose a new password");
  await screenshots(page, "welcome-reset");
  await expectAccessible(page);
  await tabTo(page, "New password");
  await page.keyboard.type("another long enough password");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${console_.url}/queue`);
  expect(mail.letters.map(({ to }) => to)).not.toContain("nobody@example.com");

  await elsewhere.waitForTimeout(600);
  await elsewhere.reload();
  await heading(elsewhere, "Sign in to Hearback");
  await elsewhere.locator("input[autocomplete=username]").fill(ann.email);
  await elsewhere.locator("input[autocomplete=current-password]").fill(ann.password);
  await elsewhere.keyboard.press("Enter");
  await elsewhere.getByText("The email address or password is wrong.").waitFor();
});

test("links in French, without a token and with an invalid one", async () => {
  const { link } = await console_.stack.command<{ link: string }>("setup", "--json");
  const page = await console_.openPage({ locale: "fr-FR" });
  await page.goto(link);
  await heading(page, "Configurer Hearback");
  await screenshots(page, "welcome-setup-fr");
  await expectAccessible(page);
  await page.reload();
  await heading(page, "Ouvrez de nouveau votre lien");
  await screenshots(page, "welcome-missing-fr");
  await page.goto("about:blank");
  await page.goto(`${console_.url}/welcome#${"x".repeat(300)}`);
  await heading(page, "Ce lien n’est plus valable");
});
