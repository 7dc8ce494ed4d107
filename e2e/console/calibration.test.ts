import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { waitForCall, withEveryScope } from "../support/http/call-details.ts";
import { importCall } from "../support/http/service.ts";
import { serviceAt } from "../support/recordings/recordings.ts";
import { makeWav } from "../support/recordings/sounds.ts";
import { type Console, openConsole, type Person, startSession, visit } from "./support/console.ts";
import { expectAccessible, screenshots, tabTo } from "./support/page-checks.ts";
import { type Ask, draftReview, openSession, publishScorecard, submitReview } from "./support/review-requests.ts";

/* A calibration session from its creation to what was decided. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let hearback: Console;
let people: Readonly<Record<"agent" | "reviewer" | "supervisor", Person>>;
let asked: Readonly<Record<"reviewer" | "supervisor", Ask>>;
let scorecard: Awaited<ReturnType<typeof publishScorecard>>;

beforeAll(async () => {
  hearback = await openConsole();
  const { addPerson, stack, api } = hearback;
  people = {
    agent: await addPerson("agent"),
    reviewer: await addPerson("reviewer"),
    supervisor: await addPerson("supervisor"),
  };
  asked = {
    reviewer: await openSession(hearback, people.reviewer),
    supervisor: await openSession(hearback, people.supervisor),
  };
  scorecard = await publishScorecard(asked.supervisor);
  const service = await withEveryScope(stack, serviceAt(stack, api.port));
  for (const seconds of [20, 21]) {
    const { id } = await importCall(service, {
      conversation_timestamp: String(Math.floor(Date.now() / 1000) - 60 * seconds),
      agent_email: people.agent.email,
      file: makeWav({ seconds }),
    });
    await waitForCall(service, id, 60_000);
  }
});
afterAll(async () => {
  await hearback?.close();
});

async function openAs(person: Person, path: string): Promise<Page> {
  const page = await hearback.openPage();
  await startSession(page, hearback, person);
  await page.goto(hearback.url + path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });

interface Session {
  readonly call_list: readonly { readonly call_id: string }[];
}

test("a session is created, scored blind, closed, compared and decided", async () => {
  // Created by a supervisor.
  const page = await openAs(people.supervisor, "/calibrations");
  await page.getByText("No open sessions").waitFor();
  await expectAccessible(page);
  await page.getByRole("main").getByRole("link", { name: "Create session" }).first().click();
  await page.getByLabel("Name").fill("November");
  await page.getByLabel("Participants", { exact: true }).first().click();
  await page.getByRole("option", { name: "Reviewer Martin" }).click();
  await page.getByRole("option", { name: "Supervisor Martin" }).click();
  await page.keyboard.press("Escape");
  await button(page, "Add all 2 calls").click();
  await page.getByText("Calls (2 of at most 50)").waitFor();
  await screenshots(page, "calibration-new");
  await expectAccessible(page);
  await button(page, "Create session").click();
  await page.getByText("Session created.").waitFor();
  await page.getByRole("heading", { name: "November", level: 1 }).waitFor();
  const id = /calibrations\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? "";
  const { call_list } = await asked.supervisor<Session>("GET", `/calibrations/${id}`);
  const [first = "", second = ""] = call_list.map(({ call_id }) => call_id);

  // Scored by a reviewer, with the keyboard. The first review is complete, but not submitted.
  await draftReview(asked.reviewer, { scorecard, callId: first, calibrationId: id });
  const reviewer = await openAs(people.reviewer, "/calibrations");
  await reviewer.getByText("2 calls to score").waitFor();
  await screenshots(reviewer, "calibrations");
  await expectAccessible(reviewer);
  await reviewer.keyboard.press("Enter");
  await reviewer.waitForURL(new RegExp(`${first}/review`));
  await reviewer.getByText("The review does not count for the agent.", { exact: false }).waitFor();
  await reviewer.getByText("19 of 19", { exact: true }).waitFor();
  await screenshots(reviewer, "calibration-review");
  await expectAccessible(reviewer);
  await reviewer.keyboard.press("Shift+Enter");
  await reviewer.waitForURL(new RegExp(`${second}/review`));
  await reviewer.getByText("Review submitted.").waitFor();
  await reviewer.getByText("0 of 19", { exact: true }).waitFor();
  await reviewer.getByRole("link", { name: "Back to session" }).click();
  await reviewer.getByText("1 call to score").waitFor();
  await reviewer.context().close();

  // The others, over HTTP. The supervisor gives another answer to the first question of the first call.
  await submitReview(asked.reviewer, { scorecard, callId: second, calibrationId: id });
  const [question] = scorecard.questions;
  const comment = "Only the company name.";
  const other = { value: "no", comment, moments: [{ start_ms: 2000, end_ms: 4000 }] };
  const answers = { [question?.id ?? ""]: other };
  await submitReview(asked.supervisor, { scorecard, callId: first, calibrationId: id, answers });
  await submitReview(asked.supervisor, { scorecard, callId: second, calibrationId: id });

  // Progress without answers, then the close.
  await page.reload();
  await page.getByRole("table", { name: "Participants" }).getByText("2 of 2").first().waitFor();
  expect(await page.getByRole("table", { name: "Participants" }).getByText("2 of 2").count()).toBeGreaterThanOrEqual(2);
  expect(await page.getByText(comment).count()).toBe(0);
  await screenshots(page, "calibration-open");
  await expectAccessible(page);
  await button(page, "Close session").click();
  await page.getByRole("dialog").getByRole("button", { name: "Close session" }).click();
  await page.getByText("Session closed.").waitFor();

  // Results: too few calls to say, the answers side by side, a moment.
  await page.getByText("Too few to say").first().waitFor();
  await tabTo(page, await firstQuestion(page).innerText());
  await page.keyboard.press("Enter");
  await page.getByText(comment).waitFor();
  expect(await page.getByText("Answers differ").count()).toBe(1);
  await page.getByRole("link", { name: "Open the call at 0:02" }).waitFor();
  await button(page, /^Open player/)
    .first()
    .click();
  await button(page, "Play 0:02 – 0:04").waitFor();

  // What was decided, added to the guidance once.
  await page.getByRole("textbox", { name: "What was decided" }).fill("Both names are needed.");
  await button(page, "Save decision").click();
  await page.getByText("Decision saved.").waitFor();
  await button(page, "Add to the guidance of the next version").click();
  await page.getByText("Added to the guidance in the draft of the scorecard.", { exact: false }).waitFor();
  await button(page, "Add to the guidance of the next version").click();
  await page.getByText("The guidance in the draft has this text already.").waitFor();
  await screenshots(page, "calibration-results");
  await expectAccessible(page);

  // Agreement without a session.
  await visit(page, hearback, "/calibrations/agreement");
  await page.getByText("No second reviews in this period").waitFor();
  await page.getByRole("main").getByRole("link", { name: "Review plans" }).waitFor();
  await screenshots(page, "agreement");
  await expectAccessible(page);
  await page.context().close();
});

const firstQuestion = (page: Page) => page.getByRole("table", { name: "Agreement" }).getByRole("link").first();
