import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Console, openConsole, signIn } from "./support/console.ts";
import { chooseFromMenu, expectAccessible, shots, tabTo } from "./support/looks.ts";

// Many pages, many pictures.
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
  await signIn(page, console_, console_.admin);
  await page.goto(`${console_.url}/keys`);
  await page.getByRole("table", { name: "Keys" }).waitFor();
  return page;
}

/** What was copied, pasted elsewhere: the console itself may not read the clipboard. */
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

/** A line as somebody pastes it into a terminal. */
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

test("a key is made, copied, used as the page says and revoked, with the keyboard alone", async () => {
  const page = await openKeys();
  await expectAccessible(page);

  await tabTo(page, "New key");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "New key" }).waitFor();
  await page.keyboard.type("nightly import, Lyon");
  await expectAccessible(page);
  await shots(page, "keys-new");
  await tabTo(page, "See and hear (read)");
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");

  const dialog = page.getByRole("dialog", { name: "Your new key" });
  await dialog.waitFor();
  await expectAccessible(page);
  await shots(page, "keys-once");
  const key = await dialog.getByRole("textbox", { name: "Key", exact: true }).inputValue();
  expect(key).toMatch(/^hb_/);
  // It is not to be seen again: neither Escape nor a click beside it takes it away.
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 300);
  expect(await dialog.isVisible()).toBe(true);

  await tabTo(page, "Copy: Key");
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
  await shots(page, "keys");

  await page.goto(`${console_.url}/calls/${call.id}`);
  await page.goBack();
  expect((await statusOf(key)).stdout).toBe("200");
  await chooseFromMenu(page, "nightly import, Lyon", "Revoke");
  const question = page.getByRole("dialog", { name: "Revoke nightly import, Lyon?" });
  await question.waitFor();
  await expectAccessible(page);
  await shots(page, "keys-revoke");
  await tabTo(page, "Revoke", { role: "button" });
  await page.keyboard.press("Enter");
  await question.waitFor({ state: "detached" });
  // Within a second for the service, as its own tests show; the rest is curl's.
  await expect.poll(async () => (await statusOf(key)).stdout, { timeout: 3000 }).toBe("401");
  await row.filter({ hasText: "Revoked" }).waitFor();
  // The row has no menu any more; who goes on with the keyboard is still among the rows.
  await expect
    .poll(() =>
      page
        .locator("[data-rows]")
        .evaluate((rows) => rows.matches(":focus-visible") && getComputedStyle(rows).outlineStyle),
    )
    .toBe("solid");
});

test("a key is replaced: the old one goes on for a while", async () => {
  const page = await openKeys();
  await page.getByRole("button", { name: "Actions for" }).first().click();
  await page.getByRole("menuitem", { name: "Replace" }).click();
  await page.getByLabel("Hours that the old key goes on working").fill("48");
  await shots(page, "keys-replace");
  // Whoever closes the form while the key is being made gets to see it all the same.
  await page.route("**/keys/*/rotate", async (route) => {
    await page.keyboard.press("Escape");
    await route.continue();
  });
  await page.getByRole("button", { name: "Replace" }).click();
  const dialog = page.getByRole("dialog", { name: "Your new key" });
  const key = await dialog.getByRole("textbox", { name: "Key", exact: true }).inputValue();
  expect((await statusOf(key)).stdout).toBe("200");
  expect((await statusOf(console_.stack.apiKey)).stdout).toBe("200");
  await dialog.getByLabel("I have kept it in a safe place").check();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  const replaced = page.getByRole("row", { name: /Replaced/ }).first();
  await replaced.waitFor();
  // It gets another name and keeps its end, to the second: of that nothing is said.
  await replaced.getByRole("button", { name: "Actions for" }).click();
  await page.getByRole("menuitem", { name: "Rename or change its end" }).click();
  await page.getByLabel("Name").fill("until Wednesday");
  const [change] = await Promise.all([
    page.waitForRequest((request) => request.method() === "PATCH"),
    page.keyboard.press("Enter"),
  ]);
  expect(change.postDataJSON()).toEqual({ name: "until Wednesday" });
  await page.getByRole("row", { name: /until Wednesday.*Replaced/ }).waitFor();
});
