import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeWav } from "../support/recordings/sounds.ts";
import { measurePlayDelays, playerState, tapAudioOutput } from "./support/audio-output.ts";
import { type EmptyConsole, openEmptyConsole } from "./support/console.ts";
import { expectAccessible, screenshots, tabTo } from "./support/page-checks.ts";

let console_: EmptyConsole;
const ann = { email: "ann.lee@example.com", name: "Ann Lee", password: "four words and a comma," };
const recording = "2026-11-10_14-30-00_bob.roy@example.com.wav";

beforeAll(async () => {
  console_ = await openEmptyConsole();
});
afterAll(async () => {
  await console_?.close();
});

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor();

/** Opens a page through the navigation with the keyboard. */
async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole("banner").getByRole("button").first().focus();
  await tabTo(page, name, { role: "link" });
  await page.keyboard.press("Enter");
  await heading(page, name);
  await page.locator("h1:focus").waitFor();
}

async function setUp(page: Page): Promise<void> {
  await page.goto(new URL("/", console_.url).href);
  await heading(page, "Almost ready");
  await screenshots(page, "setup-needed");
  await expectAccessible(page);

  const { link } = await console_.stack.command<{ link: string }>("setup", "--json");
  await page.goto(link);
  await heading(page, "Set up Hearback");
  await screenshots(page, "welcome-setup");
  await expectAccessible(page);
  await tabTo(page, "Workspace");
  await page.keyboard.type("Northwind Support");
  await tabTo(page, "Your name");
  await page.keyboard.type(ann.name);
  await tabTo(page, "Email");
  await page.keyboard.type(ann.email);
  await tabTo(page, "Password");
  await page.keyboard.type(ann.password);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${console_.url}/calls`);
  await page.getByRole("button", { name: `Your account: ${ann.name}` }).waitFor();
  await page.getByText("No calls yet").waitFor();
  await screenshots(page, "first-calls");
}

test("from the first start to the first played call, with the keyboard alone", async () => {
  const page = await console_.openPage();
  await tapAudioOutput(page);
  await setUp(page);

  await goTo(page, "Campaigns");
  await tabTo(page, "Create campaign", { role: "button" });
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Create campaign" }).waitFor();
  await page.keyboard.type("Support");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await goTo(page, "People");
  await tabTo(page, "Invite people", { role: "button" });
  await page.keyboard.press("Enter");
  await page
    .getByRole("dialog")
    .getByLabel(/^Email/)
    .waitFor();
  await page.keyboard.type("bob.roy@example.com");
  await tabTo(page, "Name");
  await page.keyboard.type("Bob Roy");
  await page.keyboard.press("Enter");
  // Email is not set up, so the link is shown.
  const link = page.getByRole("dialog").getByLabel("Link", { exact: true });
  await expect.poll(() => link.inputValue()).toMatch(/\/console\/welcome#\S+$/);
  await tabTo(page, "Done");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });

  const buffer = makeWav({ seconds: 30, channels: 2 });
  // Registered once: a listener added when the dialog opens can be too late.
  page.on("filechooser", () => {});
  await goTo(page, "Add calls");
  await tabTo(page, "Choose files…");
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.keyboard.press("Enter")]);
  await chooser.setFiles({ name: recording, mimeType: "audio/wav", buffer });
  const campaign = page.getByRole("combobox", { name: "Campaign" });
  // The only campaign is preselected.
  await expect.poll(() => campaign.inputValue()).toContain("Support");
  await page.getByRole("button", { name: "Import 1 call" }).waitFor();
  await tabTo(page, "Import 1 call");
  await page.keyboard.press("Enter");
  const open = page.getByRole("link", { name: new RegExp(recording.replaceAll(".", "\\.")) });
  await open.waitFor();
  await open.focus();
  await page.keyboard.press("Enter");

  await page.getByRole("slider", { name: "Playback position" }).waitFor({ timeout: 30_000 });
  await page.getByText("Bob Roy").first().waitFor();
  const { soundedMs } = await measurePlayDelays(page, "k");
  expect(soundedMs).toBeLessThan(10_000);
  await expect.poll(async () => (await playerState(page)).ms, { timeout: 5000 }).toBeGreaterThan(500);
  await screenshots(page, "first-heard");

  await goTo(page, "Calls");
  await page
    .getByRole("table")
    .getByRole("link", { name: /Bob Roy/ })
    .waitFor();
});
