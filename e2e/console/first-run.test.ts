import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aConversation, record } from "../support/conversation.ts";
import { type EmptyConsole, openEmptyConsole } from "./support/console.ts";
import { listenIn, playerState, pressAndListen } from "./support/listening.ts";
import { expectAccessible, shots, tabTo } from "./support/looks.ts";

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

/** Goes to a page by the navigation, at the keyboard. */
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
  await shots(page, "setup-needed");
  await expectAccessible(page);

  const { link } = await console_.stack.command<{ link: string }>("setup", "--json");
  await page.goto(link);
  await heading(page, "Set up Hearback");
  await shots(page, "welcome-setup");
  await expectAccessible(page);
  await tabTo(page, "Workspace");
  await page.keyboard.type("Northwind Support");
  await tabTo(page, "Your name");
  await page.keyboard.type(ann.name);
  await tabTo(page, "E-mail");
  await page.keyboard.type(ann.email);
  await tabTo(page, "Password");
  await page.keyboard.type(ann.password);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${console_.url}/calls`);
  await page.getByRole("button", { name: `Your account: ${ann.name}` }).waitFor();
  await page.getByText("No calls yet").waitFor();
  await shots(page, "first-calls");
}

test("from the first start to the first call that is heard, with the keyboard alone", async () => {
  const page = await console_.openPage();
  await listenIn(page);
  await setUp(page);

  await goTo(page, "Campaigns");
  await tabTo(page, "New campaign", { role: "button" });
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "New campaign" }).waitFor();
  await page.keyboard.type("Support");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await goTo(page, "People");
  await tabTo(page, "Invite people", { role: "button" });
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByLabel("E-mail").waitFor();
  await page.keyboard.type("bob.roy@example.com");
  await tabTo(page, "Name");
  await page.keyboard.type("Bob Roy");
  await page.keyboard.press("Enter");
  // No mail is sent here: the link is handed over.
  const link = page.getByRole("dialog").getByLabel("Link", { exact: true });
  await expect.poll(() => link.inputValue()).toMatch(/\/console\/welcome#\S+$/);
  await tabTo(page, "Done");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });

  const spoken = {
    arrangement: "dual",
    noise: true,
    rate: 8000,
    args: ["-c:a", "pcm_s16le"],
    extension: "wav",
  } as const;
  const buffer = await record(await aConversation(), spoken);
  // Asked for once and for all: asking for it when the dialog opens may come too late.
  page.on("filechooser", () => {});
  await goTo(page, "Add calls");
  await tabTo(page, "Choose files…");
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.keyboard.press("Enter")]);
  await chooser.setFiles({ name: recording, mimeType: "audio/wav", buffer });
  const campaign = page.getByRole("combobox", { name: "Campaign" });
  await campaign.focus();
  await page.keyboard.type("Support");
  await page.getByRole("option", { name: "Support" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(() => campaign.inputValue()).toContain("Support");
  await page.getByRole("button", { name: "Import 1 call" }).waitFor();
  await tabTo(page, "Import 1 call");
  await page.keyboard.press("Enter");
  const open = page.getByRole("link", { name: new RegExp(recording.replaceAll(".", "\\.")) });
  await open.waitFor();
  await open.focus();
  await page.keyboard.press("Enter");

  await page.getByRole("slider", { name: "Place in the call" }).waitFor({ timeout: 30_000 });
  await page.getByText("Bob Roy").first().waitFor();
  const { soundedMs } = await pressAndListen(page, "k");
  expect(soundedMs).toBeLessThan(10_000);
  await expect.poll(async () => (await playerState(page)).ms, { timeout: 5000 }).toBeGreaterThan(500);
  await shots(page, "first-heard");

  // The list that was empty at first.
  await goTo(page, "Calls");
  await page
    .getByRole("table")
    .getByRole("link", { name: /Bob Roy/ })
    .waitFor();
});
