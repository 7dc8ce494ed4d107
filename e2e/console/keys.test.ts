import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Console, openConsole, startSession } from "./support/console.ts";
import { chooseFromMenu, expectAccessible, screenshots, tabTo } from "./support/page-checks.ts";

// Many pages and screenshots.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const run = promisify(execFile);
let console_: Console;
let folder: string;

beforeAll(async () => {
  console_ = await openConsole();
  folder = await mkdtemp(join(tmpdir(), "hearback-keys-"));
});
afterAll(async () => {
  await console_?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

async function openKeys(): Promise<Page> {
  const page = await console_.openPage({ permissions: ["clipboard-write"] });
  await startSession(page, console_, console_.admin);
  await page.goto(`${console_.url}/keys`);
  await page.getByRole("table", { name: "API keys" }).waitFor();
  return page;
}

/** Clipboard content, pasted into another page: the console may not read it. */
async function clipboard(page: Page): Promise<string> {
  const elsewhere = await page.context().newPage();
  await elsewhere.setContent("<textarea></textarea>");
  await elsewhere.locator("textarea").focus();
  await elsewhere.keyboard.press("Control+V");
  const pasted = await elsewhere.locator("textarea").inputValue();
  await elsewhere.close();
  await page.bringToFront();
  return pasted;
}

/** Runs a command as pasted into a terminal. */
const inShell = async (line: string) => (await run("bash", ["-c", line], { cwd: folder })).stdout;
const statusOf = (key: string) =>
  run("curl", [
    "-s",
    "-o",
    "/dev/null",
    "-w",
    "%{http_code}",
    `${console_.api.baseUrl}/campaigns`,
    "-H",
    `x-api-key: ${key}`,
  ]);

test("a key is created, copied, used and revoked, with the keyboard alone", async () => {
  const page = await openKeys();
  await expectAccessible(page);

  await tabTo(page, "Create API key");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Create API key" }).waitFor();
  await page.keyboard.type("nightly import, Lyon");
  await expectAccessible(page);
  await screenshots(page, "keys-new");
  await tabTo(page, "Read and listen (read)");
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");

  const dialog = page.getByRole("dialog", { name: "Your new API key" });
  await dialog.waitFor();
  await expectAccessible(page);
  await screenshots(page, "keys-once");
  const key = await dialog.getByRole("textbox", { name: "API key", exact: true }).inputValue();
  expect(key).toMatch(/^hb_/);
  // The key is shown once: neither Escape nor an outside click closes the dialog.
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 300);
  expect(await dialog.isVisible()).toBe(true);

  await tabTo(page, "Copy: API key");
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Copied" }).waitFor();
  expect(await clipboard(page)).toBe(key);

  await tabTo(page, "Download a sample recording");
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  await download.saveAs(join(folder, download.suggestedFilename()));
  await tabTo(page, "Copy: Try it in a terminal");
  await page.keyboard.press("Enter");
  await expect.poll(() => clipboard(page), { timeout: 10_000 }).toContain("/calls/audio");
  const call = JSON.parse(await inShell(await clipboard(page)));
  expect(call).toMatchObject({ status: "received", campaign_id: console_.stack.campaignId });
  expect(call.recording).toMatchObject({ format: "wav", channels: 2, duration_ms: 6000 });

  await tabTo(page, "Done");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  const row = page.getByRole("row", { name: /nightly import, Lyon/ });
  await row.filter({ hasText: "import, read" }).waitFor();
  await screenshots(page, "keys");

  await page.goto(`${console_.url}/calls/${call.id}`);
  await page.goBack();
  expect((await statusOf(key)).stdout).toBe("200");
  await chooseFromMenu(page, "nightly import, Lyon", "Revoke");
  const question = page.getByRole("dialog", { name: "Revoke nightly import, Lyon?" });
  await question.waitFor();
  await expectAccessible(page);
  await screenshots(page, "keys-revoke");
  await tabTo(page, "Revoke", { role: "button" });
  await page.keyboard.press("Enter");
  await question.waitFor({ state: "detached" });
  // Revocation takes a second; the rest is curl.
  await expect.poll(async () => (await statusOf(key)).stdout, { timeout: 3000 }).toBe("401");
  await row.filter({ hasText: "Revoked" }).waitFor();
  // The row lost its menu; the focus stays in the table.
  await expect
    .poll(() =>
      page
        .locator("[data-rows]")
        .evaluate((rows) => rows.matches(":focus-visible") && getComputedStyle(rows).outlineStyle),
    )
    .toBe("solid");
});

test("a key is rotated, and the old one keeps working", async () => {
  const page = await openKeys();
  await page.getByRole("button", { name: "Actions for" }).first().click();
  await page.getByRole("menuitem", { name: "Rotate" }).click();
  await page.getByLabel("Overlap (hours)").fill("48");
  await screenshots(page, "keys-replace");
  // The new key is shown even if the form is closed while it is created.
  await page.route("**/keys/*/rotate", async (route) => {
    await page.keyboard.press("Escape");
    await route.continue();
  });
  await page.getByRole("button", { name: "Rotate" }).click();
  const dialog = page.getByRole("dialog", { name: "Your new API key" });
  const key = await dialog.getByRole("textbox", { name: "API key", exact: true }).inputValue();
  expect((await statusOf(key)).stdout).toBe("200");
  expect((await statusOf(console_.stack.apiKey)).stdout).toBe("200");
  await dialog.getByLabel("I have saved this key").check();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  const replaced = page.getByRole("row", { name: /Replaced/ }).first();
  await replaced.waitFor();
  // Renaming keeps the expiry exact: it is not sent.
  await replaced.getByRole("button", { name: "Actions for" }).click();
  await page.getByRole("menuitem", { name: "Edit name or expiry" }).click();
  await page.getByLabel("Name").fill("until Wednesday");
  const [change] = await Promise.all([
    page.waitForRequest((request) => request.method() === "PATCH"),
    page.keyboard.press("Enter"),
  ]);
  expect(change.postDataJSON()).toEqual({ name: "until Wednesday" });
  await page.getByRole("row", { name: /until Wednesday.*Replaced/ }).waitFor();
});
