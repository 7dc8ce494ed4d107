import { text } from "node:stream/consumers";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scale } from "../support/run-scale.ts";
import { type OwnConsole, openOwnConsole, startSession, visit } from "./support/console.ts";
import { expectAccessible, screenshots, tabTo } from "./support/page-checks.ts";
import { addRealisticCalls, type SeededAgent } from "./support/realistic-calls.ts";

const calls = scale(20_000, 20_000, 1_000_000);
const days = scale(60, 60, 365);

let console: OwnConsole;
let agents: SeededAgent[];
let page: Page;

beforeAll(async () => {
  console = await openOwnConsole();
  agents = await addRealisticCalls(console.stack, calls, { days });
  page = await console.openPage();
  await startSession(page, console, console.admin);
}, 600_000);
afterAll(() => console?.close());

const count = (of: Page) => of.getByText(/^(about )?[\d,]+ calls?$/);
const rows = (of: Page) =>
  of
    .getByRole("table")
    .getByRole("row")
    .filter({ has: of.getByRole("link") });
const firstIds = async (of: Page) => {
  await rows(of).first().waitFor();
  const links = await rows(of)
    .getByRole("link")
    .evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
  return links.slice(0, 10).map((href) => /calls\/([^?]+)/.exec(href)?.[1]);
};

/** Focuses the search box with `/`, types and picks a suggestion. */
async function pickSuggestion(words: string, offered: string) {
  await page.keyboard.press("/");
  await page.keyboard.type(words);
  const option = page.getByRole("option", { name: offered, exact: true });
  await option.waitFor();
  while ((await option.getAttribute("aria-selected")) !== "true") await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
}

test("finds, opens and leaves a call with four filters, with the keyboard alone", async () => {
  const agent = agents.find(({ name }) => name === "Zoé Dubois");
  const { rows: wanted } = await console.stack.adminDb.query<{ id: string }>(
    `select id from call where agent_id = $1 and campaign_id = 'retention' and duration_ms >= 90000
       and metadata @> '[{"key": "site", "value": "Lyon"}]' order by id desc`,
    [agent?.id],
  );
  expect(wanted.length).toBeGreaterThan(1);

  await visit(page, console, "/calls");
  await rows(page).first().waitFor();
  await page.getByText(`about ${calls.toLocaleString("en")} calls`).waitFor();
  await pickSuggestion("zoé dub", "Agent Zoé Dubois");
  await pickSuggestion("reten", "Campaign Retention");
  await pickSuggestion("lyon", "site Lyon");
  await tabTo(page, "Duration");
  await page.keyboard.press("Enter");
  await page.getByLabel("At least").and(page.locator(":focus")).waitFor();
  await page.keyboard.type("1:30");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Remove filter At least 1:30" }).waitFor();

  const began = performance.now();
  await count(page)
    .filter({ hasText: new RegExp(`^${wanted.length} calls$`) })
    .waitFor();
  process.stdout.write(
    `${wanted.length} of ${calls} calls, counted ${Math.round(performance.now() - began)} ms later\n`,
  );
  expect(await firstIds(page)).toEqual(wanted.slice(0, 10).map(({ id }) => id));
  expect(new URL(page.url()).searchParams.getAll("metadata[site]")).toEqual(["Lyon"]);

  await page.keyboard.press("j");
  await page.keyboard.press("ArrowDown");
  const second = rows(page).nth(1).getByRole("link");
  await expect.poll(() => second.evaluate((link) => link === link.ownerDocument.activeElement)).toBe(true);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname.endsWith(`/calls/${wanted[1]?.id}`));
  await page.goBack();
  await expect.poll(() => second.evaluate((link) => link === link.ownerDocument.activeElement)).toBe(true);
});

test("history restores filters, chips remove one, and one button clears all", async () => {
  const chips = page.getByRole("button", { name: /^Remove filter/ });
  await expect.poll(() => chips.count()).toBe(4);
  await page.goBack();
  await expect.poll(() => chips.count()).toBe(3);
  await page.goBack();
  await expect.poll(() => chips.count()).toBe(2);
  await page.goForward();
  await page.goForward();
  await expect.poll(() => chips.count()).toBe(4);
  await screenshots(page, "calls-filtered");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Remove filter Agent: Zoé Dubois" }).press("Enter");
  await expect.poll(() => chips.count()).toBe(3);
  await page.getByRole("button", { name: "Clear all" }).press("Enter");
  await expect.poll(() => chips.count()).toBe(0);
  await expect.poll(() => new URL(page.url()).search).toBe("");
});

test("finds a call by the end of a phone number, in national form", async () => {
  const [wanted] = (
    await console.stack.adminDb.query<{ id: string; phone: string }>(
      "select call_id as id, value as phone from call_metadata where key = 'client_phone' order by call_id limit 1",
    )
  ).rows;
  const national = `0${wanted?.phone.slice(3)}`;
  await visit(page, console, "/calls");
  await rows(page).first().waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type(national.replace(/(..)(?=.)/g, "$1 "));
  await page.getByRole("option", { name: `Phone number ends with ${national.slice(1)}`, exact: true }).click();
  await expect.poll(() => firstIds(page)).toEqual([wanted?.id]);
  await page.getByRole("button", { name: `Remove filter Phone number ends with ${national.slice(1)}` }).waitFor();
});

test("a link shows the same calls in another time zone, in local times", async () => {
  const elsewhere = await console.openPage({ timezoneId: "Asia/Tokyo" });
  await startSession(elsewhere, console, console.admin);
  for (const own of [false, true]) {
    await visit(page, console, "/calls");
    await page.getByRole("button", { name: "Period" }).click();
    if (own) {
      const day = new Date(Date.now() - 3 * 24 * 3_600_000).toISOString().slice(0, 10);
      await page.getByLabel("From", { exact: true }).fill(day);
      await page.getByLabel("To", { exact: true }).fill(day);
      await page.getByRole("button", { name: "Apply" }).click();
    } else await page.getByRole("button", { name: "Yesterday" }).click();
    await page.getByRole("button", { name: /^Remove filter/ }).waitFor();
    await elsewhere.goto(page.url());
    await count(elsewhere).waitFor();
    const [here, there] = [await firstIds(page), await firstIds(elsewhere)];
    expect(there).toEqual(here);
    expect(await count(elsewhere).textContent()).toBe(await count(page).textContent());
    const times = await Promise.all([page, elsewhere].map((of) => rows(of).first().getByRole("link").textContent()));
    expect(times[0]).not.toBe(times[1]);
  }
  await elsewhere.getByRole("button", { name: /^Remove filter .* – / }).waitFor();
  await elsewhere.context().close();
});

test("columns are chosen and moved with the keyboard, and stored", async () => {
  await visit(page, console, "/calls");
  await rows(page).first().waitFor();
  await tabTo(page, "Columns");
  await page.keyboard.press("Enter");
  await page.getByRole("checkbox", { name: "client_phone" }).press("Space");
  // The checkbox moves up among the chosen columns and keeps the focus.
  expect(
    await page
      .locator(":focus")
      .and(page.getByRole("checkbox", { name: "client_phone" }))
      .count(),
  ).toBe(1);
  for (let step = 0; step < 5; step++) await page.getByRole("button", { name: "Move client_phone up" }).press("Enter");
  await page.getByRole("checkbox", { name: "Campaign" }).press("Space");
  await screenshots(page, "calls-columns");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.reload();
  await rows(page).first().waitFor();
  const heads = await page.getByRole("columnheader").allTextContents();
  expect(heads).toEqual(["Conversation", "client_phone", "Agent", "Duration", "Status", "Review"]);
});

test("Ctrl-K goes to a page by its name and to a call by its ID", async () => {
  await visit(page, console, "/calls");
  await rows(page).first().waitFor();
  const href = await rows(page).first().getByRole("link").getAttribute("href");
  const id = /[0-9a-f-]{36}/.exec(href ?? "")?.[0] ?? "";
  const dialog = page.getByRole("dialog", { name: "Go to" });
  const open = async () => {
    await page.keyboard.press("Control+k");
    await dialog.getByRole("combobox").and(page.locator(":focus")).waitFor();
  };
  await open();
  await screenshots(page, "go-to");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await open();
  await page.keyboard.type("log aud");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Audit log" }).and(page.locator(":focus")).waitFor();
  await open();
  await page.keyboard.type(id);
  await page.getByRole("option", { name: `Open call ${id}` }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(`${console.url}/calls/${id}`);
});

test("agents see only their own calls; new ones fill an empty list, and are announced otherwise", async () => {
  const person = await console.addPerson("agent", "newcomer@example.com");
  const theirs = await console.openPage();
  await startSession(theirs, console, person);
  await visit(theirs, console, "/calls");
  await theirs.getByText("No calls yet").waitFor();
  await screenshots(theirs, "calls-none-agent");
  await expectAccessible(theirs);
  expect(await theirs.getByRole("link", { name: "Export" }).count()).toBe(0);
  expect(await theirs.getByRole("button", { name: "Agent", exact: true }).count()).toBe(0);
  const { rows: newest } = await console.stack.adminDb.query<{ id: string }>(
    "select id from call order by id desc limit 2",
  );
  const comes = async (id: string | undefined, seen: Locator) => {
    await console.stack.adminDb.query(
      "update call set agent_id = (select id from app_user where email = $1) where id = $2",
      [person.email, id],
    );
    const isSeen = async () => {
      // The user returns to the tab.
      await theirs.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
      return seen.count();
    };
    await expect.poll(isSeen, { timeout: 20_000 }).toBe(1);
  };
  await comes(newest[1]?.id, rows(theirs));
  const announcement = theirs.getByRole("button", { name: "1 new call" });
  await comes(newest[0]?.id, announcement);
  await announcement.press("Enter");
  await expect.poll(() => firstIds(theirs)).toEqual(newest.map(({ id }) => id));
  await expect.poll(() => count(theirs).textContent()).toBe("2 calls");
  await theirs.context().close();
});

test("exports the filtered calls with the visible metadata columns", async () => {
  await visit(page, console, "/calls?campaign=retention&status=failed&metadata[site]=Lyon");
  await rows(page).first().waitFor();
  const { rows: matching } = await console.stack.adminDb.query<{ id: string }>(
    `select id from call where campaign_id = 'retention' and status = 'failed'
       and metadata @> '[{"key": "site", "value": "Lyon"}]'`,
  );
  expect(matching.length).toBeGreaterThan(1);
  const coming = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export" }).press("Enter");
  const stream = await (await coming).createReadStream();
  const lines = (await text(stream)).trim().split("\r\n");
  expect(lines).toHaveLength(matching.length + 1);
  expect(lines[0]).toContain("metadata.client_phone");
});
