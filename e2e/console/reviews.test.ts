import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { waitForCall, withEveryScope } from "../support/http/call-details.ts";
import { importCall, type Service } from "../support/http/service.ts";
import { serviceAt } from "../support/recordings/recordings.ts";
import { makeWav } from "../support/recordings/sounds.ts";
import { playerState } from "./support/audio-output.ts";
import { type Console, openConsole, type Person, startSession, visit } from "./support/console.ts";
import { expectAccessible, screenshots, tabTo } from "./support/page-checks.ts";
import { type Ask, draftReview, openSession, publishScorecard, submitReview } from "./support/review-requests.ts";

/* The life of a review after it was submitted: release, acknowledgement, objection, decision, correction, voiding. */

let hearback: Console;
let service: Service;
let people: Readonly<Record<"agent" | "reviewer" | "supervisor" | "arbiter", Person>>;
let reviewer: Ask;
let scorecard: Awaited<ReturnType<typeof publishScorecard>>;
let calls: readonly string[];

beforeAll(async () => {
  hearback = await openConsole();
  const { stack, api, addPerson } = hearback;
  people = {
    agent: await addPerson("agent"),
    reviewer: await addPerson("reviewer"),
    supervisor: await addPerson("supervisor"),
    arbiter: await addPerson("supervisor", "arbiter@example.com"),
  };
  service = await withEveryScope(stack, serviceAt(stack, api.port));
  const times = [0, 1, 2, 3, 4].map((day) => String(1_763_000_000 + day * 86_400));
  const imported = await Promise.all(
    times.map((conversation_timestamp, index) =>
      importCall(service, {
        conversation_timestamp,
        agent_email: people.agent.email,
        file: makeWav({ seconds: 20 + index }),
      }),
    ),
  );
  calls = imported.map(({ id }) => id);
  const supervisor = await openSession(hearback, people.supervisor);
  scorecard = await publishScorecard(supervisor);
  reviewer = await openSession(hearback, people.reviewer);
  await waitForCall(service, calls[0] ?? "", 60_000);
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

const callAt = (index: number) => calls[index] ?? "";
const question = (page: Page, id: string) => page.locator(`article[data-question="${id}"]`);
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const link = (page: Page, name: string | RegExp) => page.getByRole("link", { name });

test("a review is released, acknowledged, disputed, decided and read by the agent", { timeout: 200_000 }, async () => {
  const id = await submitReview(reviewer, {
    scorecard,
    callId: callAt(0),
    comment: "Calm and friendly.\nThe greeting was missing.",
    answers: {
      greeting: {
        value: "no",
        comment: "No name is said.",
        moments: [{ start_ms: 2000, end_ms: 3000 }],
      },
      summary: { value: "no" },
      questioning: { value: "fair" },
    },
  });

  // The supervisor finds it in the list, reads and releases it.
  const supervisor = await openAs(people.supervisor, "/reviews");
  await link(supervisor, /^Reviews\s?1 to release/).waitFor();
  await supervisor.getByRole("table", { name: "Reviews" }).getByText("Agent Martin").waitFor();
  await screenshots(supervisor, "reviews");
  await expectAccessible(supervisor);
  await supervisor.getByRole("table").getByRole("link").first().click();
  await button(supervisor, "Play").waitFor();
  const losses = supervisor.getByRole("table", { name: /^From 100 to the score of 85.00/ });
  await losses.waitFor();
  expect(await losses.getByRole("row").allInnerTexts()).toHaveLength(6);
  await button(supervisor, "Play 0:02 – 0:03").click();
  await expect.poll(async () => (await playerState(supervisor)).paused).toBe(false);
  // Stops at the end of the moment.
  await expect.poll(async () => (await playerState(supervisor)).paused).toBe(true);
  expect((await playerState(supervisor)).ms).toBeGreaterThan(2900);
  expect((await playerState(supervisor)).ms).toBeLessThan(6000);
  await screenshots(supervisor, "review-submitted");
  await button(supervisor, "Release").click();
  await supervisor.getByRole("dialog", { name: "Release to agent" }).getByRole("button", { name: "Release" }).click();
  await supervisor.getByText("Review released.").waitFor();
  expect(await supervisor.evaluate("document.activeElement.tagName")).toBe("H1");

  // The agent acknowledges it and objects to two answers with the keyboard.
  const agent = await openAs(people.agent, "/reviews");
  await agent.getByRole("heading", { name: "My reviews" }).waitFor();
  await link(agent, /^My reviews\s?1 to acknowledge/).waitFor();
  await agent.getByText("14 days left").waitFor();
  await screenshots(agent, "my-reviews");
  await expectAccessible(agent);
  await agent.getByRole("table").getByRole("link").first().click();
  await button(agent, "Acknowledge").click();
  await agent.getByLabel("Note").fill("Thank you.");
  await agent.getByRole("dialog").getByRole("button", { name: "Acknowledge" }).click();
  await agent.getByText("“Thank you.”").waitFor();
  await tabTo(agent, "Object: Greets with the company's and their own name");
  await agent.keyboard.press("Enter");
  await button(agent, "Send objection").click();
  await agent.getByText("Choose the answer that you think is right.").waitFor();
  await question(agent, "greeting").getByLabel("Yes").and(agent.locator(":focus")).waitFor();
  await agent.keyboard.press("Space");
  await question(agent, "greeting").getByLabel("Your reason").fill("I said both names at 0:04.");
  await button(agent, "Add current position").click();
  await button(agent, "Object: Asks questions that lead to the cause").click();
  await question(agent, "questioning").getByLabel("Reaches the cause directly").check({ force: true });
  await question(agent, "questioning").getByLabel("Your reason").fill("Three questions were enough.");
  await screenshots(agent, "review-objection");
  await expectAccessible(agent);
  await button(agent, "Send objection").click();
  await agent.getByText("Someone other than your reviewer decides", { exact: false }).waitFor();

  // Another supervisor decides.
  const arbiter = await openAs(people.arbiter, "/disputes");
  await arbiter.getByRole("table", { name: "Disputes" }).getByText("Agent Martin").waitFor();
  await screenshots(arbiter, "disputes");
  await expectAccessible(arbiter);
  await arbiter.getByRole("table").getByRole("link").first().click();
  await arbiter.getByText("I said both names at 0:04.").waitFor();
  await button(arbiter, "Reassign").click();
  await arbiter.getByRole("combobox", { name: "Arbiter" }).click();
  await arbiter.getByRole("option", { selected: false }).first().click();
  await button(arbiter, "Assign").click();
  await arbiter.getByText("Dispute assigned to", { exact: false }).waitFor();
  await question(arbiter, "greeting").getByLabel("Change the answer").check();
  await question(arbiter, "greeting").getByLabel("Explanation").fill("Both names are at 0:04.");
  await button(arbiter, "Save decision").click();
  await arbiter.getByText("Choose a decision.").waitFor();
  await question(arbiter, "questioning").getByLabel("Change the answer").check();
  await question(arbiter, "questioning").getByLabel("Guesses, or asks off the point").check({ force: true });
  await question(arbiter, "questioning").getByLabel("Explanation").fill("One question was asked twice.");
  await arbiter.getByText("This would lower the score from 85 to 84", { exact: false }).waitFor();
  await expectAccessible(arbiter);
  await question(arbiter, "questioning").getByLabel("Keep the answer").check();
  const bar = arbiter.getByRole("region", { name: "Save decision" });
  await bar.getByText("2 of 2 decided").waitFor();
  await bar.getByText("89", { exact: true }).waitFor();
  await screenshots(arbiter, "dispute-decision");
  await button(arbiter, "Save decision").click();
  await arbiter.getByText("Decision saved.").waitFor();
  await arbiter.getByText("Dispute decided: 85 → 89").waitFor();
  await arbiter.getByRole("main").getByRole("link", { name: "Disputes" }).click();
  await arbiter.getByText("No open disputes").waitFor();
  await visit(arbiter, hearback, "/disputes?state=resolved");
  await arbiter.getByText("1 of 2 changed").waitFor();

  // The agent reads both decisions and the old score.
  await agent.reload();
  await question(agent, "greeting").getByText("Changed from “No” to “Yes”").waitFor();
  await question(agent, "questioning").getByText("One question was asked twice.").waitFor();
  await agent.getByText("Changed after your objection").waitFor();
  const history = agent.getByRole("region", { name: "History" }).getByRole("listitem");
  const entries = ["89", "Acknowledged", "Released", "85"].map((text) => expect.stringContaining(text));
  expect(await history.allInnerTexts()).toEqual(entries);
  const decided = agent.getByRole("alert").filter({ hasText: "Objection decided: 85 → 89" });
  await decided.getByRole("button", { name: "Asks questions that lead to the cause" }).click();
  await question(agent, "questioning").and(agent.locator(":focus")).waitFor();
  await screenshots(agent, "review-decided");
  await expectAccessible(agent);

  // A correction is a third revision; then the review is voided.
  await supervisor.goto(`${hearback.url}/reviews/${id}`);
  await button(supervisor, "Correct").click();
  await supervisor.locator('[data-question="summary"]').getByLabel("Yes").check({ force: true });
  await supervisor.getByRole("textbox", { name: "Reason" }).fill("The summary is at 0:15.");
  await screenshots(supervisor, "review-correction");
  await expectAccessible(supervisor);
  await button(supervisor, "Save correction").click();
  await supervisor.getByText("“The summary is at 0:15.”").waitFor();
  await button(supervisor, "Void").click();
  await supervisor.getByRole("dialog").getByLabel("Reason").fill("Another agent took this call.");
  await supervisor.getByRole("dialog").getByRole("button", { name: "Void" }).click();
  await supervisor.getByText("This review is voided and counts nowhere").waitFor();
  for (const page of [supervisor, agent, arbiter]) await page.context().close();
});

test("drafts come first; many reviews are released at once", { timeout: 120_000 }, async () => {
  for (const index of [1, 2]) await submitReview(reviewer, { scorecard, callId: callAt(index) });
  const failed = { value: "no", comment: "Account data came first." };
  await submitReview(reviewer, { scorecard, callId: callAt(3), answers: { identity: failed } });
  await draftReview(reviewer, { scorecard, callId: callAt(4) });

  const own = await openAs(people.reviewer, "/reviews");
  const drafts = own.getByRole("table", { name: "Your drafts" });
  await drafts.waitFor();
  expect(await drafts.getByRole("link").getAttribute("href")).toBe(
    `/console/calls/${callAt(4)}/review?scorecard=${scorecard.id}`,
  );
  await screenshots(own, "reviews-own");
  await visit(own, hearback, "/reviews?outcome=failed");
  await own.getByRole("table", { name: "Reviews" }).getByText("Failed").waitFor();
  expect(await own.getByRole("table", { name: "Reviews" }).getByRole("row").count()).toBe(2);
  await button(own, "More filters").click();
  await own.getByRole("combobox", { name: "Campaign" }).waitFor();
  await screenshots(own, "reviews-filters");
  await expectAccessible(own);
  await own.context().close();

  const supervisor = await openAs(people.supervisor, "/reviews");
  await supervisor.getByText("To release (3)").click();
  await supervisor.waitForURL(/view=release/);
  await supervisor.getByLabel("Select all (3)").check();
  await supervisor.getByRole("table").getByRole("checkbox").first().uncheck();
  await screenshots(supervisor, "reviews-release");
  await expectAccessible(supervisor);
  await button(supervisor, "Release selected").click();
  await supervisor.getByRole("dialog").getByRole("button", { name: "Release", exact: true }).click();
  await supervisor.getByText("2 reviews released.").waitFor();
  await supervisor.keyboard.press("Enter");
  await expect.poll(() => supervisor.getByRole("table").getByRole("checkbox").count()).toBe(1);
  await supervisor.getByRole("table").getByRole("link").first().click();
  await supervisor.getByText("Failed by:", { exact: false }).waitFor();
  await screenshots(supervisor, "review-failed");
  await expectAccessible(supervisor);

  // The recording is erased; answers and score stay.
  const admin = await openSession(hearback, hearback.admin);
  await admin("POST", "/erasures", { call_id: callAt(3) });
  const isGone = () =>
    admin("GET", `/calls/${callAt(3)}`).then(
      () => false,
      () => true,
    );
  await expect.poll(isGone).toBe(true);
  await supervisor.reload();
  await supervisor.getByText("The recording isn’t available", { exact: false }).waitFor();
  await supervisor.getByText("Failed by:", { exact: false }).waitFor();
  await supervisor.context().close();
});

test("the rules for reviews are settings of the workspace", { timeout: 60_000 }, async () => {
  const admin = await openAs(hearback.admin, "/workspace");
  const section = admin.getByRole("region", { name: "Reviews" });
  await section.getByLabel("Reviewers can review any call").uncheck();
  await section.getByLabel("Days to decide a dispute").fill("3");
  await section.getByLabel("Review retention in months").fill("12");
  await section.getByRole("button", { name: "Save" }).click();
  await admin.getByText("Workspace updated.").waitFor();
  await section.scrollIntoViewIfNeeded();
  await screenshots(admin, "workspace-reviews");
  await expectAccessible(admin);
  await section.getByLabel("Review retention in months").fill("");
  await section.getByRole("button", { name: "Save" }).click();
  const ask = await openSession(hearback, hearback.admin);
  await expect
    .poll(async () => (await ask<{ settings: object }>("GET", "/workspace")).settings)
    .toMatchObject({ reviewers_pick_calls: false, dispute_due_days: 3, review_retention_months: null });
  await admin.context().close();
});
