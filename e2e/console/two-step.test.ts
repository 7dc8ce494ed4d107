import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { totpCode } from "../support/http/totp.ts";
import { type OwnConsole, openOwnConsole, type Person, startSession, visit } from "./support/console.ts";
import { expectAccessible, screenshots, tabTo } from "./support/page-checks.ts";

let console_: OwnConsole;

beforeAll(async () => {
  console_ = await openOwnConsole({}, "localhost");
});
afterAll(async () => {
  await console_?.close();
});

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor();

/** Stops before the second step. */
async function typePassword(page: Page, { email, password }: Person): Promise<void> {
  await page.goto(`${console_.url}/sign-in`);
  await page.locator("input[autocomplete=username]").fill(email);
  await page.locator("input[autocomplete=current-password]").fill(password);
  await page.keyboard.press("Enter");
}

/** Sets up an authenticator app with the keyboard. Returns its secret and the recovery codes. */
async function setUpApp(page: Page) {
  await tabTo(page, "Set up authenticator app");
  await page.keyboard.press("Enter");
  const secret = (await page.getByRole("textbox", { name: "Or enter this key in the app" }).inputValue()).replaceAll(
    " ",
    "",
  );
  await page.getByRole("img", { name: "Scan this QR code with your authenticator app" }).waitFor();
  await screenshots(page, "two-step-app");
  await expectAccessible(page);
  await page.getByLabel("Code from your app").fill("000000");
  await page.keyboard.press("Enter");
  await page.getByText("This code is wrong").first().waitFor();
  await page.getByLabel("Code from your app").fill(totpCode(secret));
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Save your recovery codes" }).waitFor();
  await screenshots(page, "two-step-codes");
  await expectAccessible(page);
  const codes = (await page.getByRole("textbox", { name: "Recovery codes" }).inputValue()).split("\n");
  await tabTo(page, "I have saved them");
  await page.keyboard.press("Enter");
  await page.getByText("Codes left: 10").waitFor();
  return { secret, codes };
}

test("authenticator app: setup, single-use codes, recovery codes", async () => {
  const ann = await console_.addPerson("agent", "ann.lee@example.com");
  const page = await console_.openPage();
  await startSession(page, console_, ann);
  await visit(page, console_, "/account");
  await page.getByText("Two-step verification is off.").waitFor();
  await screenshots(page, "two-step-off");
  await expectAccessible(page);
  const { secret, codes } = await setUpApp(page);
  expect(codes).toHaveLength(10);
  await screenshots(page, "two-step-on");
  await expectAccessible(page);

  await page.context().clearCookies();
  await typePassword(page, ann);
  await heading(page, "Second step");
  await screenshots(page, "second-step");
  await expectAccessible(page);
  // The field is focused and supports autofill.
  expect(await page.locator(":focus").getAttribute("autocomplete")).toBe("one-time-code");
  const code = totpCode(secret, 1);
  await page.keyboard.insertText(`${code.slice(0, 3)} ${code.slice(3)}`);
  await page.keyboard.press("Enter");
  await heading(page, "Calls");

  await page.context().clearCookies();
  await typePassword(page, ann);
  await heading(page, "Second step");
  await page.keyboard.type(code);
  await page.keyboard.press("Enter");
  await page.getByText("This code is wrong or was already used.").waitFor();
  await tabTo(page, "Use a recovery code");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Recovery code", exact: true }).fill(codes[0]?.toLowerCase() ?? "");
  await screenshots(page, "second-step-recovery");
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await heading(page, "Calls");
  await visit(page, console_, "/account");
  await page.getByText("Codes left: 9").waitFor();
  await page.context().close();
});

test("a passkey signs in without a password and can be removed", async () => {
  const bob = await console_.addPerson("agent", "bob@example.com");
  const page = await console_.openPage();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      automaticPresenceSimulation: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  await startSession(page, console_, bob);
  await visit(page, console_, "/account");
  await tabTo(page, "Add passkey");
  await page.keyboard.press("Enter");
  await page.getByLabel("Passkey name").fill("Work laptop");
  await screenshots(page, "two-step-passkey");
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Save your recovery codes" }).waitFor();
  await page.getByRole("button", { name: "I have saved them" }).click();
  await page.getByText("Work laptop").waitFor();

  await page.context().clearCookies();
  await page.goto(`${console_.url}/sign-in`);
  await page.getByRole("button", { name: "Use passkey" }).waitFor();
  await screenshots(page, "sign-in-passkey");
  await expectAccessible(page);
  await tabTo(page, "Use passkey");
  await page.keyboard.press("Enter");
  await heading(page, "Calls");
  await visit(page, console_, "/account");
  await page.getByText("last used on").waitFor();

  // A passkey also works as the second step.
  await page.context().clearCookies();
  await typePassword(page, bob);
  await heading(page, "Second step");
  await page.getByRole("button", { name: "Use passkey" }).click();
  await heading(page, "Calls");
  await visit(page, console_, "/account");
  await page.getByRole("button", { name: "Remove Work laptop" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByText("Two-step verification is off.").waitFor();
  await page.context().close();
});

test("required for everyone: people without a second factor must set one up first", async () => {
  const eve = await console_.addPerson("agent", "eve@example.com");
  const open = await console_.openPage();
  await startSession(open, console_, eve);
  await visit(open, console_, "/calls");
  const boss = await console_.openPage();
  await startSession(boss, console_, console_.admin);
  await visit(boss, console_, "/workspace");
  await boss.getByRole("radio", { name: "Required for everyone" }).check();
  await boss.getByText("without a second factor").waitFor();
  await screenshots(boss, "workspace-two-step");
  await expectAccessible(boss);
  await boss.getByRole("button", { name: "Save requirement" }).click();
  // The rule also applies to the administrator who set it.
  await boss.getByText("Your workspace requires two-step verification.").waitFor();

  await open.waitForTimeout(600);
  await open.reload();
  await heading(open, "Your account");
  await open.getByText("Your workspace requires two-step verification.").waitFor();
  await screenshots(open, "two-step-needed");
  await expectAccessible(open);
  await setUpApp(open);
  await visit(open, console_, "/calls");
  await heading(open, "Calls");
  await boss.context().close();
  await open.context().close();
});
