import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { waitForCall, withEveryScope } from "../support/http/call-details.ts";
import { importCall, type Service } from "../support/http/service.ts";
import { serviceAt } from "../support/recordings/recordings.ts";
import { makeWav } from "../support/recordings/sounds.ts";
import { isRelease } from "../support/run-scale.ts";
import { say } from "../support/waiting.ts";
import { playerState } from "./support/audio-output.ts";
import { type Console, openConsole, type Person, startSession, visit } from "./support/console.ts";
import { scrollAndCount } from "./support/frames.ts";
import { expectAccessible, screenshots } from "./support/page-checks.ts";
import { type SeededTurn, seedTranscript, spreadWords } from "./support/seeded-transcript.ts";
import { measureSlowdown } from "./support/throttling.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let opened: Console;
let service: Service;
let supervisor: Person;
let reviewer: Person;
let callId: string;

const script: readonly (readonly ["agent" | "customer", string])[] = [
  ["agent", "Good morning, this is Ann at customer support."],
  ["customer", "Hello, I am calling about my last invoice."],
  ["agent", "Of course. Let me open your account."],
  ["customer", "Thank you very much!"],
  ["customer", "My card number is _card_number and the code is _security_code so please check."],
  ["agent", "Sorry for the wait, I have found it now."],
  ["customer", "That is good to hear, Miss Noo~ yen."],
  ["agent", "We charged you twice for the same month."],
  ["customer", "I knew that something was wrong with it."],
  ["agent", "You will have the money back on Friday."],
  ["customer", "Wonderful. And will I get a letter about it? Otherwise I want to cancel my contract."],
  ["agent", "Yes, we will send it tomorrow morning."],
  ["customer", "Thanks for your help."],
  ["agent", "You are welcome. Have a nice day."],
  ["customer", "Goodbye."],
];

/** A line every three seconds. */
const lines = script.map(
  ([speaker, text], index): SeededTurn => ({
    channel: speaker === "agent" ? "left" : "right",
    words: spreadWords(text, 500 + 3000 * index, 2900 + 3000 * index),
  }),
);

beforeAll(async () => {
  opened = await openConsole();
  service = await withEveryScope(opened.stack, serviceAt(opened.stack, opened.api.port));
  supervisor = await opened.addPerson("supervisor");
  reviewer = await opened.addPerson("reviewer");
  const { workspaceId, campaignId } = opened.stack;
  await opened.stack.command("campaign", "set-agent-channel", campaignId, "left", "--workspace", workspaceId);
  const file = makeWav({ seconds: 3 * script.length + 1, channels: 2 });
  callId = (await importCall(service, { file })).id;
  await waitForCall(service, callId);
  await seedTranscript(opened.stack, callId, lines);
  for (const person of [supervisor, reviewer]) pages.set(person, await newPage(person));
});
afterAll(() => opened?.close());

/** A page of each person, for all tests. */
const pages = new Map<Person, Page>();

async function openCall(person: Person, path = callId): Promise<Page> {
  const page = pages.get(person) ?? (await newPage(person));
  // From another page: the call is shown anew.
  await visit(page, opened, "/scorecards");
  await visit(page, opened, `/calls/${path}`);
  return page;
}

async function newPage(person: Person): Promise<Page> {
  const page = await opened.openTab(person.email, { permissions: ["clipboard-read", "clipboard-write"] });
  page.setDefaultTimeout(15_000);
  await startSession(page, opened, person);
  return page;
}

async function publishScorecard(page: Page) {
  const question = (id: string, title: string) => ({ id, title, type: "yes_no", weight: 20 });
  const questions = [
    question("greeting", "Greets with company and own name"),
    question("solved", "Solves the problem"),
  ];
  const document = {
    format: "hearback.scorecard/1",
    name: "Support call",
    passing_score: 80,
    release: "by_supervisor",
    sections: [{ id: "all", title: "Call", questions }],
  };
  const { origin } = new URL(opened.url);
  const { request } = page.context();
  const created = await request.post(`${origin}/scorecards`, { headers: { origin }, data: { document } });
  const { id } = await created.json();
  const published = await request.post(`${origin}/scorecards/${id}/publish`, { headers: { origin } });
  if (!published.ok()) throw new Error(await published.text());
}

const list = (page: Page) => page.getByRole("list", { name: /^Transcript/ });
const word = (page: Page, text: string) => list(page).locator("[data-w]", { hasText: text }).first();
const nowSaid = (page: Page) => list(page).locator("[data-now]").allInnerTexts();

test("the words that are said are marked, a click plays from a word, and the list follows until the reader scrolls", async () => {
  const page = await openCall(supervisor);
  await word(page, "invoice.").click();
  await expect.poll(async () => (await playerState(page)).paused).toBe(false);
  await expect.poll(() => nowSaid(page)).toEqual(["invoice."]);
  await expect.poll(() => nowSaid(page), { timeout: 10_000 }).toEqual(["Let"]);
  await page.keyboard.press("Space");
  await screenshots(page, "transcript-reading");

  // A word further down is scrolled into view.
  const box = list(page).locator("xpath=..");
  const top = () => box.evaluate((element) => element.scrollTop);
  await page.getByRole("slider", { name: "Playback position" }).focus();
  await page.keyboard.press("End");
  await expect.poll(top).toBeGreaterThan(50);
  await word(page, "Goodbye.").waitFor();
  await box.hover();
  await page.mouse.wheel(0, -2_000);
  const follow = page.getByRole("button", { name: "Follow", exact: true });
  await follow.waitFor();
  await screenshots(page, "transcript-follow");
  await expect.poll(top).toBe(0);
  await follow.click();
  await expect.poll(top).toBeGreaterThan(50);
  await expect.poll(() => follow.count()).toBe(0);
});

test("search finds words and phrases, and steps through them", async () => {
  const page = await openCall(supervisor);
  await list(page).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("my");
  const found = page.getByRole("status").filter({ hasText: "1 of 3" });
  await found.waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("2 of 3").waitFor();
  await page.keyboard.press("Shift+Enter");
  await page.getByText("1 of 3").waitFor();
  await page.keyboard.type(" contract");
  await page.getByText("1 of 1").waitFor();
  await expect.poll(() => list(page).locator("mark").allInnerTexts()).toEqual(["my", "contract."]);
  await screenshots(page, "transcript-search");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("zebra");
  await page.getByText("No match").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => list(page).locator("mark").count()).toBe(0);
});

test("masked parts are shown as such", async () => {
  const page = await openCall(supervisor);
  await list(page).getByText("[card number]").waitFor();
  await list(page).getByText("[security code]").waitFor();
  await page.getByText("2 parts are masked in the text.").waitFor();
  await expectAccessible(page);
  await list(page).scrollIntoViewIfNeeded();
  await screenshots(page, "transcript-masked");
});

test("a download is the masked copy for those who may not hear the original", async () => {
  const { adminDb, workspaceId } = opened.stack;
  const page = await openCall(supervisor);
  const downloaded = async () => {
    await page.reload();
    const coming = page.waitForEvent("download");
    await page.getByRole("link", { name: /^Download/ }).click();
    return (await coming).suggestedFilename();
  };
  expect(await downloaded()).toBe(`${callId}.wav`);
  await adminDb.query("update transcript set muted = '[]' where call_id = $1", [callId]);
  expect(await downloaded()).toBe(`${callId}.m4a`);
  const hearOriginals = "update app_user set listens_to_originals = true where workspace_id = $1 and email = $2";
  await adminDb.query(hearOriginals, [workspaceId, supervisor.email]);
  expect(await downloaded()).toBe(`${callId}.wav`);
  await adminDb.query("update transcript set muted = null where call_id = $1", [callId]);
});

test("lines are reached, played and copied with the keyboard alone", async () => {
  const page = await openCall(supervisor);
  await list(page).waitFor();
  await page.keyboard.press("v");
  const focused = page.locator(":focus");
  await expect.poll(() => focused.getAttribute("aria-label")).toMatch(/^Play from 0:00, Agent$/);
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => focused.getAttribute("aria-label")).toMatch(/, Customer$/);
  const described = await focused.getAttribute("aria-describedby");
  expect(await page.locator(`[id="${described}"]`).innerText()).toBe("Hello, I am calling about my last invoice.");
  // Two more stops in the line; no word is one.
  await page.keyboard.press("Tab");
  expect(await focused.getAttribute("aria-label")).toBe("Copy with time");
  await page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }");
  await page.keyboard.press("Enter");
  await page.getByText("Copied with times.").waitFor();
  expect(await page.evaluate("copied")).toMatch(/^\[0:0\d\] Customer: Hello, I am calling about my last invoice\.$/);
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("End");
  await expect.poll(() => focused.getAttribute("aria-label")).toMatch(/, Customer$/);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await nowSaid(page)).join()).toMatch(/^(You|are|welcome\.|Have|a|nice|day\.)$/);
  await page.keyboard.press("?");
  await page.getByText("Follow the sound").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

test("a reviewer corrects a word; the original stays, and undo brings it back", async () => {
  const page = await openCall(reviewer);
  const line = list(page).getByRole("listitem").filter({ hasText: "That is good to hear" });
  await line.hover();
  await line.getByRole("button", { name: "Correct words" }).click();
  // Begins at the uncertain word.
  await page.keyboard.press("Enter");
  await page.keyboard.type("Nguyen");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Nguyen", exact: true }).waitFor();
  await screenshots(page, "transcript-correct");
  await page.getByRole("button", { name: "Done" }).click();
  await expect.poll(() => line.locator("s").textContent()).toBe("Noo");
  await expectAccessible(page);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Nguyen", exact: true }).click();
  await page.getByRole("button", { name: "Back to “Noo”" }).click();
  await page.getByRole("button", { name: "Noo (uncertain)" }).waitFor();
});

test("a sentence becomes evidence of an answer, and is shown with its words", async () => {
  const page = await openCall(supervisor);
  await publishScorecard(page);
  await visit(page, opened, `/calls/${callId}/review`);
  const question = page.getByRole("group", { name: "Greets with company and own name", exact: true });
  await question.waitFor();
  const line = list(page).getByRole("listitem").filter({ hasText: "Good morning" });
  await line.hover();
  await line.getByRole("button", { name: "Attach to the answer" }).click();
  await page.getByText("Attached to “Greets with company and own name”.").waitFor();
  await question.getByRole("button", { name: /^Play 0:00/ }).waitFor();
  await question.getByText("Agent: “Good morning, this is Ann at customer support.”").waitFor();

  // The sentence at the position of the player goes to the next question.
  await page.keyboard.press("ArrowDown");
  await word(page, "money").click();
  await page.keyboard.press("Space");
  await page.keyboard.press("q");
  const next = page.getByRole("group", { name: "Solves the problem", exact: true });
  await next.getByText("Agent: “You will have the money back on Friday.”").waitFor();
  // Selected words.
  await word(page, "invoice.").scrollIntoViewIfNeeded();
  const [from, to] = [await word(page, "calling").boundingBox(), await word(page, "invoice.").boundingBox()];
  if (!from || !to) throw new Error("the words are not visible");
  await page.mouse.move(from.x + 1, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width - 1, to.y + 8, { steps: 5 });
  await page.mouse.up();
  await page.getByRole("button", { name: "Attach to answer" }).waitFor();
  await screenshots(page, "transcript-evidence");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Attach to answer" }).click();
  await next.getByText("Customer: “calling about my last invoice.”").waitFor();
  await screenshots(page, "transcript-review");
});

test("calls are found by what was said, and the sentence is shown, played and opened", async () => {
  // A correction indexes the words of the call.
  const page = await openCall(supervisor);
  const { origin } = new URL(opened.url);
  const { request } = page.context();
  const { id: transcriptId } = await (await request.get(`${origin}/calls/${callId}/transcript`)).json();
  const corrected = await request.patch(`${origin}/calls/${callId}/transcript`, {
    headers: { origin },
    data: { transcript_id: transcriptId, corrections: [{ turn: 14, word: 0, text: "Bye." }] },
  });
  expect(corrected.status()).toBe(200);
  await visit(page, opened, "/calls");
  await page.getByRole("button", { name: "Said", exact: true }).click();
  await page.getByLabel("Words or").fill('"cancel my contract"');
  await page.getByLabel("Said by").selectOption({ label: "Customer" });
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByRole("button", { name: /^Remove filter Customer said: "cancel my contract"/ }).waitFor();
  expect(new URL(page.url()).searchParams.get("said_by")).toBe("customer");
  const row = page
    .getByRole("table")
    .getByRole("row")
    .filter({ has: page.locator("mark") });
  await row.getByText("cancel my contract").waitFor();
  expect(await row.locator("mark").innerText()).toBe("cancel my contract.");
  await screenshots(page, "said-list");
  await expectAccessible(page);
  await row.getByRole("button", { name: /^Play the sentence at 0:3/ }).click();
  await row.getByRole("button", { name: /^Stop the sentence/ }).waitFor();
  await row.getByRole("link").click();
  await page.waitForURL((url) => url.pathname.endsWith(callId) && Number(url.searchParams.get("t")) > 30);
  await list(page).locator("mark[data-shown]").waitFor();
  expect(await page.getByLabel("Search in this call").inputValue()).toBe('"cancel my contract"');
  await visit(page, opened, "/calls?said=zebra");
  await page.getByText("0 calls", { exact: true }).waitFor();
});

test("an administrator chooses languages, masking and who hears originals", async () => {
  const { adminDb, workspaceId, campaignId } = opened.stack;
  const page = await newPage(opened.admin);
  await visit(page, opened, "/campaigns");
  await page.getByRole("button", { name: "Actions for Support" }).click();
  await page.getByRole("menuitem", { name: /^Change|^Edit/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Language of transcripts").selectOption("fr");
  await dialog.getByText("Transcription is off for the whole workspace.").waitFor();
  await dialog.getByLabel("Text and sound").click();
  await dialog.getByLabel("Erase originals after masking").click();
  await dialog.getByText("Original recordings will be erased").scrollIntoViewIfNeeded();
  await screenshots(page, "transcription-campaign");
  await expectAccessible(page);
  await dialog.getByLabel("I understand").click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "hidden" });
  const { rows } = await adminDb.query(
    "select transcription_language, masking, erase_masked_originals from campaign where workspace_id = $1 and id = $2",
    [workspaceId, campaignId],
  );
  expect(rows).toEqual([{ transcription_language: "fr", masking: "text_and_sound", erase_masked_originals: true }]);

  await adminDb.query(
    `insert into transcription_usage (workspace_id, day, calls, speech_ms)
     select $1, current_date - n, 40 + n * 7, 3600000 * (1 + n % 5) from generate_series(0, 20) as n`,
    [workspaceId],
  );
  await visit(page, opened, "/workspace");
  const section = page.getByRole("region", { name: "Transcripts" });
  await section.getByText("This server has no transcription engine").waitFor();
  expect(await section.getByLabel("Transcribe calls").isDisabled()).toBe(true);
  await section.getByLabel("Mask phone numbers").click();
  await section.getByLabel("Masked words").fill("Project Falcon\n\nfalcon");
  await section.getByLabel("Months searchable").fill("24");
  await section.scrollIntoViewIfNeeded();
  await screenshots(page, "transcription-workspace");
  await expectAccessible(page);
  await section.getByRole("button", { name: "Save" }).click();
  await page.getByText("Workspace updated.").waitFor();
  const { origin } = new URL(opened.url);
  const { settings } = await (await page.context().request.get(`${origin}/workspace`)).json();
  expect(settings).toMatchObject({
    transcription: false,
    transcription_minutes_per_day: null,
    mask_phone_numbers: true,
    mask_emails: false,
    masked_words: ["Project Falcon", "falcon"],
    searchable_months: 24,
  });
});

test("a call without a transcript says why, and a supervisor can retry", async () => {
  const { adminDb, workspaceId } = opened.stack;
  const { id } = await importCall(service);
  await waitForCall(service, id);
  const page = await openCall(supervisor, id);
  await page.getByText("This call was not transcribed.").waitFor();
  await adminDb.query(
    `insert into call_step (workspace_id, call_id, step, state, attempts, started_at, ended_at, reason_code, reason_detail)
     values ($1, $2, 'transcribe', 'failed', 3, now(), now(), 'engine_unavailable', 'The engine is away.')`,
    [workspaceId, id],
  );
  await page.reload();
  await page.getByText("The transcription engine isn’t responding.").waitFor();
  await expectAccessible(page);
  await screenshots(page, "transcript-failed");
  await page.getByRole("region", { name: "Transcript" }).getByRole("button", { name: "Try again" }).waitFor();
  const other = await openCall(reviewer, id);
  await other.getByText("This call could not be transcribed").waitFor();
  expect(await other.getByRole("button", { name: "Try again" }).count()).toBe(0);
});

const turnsOfTwoHours = 1_800;
test.runIf(isRelease)(
  "two hours of speech scroll smoothly",
  async () => {
    const { id } = await importCall(service);
    await waitForCall(service, id);
    const turns = Array.from({ length: turnsOfTwoHours }, (_, turn): SeededTurn => {
      const [, text] = script[turn % script.length] ?? ["agent", ""];
      return {
        channel: turn % 2 === 0 ? "left" : "right",
        words: spreadWords(`${text} ${turn % 7 === 0 ? text.repeat(6) : text}`, turn * 4_000, turn * 4_000 + 3_500),
      };
    });
    await seedTranscript(opened.stack, id, turns);
    const page = await openCall(supervisor, id);
    await list(page).waitFor();
    await list(page)
      .locator("xpath=..")
      .evaluate((box) => {
        box.setAttribute("data-scrolled", "");
        // Wheel gestures need it on screen.
        box.scrollIntoView({ block: "center" });
      });
    const slowness = await measureSlowdown(page.context());
    const frames = await scrollAndCount(page, "[data-scrolled]", { pixels: 6_000, speed: 1_500, slowness });
    say(`${(100 * frames.byPage).toFixed(1)} % of frames dropped by the page, ${frames.workMs.toFixed(1)} ms of work`);
    expect(frames.byPage).toBeLessThanOrEqual(0.05);
    expect(await page.evaluate("document.querySelectorAll('[data-w]').length")).toBeLessThan(2_500);
  },
  180_000,
);
