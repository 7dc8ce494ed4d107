import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { waitForCall, withEveryScope } from "../support/http/call-details.ts";
import { importCall, type Service } from "../support/http/service.ts";
import { serviceAt } from "../support/recordings/recordings.ts";
import { makeWav } from "../support/recordings/sounds.ts";
import { playerState } from "./support/audio-output.ts";
import { type Console, openConsole, type Person, startSession, visit } from "./support/console.ts";
import { expectAccessible, screenshots } from "./support/page-checks.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let opened: Console;
let service: Service;
let reviewer: Person;
let page: Page;
/** Newest first, as in the list. */
let calls: string[];
let scorecardId: string;

const scorecard = {
  format: "hearback.scorecard/1",
  name: "Support call",
  passing_score: 80,
  release: "by_supervisor",
  sections: [
    {
      id: "opening",
      title: "Opening",
      questions: [
        {
          id: "greeting",
          title: "Greets with company and own name",
          guidance: "Within the first **ten seconds**. Either order.",
          type: "yes_no",
          weight: 20,
          not_applicable: true,
        },
        {
          id: "identity",
          title: "Verifies identity before touching account data",
          type: "choice",
          weight: 40,
          options: [
            { id: "full", label: "Fully", points: 2 },
            { id: "partly", label: "Partly", points: 1, comment: "required" },
            { id: "no", label: "Not at all", points: 0, fails: "call", comment: "required" },
          ],
        },
        {
          id: "reason",
          title: "What was missing?",
          type: "multiple",
          options: [
            { id: "dob", label: "Date of birth" },
            { id: "address", label: "Address" },
          ],
          when: { question: "identity", is: ["partly", "no"] },
        },
      ],
    },
    {
      id: "conversation",
      title: "Conversation",
      questions: [
        {
          id: "holds",
          title: "Number of holds",
          type: "number",
          weight: 40,
          bands: [{ to: 2, points: 1 }, { points: 0 }],
        },
        { id: "summary", title: "Summary for the team", type: "text", not_applicable: true },
      ],
    },
  ],
};

beforeAll(async () => {
  opened = await openConsole();
  service = await withEveryScope(opened.stack, serviceAt(opened.stack, opened.api.port));
  reviewer = await opened.addPerson("reviewer");
  const supervisor = await opened.addPerson("supervisor");
  const now = Math.floor(Date.now() / 1000);
  const imported = await Promise.all(
    [600, 700, 800, 900, 1000, 1100].map((ago, index) =>
      importCall(service, {
        conversation_timestamp: String(now - ago),
        file: makeWav({ seconds: 20 + index }),
      }),
    ),
  );
  calls = imported.map(({ id }) => id);
  await Promise.all(calls.map((id) => waitForCall(service, id)));
  const manager = await opened.openPage();
  await startSession(manager, opened, supervisor);
  const created = await ask(manager, "post", "/scorecards", { document: scorecard });
  scorecardId = created.id;
  await ask(manager, "post", `/scorecards/${scorecardId}/publish`);
  await manager.context().close();
  page = await opened.openPage();
  page.setDefaultTimeout(10_000);
  await startSession(page, opened, reviewer);
});
afterAll(() => opened?.close());

async function ask(by: Page, method: "get" | "post", path: string, data?: object) {
  const { origin } = new URL(opened.url);
  const answer = await by.context().request[method](`${origin}${path}`, { headers: { origin }, ...(data && { data }) });
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
  return answer.json();
}

const reviewsOf = async (callId: string) => (await ask(page, "get", `/reviews?call_id=${callId}`)).reviews;
const detailOf = async (callId: string) => ask(page, "get", `/reviews/${(await reviewsOf(callId))[0].id}`);

const card = (of: Page, title: string) =>
  of.locator("[data-question]").and(of.getByRole("group", { name: title, exact: true }));
const option = (of: Page, title: string, label: string) => card(of, title).getByLabel(label, { exact: true });
const current = (of: Page) => of.locator("[data-question][data-current]").getAttribute("data-question");
const saved = (of: Page) => of.getByRole("region", { name: "Finish the review" }).getByText("Saved").first();

/** Entries in localStorage with answers that are not saved. */
const unsentKeys = (of: Page, callId: string) =>
  of.evaluate(`Object.keys(localStorage).filter((key) => key.includes(".unsent.${callId}.")).length`);

async function openReview(of: Page, callId: string) {
  // A new document: its first question is marked.
  await of.goto(`${opened.url}/calls/${callId}/review`);
  await ready(of);
}
async function ready(of: Page) {
  await card(of, "Greets with company and own name").waitFor();
  await of.getByRole("slider", { name: "Playback position" }).waitFor();
}
async function press(of: Page, ...keys: string[]) {
  for (const key of keys) await of.keyboard.press(key);
}

test("two calls in a row are reviewed with the keyboard alone", async () => {
  await visit(page, opened, "/calls");
  await page.getByRole("table").getByRole("link").first().waitFor();
  await press(page, "j", "Enter");
  await page.waitForURL((url) => url.pathname.endsWith(`/calls/${calls[0]}`));
  await page.getByRole("link", { name: "Review", exact: true }).waitFor();
  await press(page, "r");
  await ready(page);
  expect(await current(page)).toBe("greeting");
  expect(await reviewsOf(calls[0] ?? "")).toEqual([]);

  // Player keys stay the player's; those of the form apply to the marked question.
  await press(page, "l", "1");
  await expect.poll(() => option(page, "Greets with company and own name", "Yes").isChecked()).toBe(true);
  await press(page, "ArrowDown", "3");
  await card(page, "What was missing?").waitFor();
  await page.getByText("This answer fails the call. Explain it in the comment.").waitFor();
  await press(page, "c");
  const comment = page.getByRole("textbox", { name: "Comment" }).and(page.locator(":focus"));
  await expect.poll(() => comment.inputValue()).toBe("0:10 ");
  await page.keyboard.type("Asked 2 questions only");
  await press(page, "Escape", "m", "ArrowRight", "m");
  await page.getByRole("button", { name: "Play 0:10–0:15", exact: true }).waitFor();
  await press(page, "ArrowDown", "1", "2", "ArrowDown", "1");
  await expect.poll(() => page.getByRole("spinbutton").and(page.locator(":focus")).inputValue()).toBe("1");
  await press(page, "Enter", "n");
  await expect.poll(() => option(page, "Summary for the team", "Not applicable").isChecked()).toBe(true);
  await saved(page).waitFor();
  await page.getByText("Failed", { exact: true }).first().waitFor();
  await expectAccessible(page);
  await screenshots(page, "review-call");
  expect((await playerState(page)).ms).toBe(15_000);

  await press(page, "?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("Choose an option").waitFor();
  await press(page, "Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await press(page, "Shift+Enter");
  await page.waitForURL((url) => url.pathname.endsWith(`/calls/${calls[1]}/review`));
  await ready(page);
  await expect
    .poll(() => detailOf(calls[0] ?? ""))
    .toMatchObject({
      state: "submitted",
      score: 0,
      outcome: "failed",
      answers: {
        greeting: { value: "yes" },
        identity: {
          value: "no",
          comment: "0:10 Asked 2 questions only",
          moments: [{ start_ms: 10_000, end_ms: 15_000 }],
        },
        reason: { value: ["dob", "address"] },
        holds: { value: 1 },
        summary: { not_applicable: true },
      },
    });
  await press(page, "1", "ArrowDown", "1", "ArrowDown", "2", "Enter", "0");
  await page.getByText("Passed", { exact: true }).first().waitFor();
  await press(page, "Shift+Enter");
  await page.waitForURL((url) => url.pathname.endsWith(`/calls/${calls[2]}/review`));
  await expect
    .poll(() => detailOf(calls[1] ?? ""))
    .toMatchObject({ state: "submitted", score: 10_000, outcome: "passed" });
});

test("submitting without all answers lists what is missing and focuses the first question", async () => {
  await openReview(page, calls[2] ?? "");
  await press(page, "ArrowDown", "2");
  await page.getByRole("button", { name: "Submit", exact: true }).click();
  await page.getByText("4 answers are missing, 1 comment is missing").waitFor();
  await expect.poll(() => current(page)).toBe("greeting");
  expect(
    await card(page, "Greets with company and own name").evaluate((element) => element === document.activeElement),
  ).toBe(true);
  await page.getByRole("button", { name: "Number of holds", exact: true }).click();
  await expect.poll(() => current(page)).toBe("holds");
  await expectAccessible(page);
  await screenshots(page, "review-missing");
});

test("a reload in the middle keeps the answers, and the call page continues the draft", async () => {
  await openReview(page, calls[2] ?? "");
  await press(page, "1");
  await page.getByLabel("Overall comment").fill("Friendly");
  // Before the text has settled.
  await page.reload();
  await ready(page);
  await expect.poll(() => option(page, "Greets with company and own name", "Yes").isChecked()).toBe(true);
  await expect
    .poll(() => option(page, "Verifies identity before touching account data", "Partly").isChecked())
    .toBe(true);
  expect(await page.getByLabel("Overall comment").inputValue()).toBe("Friendly");
  await expect.poll(async () => (await detailOf(calls[2] ?? "")).comment).toBe("Friendly");
  await page.getByRole("link", { name: "Back to call" }).click();
  await page.getByRole("link", { name: "Continue review" }).waitFor();
});

test("answers given offline are kept and sent when the network is back", async () => {
  await openReview(page, calls[3] ?? "");
  await press(page, "1");
  await saved(page).waitFor();
  await page.context().setOffline(true);
  await press(page, "ArrowDown", "1", "ArrowDown", "2", "Escape");
  await page.getByText("Offline: kept in this browser").first().waitFor();
  await screenshots(page, "review-offline");
  expect(await unsentKeys(page, calls[3] ?? "")).toBe(1);
  await page.context().setOffline(false);
  await saved(page).waitFor();
  await expect
    .poll(async () => (await detailOf(calls[3] ?? "")).answers)
    .toEqual({ greeting: { value: "yes" }, identity: { value: "full" }, holds: { value: 2 } });
  await expect.poll(() => unsentKeys(page, calls[3] ?? "")).toBe(0);
});

test("a submission that fails after the next call is open is reported, and the draft is kept", async () => {
  await openReview(page, calls[3] ?? "");
  await page.route("**/submit", (route) => route.abort());
  await card(page, "Summary for the team").focus();
  await press(page, "0", "Shift+Enter");
  await page.waitForURL((url) => url.pathname.endsWith(`/calls/${calls[4]}/review`));
  await page.getByText("The review was not submitted.").waitFor();
  await expectAccessible(page);
  await page.unroute("**/submit");
  await page.getByRole("button", { name: "Open draft" }).click();
  await page.waitForURL((url) => url.pathname.endsWith(`/calls/${calls[3]}/review`));
  await ready(page);
  await page.getByRole("button", { name: "Submit", exact: true }).click();
  await page.waitForURL((url) => url.pathname.includes("/reviews/"));
  expect(await detailOf(calls[3] ?? "")).toMatchObject({ state: "submitted", answers: { holds: { value: 2 } } });
});

test("unsent answers are sent when the page is opened again", async () => {
  const later = await opened.openPage();
  await startSession(later, opened, reviewer);
  await openReview(later, calls[4] ?? "");
  await later.route("**/reviews/**", (route) => route.abort());
  await later.route("**/reviews", (route) => route.abort());
  await press(later, "2");
  await later.getByText("Offline: kept in this browser").first().waitFor();
  await later.unroute("**/reviews/**");
  await later.unroute("**/reviews");
  await later.reload();
  await ready(later);
  await expect.poll(async () => (await reviewsOf(calls[4] ?? "")).length).toBe(1);
  await expect.poll(async () => (await detailOf(calls[4] ?? "")).answers).toEqual({ greeting: { value: "no" } });
  await expect.poll(() => option(later, "Greets with company and own name", "No").isChecked()).toBe(true);
  await later.context().close();
});

test("two tabs never overwrite each other silently", async () => {
  await openReview(page, calls[4] ?? "");
  const other = await page.context().newPage();
  await openReview(other, calls[4] ?? "");
  // Another question: merged.
  await press(page, "1");
  await expect.poll(async () => Object.keys((await detailOf(calls[4] ?? "")).answers).length).toBe(2);
  // The same question: the person chooses.
  await option(other, "Greets with company and own name", "Yes").check({ force: true });
  await saved(other).waitFor();
  await expect.poll(async () => (await detailOf(calls[4] ?? "")).answers.greeting).toEqual({ value: "yes" });
  await expect
    .poll(() => option(other, "Verifies identity before touching account data", "Fully").isChecked())
    .toBe(true);
  await option(page, "Greets with company and own name", "Not applicable").check({ force: true });
  await page.getByText("Changed in another window").waitFor();
  // Frames of a tab in the background are throttled.
  await page.bringToFront();
  await expectAccessible(page);
  await screenshots(page, "review-conflict");
  await page.getByRole("button", { name: /^Use this answer/ }).click();
  await expect.poll(() => option(page, "Greets with company and own name", "Yes").isChecked()).toBe(true);
  await page.getByText("Changed in another window").waitFor({ state: "detached" });
  expect((await detailOf(calls[4] ?? "")).answers.greeting).toEqual({ value: "yes" });
  await other.close();

  await page.getByRole("button", { name: "Discard draft" }).click();
  await page
    .getByRole("dialog", { name: "Discard this draft?" })
    .getByRole("button", { name: "Discard draft" })
    .click();
  await page.getByRole("link", { name: "Review", exact: true }).waitFor();
  expect(await reviewsOf(calls[4] ?? "")).toEqual([]);
});

test("notes at a second are written, edited and deleted on the call page", async () => {
  await visit(page, opened, `/calls/${calls[5]}`);
  await page.getByRole("slider", { name: "Playback position" }).waitFor();
  await page.getByText("No notes yet.").waitFor();
  await press(page, "l", "t");
  await page.getByLabel("Note at 0:10").and(page.locator(":focus")).waitFor();
  await page.keyboard.type("Customer asks for a refund");
  await press(page, "Enter");
  await page.getByText("Customer asks for a refund").waitFor();
  await expectAccessible(page);
  await screenshots(page, "call-notes");
  await page.getByRole("button", { name: "Actions for note at 0:10" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await page.getByLabel("Note at 0:10").fill("Refund");
  await press(page, "Enter");
  await page.getByText("Refund", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Actions for note at 0:10" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete note" }).click();
  await page.getByText("No notes yet.").waitFor();
});
