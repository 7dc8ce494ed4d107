import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Console, openConsole, type Person, startSession, visit } from "../console/support/console.ts";
import { expectAccessible, screenshots } from "../console/support/page-checks.ts";
import { type Ask, openSession, publishScorecard, submitReview } from "../console/support/review-requests.ts";
import { withEveryScope } from "../support/http/call-details.ts";
import { importCall } from "../support/http/service.ts";
import { serviceAt } from "../support/recordings/recordings.ts";
import { makeWav } from "../support/recordings/sounds.ts";

/* Overview, agents, reviewers and an agent's own scores, with the numbers of the API. */

let hearback: Console;
let people: Readonly<Record<"agent" | "reviewer" | "supervisor", Person>>;
let supervisor: Ask;
/** The supervisor's. */
let page: Page;

const reviews = 9;
const failed = 3;

beforeAll(async () => {
  hearback = await openConsole();
  const { addPerson } = hearback;
  people = {
    agent: await addPerson("agent"),
    reviewer: await addPerson("reviewer"),
    supervisor: await addPerson("supervisor"),
  };
  supervisor = await openSession(hearback, people.supervisor);
  page = await openAs(people.supervisor);
}, 240_000);
afterAll(() => hearback?.close());

async function openAs(person: Person): Promise<Page> {
  const page = await hearback.openPage();
  await startSession(page, hearback, person);
  return page;
}

async function releaseReviews(): Promise<void> {
  const service = await withEveryScope(hearback.stack, serviceAt(hearback.stack, hearback.api.port));
  const scorecard = await publishScorecard(supervisor);
  const reviewer = await openSession(hearback, people.reviewer);
  for (let n = 0; n < reviews; n++) {
    const { id: callId } = await importCall(service, {
      agent_email: people.agent.email,
      // Three weeks, three calls each.
      conversation_timestamp: String(Math.floor(Date.now() / 1000) - (1 + (n % 3) * 7) * 86_400 - n),
      file: makeWav({ seed: 7_000 + n }),
    });
    const answers = n < failed ? { greeting: { value: "no" } } : {};
    const id = await submitReview(reviewer, { scorecard, callId, answers });
    await supervisor("POST", `/reviews/${id}/release`);
  }
}

const region = (page: Page, name: string) => page.getByRole("region", { name });

test("pages without reviews say so", async () => {
  await visit(page, hearback, "/scores");
  await page.getByText("No released reviews", { exact: true }).waitFor();
  await expectAccessible(page);
  for (const name of ["Agents", "Reviewers"]) {
    await page.getByRole("link", { name, exact: true }).click();
    await page.getByText("No released reviews", { exact: true }).waitFor();
  }
  const mine = await openAs(people.agent);
  await visit(mine, hearback, "/my-scores");
  await mine.getByText("No reviews in this period").waitFor();
});

test("the overview shows the numbers of the API, and each leads to its reviews", async () => {
  await releaseReviews();
  // The numbers are newer than what the page has read.
  await page.goto(`${hearback.url}/scores?weeks=4`);
  const byWeek = region(page, "Score by week");
  await byWeek.waitFor();
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  type Overview = { reviews: number; score: { value: number; low: number; high: number }; weeks: unknown[] };
  const { score, weeks } = await supervisor<Overview>(
    ...(["GET", `/scores/overview?from=${day(Date.now() - 27 * 86_400_000)}&to=${day(Date.now())}`] as const),
  );
  const text = (hundredths: number) => String(hundredths / 100);
  await page
    .getByRole("link", { name: text(score.value), exact: true })
    .first()
    .waitFor();
  await page
    .getByText(`${text(score.low)} to ${text(score.high)}`, { exact: true })
    .first()
    .waitFor();
  await screenshots(page, "scores");
  await expectAccessible(page);

  // The table has a row per week, also before it is shown.
  expect(await byWeek.getByRole("table").getByRole("row").count()).toBe(weeks.length + 1);
  await byWeek.getByRole("button", { name: "Show as table" }).click();
  await byWeek
    .getByRole("link", { name: /^3 reviews of the week of/ })
    .first()
    .waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    byWeek.getByRole("button", { name: "Download CSV" }).click(),
  ]);
  const csv = await readFile(await download.path(), "utf8");
  expect(csv.trimEnd().split("\r\n")).toHaveLength(weeks.length + 1);
  await expectAccessible(page);

  // The question with the highest fail rate comes first and leads to its three reviews.
  const questions = region(page, "Questions by fail rate");
  const first = questions.getByRole("row").nth(1);
  expect(await first.innerText()).toMatch(/33\.3\s?%/);
  await first.getByRole("link").first().click();
  await page.getByRole("heading", { name: "Reviews", level: 1 }).waitFor();
  await expect.poll(() => page.getByRole("table", { name: "Reviews" }).getByRole("row").count()).toBe(failed + 1);
  expect(new URL(page.url()).searchParams.get("question")).toBe("greeting");
  await expectAccessible(page);
});

test("the overview of a period with few reviews says how many are missing", async () => {
  const day = new Date(Date.now() - 8 * 86_400_000).toISOString().slice(0, 10);
  await visit(page, hearback, `/scores?from=${day}&to=${day}`);
  await page.getByText("5 more reviews until this says something").waitFor();
  await region(page, "Score by week").waitFor();
  await screenshots(page, "scores-few");
  await expectAccessible(page);
});

test("agents are shown with intervals and lead to their reviews", async () => {
  await visit(page, hearback, "/scores/agents");
  const team = region(page, "No team");
  await team.getByRole("link", { name: "Agent Martin" }).waitFor();
  await screenshots(page, "scores-agents");
  await expectAccessible(page);
  await team.getByRole("link", { name: "Agent Martin" }).click();
  await expect.poll(() => page.getByRole("table", { name: "Reviews" }).getByRole("row").count()).toBe(reviews + 1);
});

test("reviewers are shown with their severity and lead to their reviews", async () => {
  await visit(page, hearback, "/scores/reviewers");
  const severity = region(page, "Severity");
  // No call was drawn.
  await severity.getByText(/^0 comparable drawn reviews · 8 more until/).waitFor();
  const all = region(page, "Reviewers").getByRole("link", { name: `${reviews} reviews by Reviewer Martin` });
  await all.waitFor();
  await screenshots(page, "scores-reviewers");
  await expectAccessible(page);
  await severity.getByRole("button", { name: "Show as table" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    severity.getByRole("button", { name: "Download CSV" }).click(),
  ]);
  expect((await readFile(await download.path(), "utf8")).trimEnd().split("\r\n")).toHaveLength(2);
  await all.click();
  await expect.poll(() => page.getByRole("table", { name: "Reviews" }).getByRole("row").count()).toBe(reviews + 1);
});

test("agents see their own scores and the reviews behind them", async () => {
  const page = await openAs(people.agent);
  await visit(page, hearback, "/my-scores");
  await region(page, "Score by week").waitFor();
  await screenshots(page, "my-scores");
  await expectAccessible(page);
  const selection = page.getByRole("combobox", { name: "Selection" });
  await selection.click();
  await page.getByRole("option", { name: "Drawn at random" }).click();
  await page.getByText("No reviews in this period").waitFor();
  await selection.click();
  await page.getByRole("option", { name: "Picked by a reviewer" }).click();
  await region(page, "Questions by fail rate").getByRole("link").first().click();
  await page.getByText("Only some of your reviews are shown.").waitFor();
  await expect.poll(() => page.getByRole("table").getByRole("row").count()).toBe(failed + 1);
  expect(new URL(page.url()).searchParams.get("selection")).toBe("picked");
  await page.getByRole("cell", { name: "Picked by a reviewer" }).first().waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect.poll(() => page.getByRole("table").getByRole("row").count()).toBe(reviews + 1);
});
