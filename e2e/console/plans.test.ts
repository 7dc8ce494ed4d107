import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { waitForCall, withEveryScope } from "../support/http/call-details.ts";
import { importCall } from "../support/http/service.ts";
import { serviceAt } from "../support/recordings/recordings.ts";
import { makeWav } from "../support/recordings/sounds.ts";
import { until } from "../support/waiting.ts";
import { type Console, openConsole, type Person, startSession, visit } from "./support/console.ts";
import { chooseFromMenu, expectAccessible, screenshots, tabTo } from "./support/page-checks.ts";
import { type Ask, draftReview, openSession, publishScorecard } from "./support/review-requests.ts";

/* A plan from its creation to the agent's check of a draw. */

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

let hearback: Console;
let people: Readonly<Record<"agent" | "reviewer" | "second" | "supervisor", Person>>;
let supervisor: Ask;
let scorecard: Awaited<ReturnType<typeof publishScorecard>>;

beforeAll(async () => {
  hearback = await openConsole();
  const { addPerson } = hearback;
  people = {
    agent: await addPerson("agent"),
    reviewer: await addPerson("reviewer"),
    second: await addPerson("reviewer", "second@example.com"),
    supervisor: await addPerson("supervisor"),
  };
  supervisor = await openSession(hearback, people.supervisor);
  scorecard = await publishScorecard(supervisor);
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

/** Ends the first period of the plan, as time would, and runs the job that is scheduled every five minutes. */
async function endPeriod(planId: string): Promise<void> {
  const client = await hearback.stack.adminDb.connect();
  try {
    // Without the trigger that protects draws.
    await client.query("begin; set local session_replication_role = replica");
    await client.query(
      "update review_draw set ends_at = clock_timestamp(), closes_at = clock_timestamp() where plan_id = $1 and number = 1",
      [planId],
    );
    await client.query(
      `update review_draw set starts_at = (select ends_at from review_draw where plan_id = $1 and number = 1)
        where plan_id = $1 and number = 2`,
      [planId],
    );
    await client.query("insert into outgoing_job (name, payload) values ('plans.run-draws', '{}')");
    await client.query("commit");
  } finally {
    client.release();
  }
  await until("the calls are drawn", 30_000, async () => {
    const { draws } = await supervisor<{ draws: { state: string }[] }>("GET", `/draws?plan_id=${planId}`);
    return draws.some(({ state }) => state === "drawn");
  });
}

async function importCalls(count: number): Promise<void> {
  const { stack, api } = hearback;
  const service = await withEveryScope(stack, serviceAt(stack, api.port));
  const imported = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      importCall(service, {
        conversation_timestamp: String(Math.floor(Date.now() / 1000) - 3600 * (index + 1)),
        agent_email: people.agent.email,
        file: makeWav({ seconds: 5 + index }),
      }),
    ),
  );
  for (const { id } of imported) await waitForCall(service, id, 60_000);
}

interface Assigned {
  readonly id: string;
  readonly call_id: string;
}

/** Gives all open assignments to one reviewer. */
async function assignAllTo({ email }: Person): Promise<readonly Assigned[]> {
  const { assignments } = await supervisor<{ assignments: Assigned[] }>("GET", "/assignments");
  const { users } = await supervisor<{ users: { id: string; email: string }[] }>("GET", "/users?role=reviewer");
  const reviewer_id = users.find((user) => user.email === email)?.id;
  for (const { id } of assignments) await supervisor("PATCH", `/assignments/${id}`, { reviewer_id });
  return assignments;
}

/** Number of calls on the queue. */
const rowsOf = async (page: Page) =>
  (await page.getByRole("table", { name: "Open reviews" }).getByRole("row").count()) - 1;

test("a plan is created, draws calls, and the agent checks the draw", async () => {
  // An empty queue and an empty list of plans.
  const reviewer = await openAs(people.reviewer, "/");
  await reviewer.waitForURL(/\/queue$/);
  await reviewer.getByText("Nothing to review").waitFor();
  await expectAccessible(reviewer);
  const page = await openAs(people.supervisor, "/plans");
  await page.getByText("No review plans").waitFor();
  await expectAccessible(page);

  // Created with the keyboard.
  await tabTo(page, "Create your first plan");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Create plan" }).waitFor();
  await tabTo(page, "Name", { role: "textbox" });
  await page.keyboard.type("Support, weekly");
  await tabTo(page, "Calls per agent");
  await page.keyboard.press("ArrowDown");
  await tabTo(page, "Reviewer", { role: "combobox" });
  await page.keyboard.type("Reviewer");
  await page.getByRole("option", { name: "Reviewer Martin" }).first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await tabTo(page, "Add reviewer");
  await page.keyboard.press("Enter");
  // To the new row, which is before the button or takes its place.
  await page.getByRole("combobox", { name: "Reviewer 2" }).focus();
  await page.keyboard.type("Reviewer");
  await page.getByRole("option", { name: "Reviewer Martin" }).first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByText("In the last 7 days, no calls match.").waitFor();
  await screenshots(page, "plan-editor");
  await expectAccessible(page);
  await tabTo(page, "Create plan");
  await page.keyboard.press("Enter");
  await page.getByText("Plan created.").waitFor();
  await page.getByRole("heading", { name: "Support, weekly" }).waitFor();
  const planId = /plans\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? "";

  // The nonce is set, calls arrive, and the preview counts them.
  await page.getByLabel("Nonce").fill("4 8 15 16 23 42");
  await button(page, "Set nonce").click();
  await page.getByText("Nonce saved.").waitFor();
  await importCalls(6);
  await page.getByRole("link", { name: "Edit plan" }).click();
  await page.getByText("6 calls of 1 agent match. Up to 2 per agent: 2 reviews.", { exact: false }).waitFor();
  await page.getByLabel("Calls per agent").fill("3");
  await button(page, "Save").click();
  await page.getByText("The changed rules apply from", { exact: false }).waitFor();

  // The draw, seen by the supervisor.
  await endPeriod(planId);
  await page.reload();
  await page.getByRole("table", { name: "Drawn calls" }).getByText("Agent Martin").first().waitFor();
  await screenshots(page, "plan");
  await expectAccessible(page);

  // Both calls are on one queue. The review of the first one is complete, but not submitted.
  const [first] = await assignAllTo(people.reviewer);
  const own = await openSession(hearback, people.reviewer);
  await draftReview(own, { scorecard, callId: first?.call_id ?? "" });

  // Enter opens the first call, Shift+Enter submits it and opens the second.
  await reviewer.reload();
  await reviewer.getByRole("link", { name: "Continue review" }).waitFor();
  await expect.poll(() => rowsOf(reviewer)).toBe(2);
  await screenshots(reviewer, "queue");
  await expectAccessible(reviewer);
  await reviewer.keyboard.press("Enter");
  await reviewer.waitForURL(new RegExp(`${first?.call_id}/review`));
  await reviewer.locator("[data-question]").first().waitFor();
  await button(reviewer, "Skip").waitFor();
  await screenshots(reviewer, "queue-review");
  await reviewer.getByText("19 of 19", { exact: true }).waitFor();
  await reviewer.keyboard.press("Shift+Enter");
  await reviewer.waitForURL((url) => url.pathname.endsWith("/review") && !url.pathname.includes(first?.call_id ?? ""));
  await reviewer.getByText("Review submitted.").waitFor();
  await reviewer.getByText("0 of 19", { exact: true }).waitFor();
  await reviewer.getByRole("link", { name: "Back to queue" }).click();
  await reviewer.getByRole("link", { name: "Start review" }).waitFor();
  await expect.poll(() => rowsOf(reviewer)).toBe(1);

  // The second call is skipped with the keyboard; the one that takes its place is handed back.
  await chooseFromMenu(reviewer, "Agent Martin", "Skip");
  const dialog = reviewer.getByRole("dialog", { name: "Skip this call" });
  await dialog.waitFor();
  await reviewer.keyboard.press("Space");
  await expectAccessible(reviewer);
  await dialog.getByRole("button", { name: "Skip call" }).click();
  await reviewer.getByText("Call skipped.").waitFor();
  expect(await assignAllTo(people.reviewer)).toHaveLength(1);
  await reviewer.reload();
  await chooseFromMenu(reviewer, "Agent Martin", "Hand back");
  await reviewer.getByRole("dialog").getByRole("button", { name: "Hand back" }).click();
  await reviewer.getByText("Call handed back.").waitFor();
  await reviewer.getByText("Nothing to review").waitFor();
  await reviewer.getByText("Next draw:", { exact: false }).waitFor();

  // The supervisor sees the skip and reassigns.
  await page.goto(`${hearback.url}/plans/${planId}?state=skipped`);
  await page.getByRole("table", { name: "Drawn calls" }).getByText("Inaudible").waitFor();
  await visit(page, hearback, `/plans/${planId}`);
  await button(page, "Actions for Agent Martin").first().click();
  await page.getByRole("menuitem", { name: "Reassign" }).click();
  await page.getByRole("dialog").getByRole("combobox", { name: "Reviewer" }).click();
  await page.getByRole("option", { name: "Supervisor Martin" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Reassign" }).click();
  await page.getByText("Call assigned to Supervisor Martin.").waitFor();

  // A lead for a team.
  await supervisor("POST", "/teams", { name: "Lyon" });
  await page.goto(`${hearback.url}/people/teams`);
  await page.getByRole("combobox", { name: "Team lead of Lyon" }).click();
  await page.getByRole("option", { name: "Supervisor Martin" }).click();
  await page.getByText("Team lead of Lyon saved.").waitFor();
  await expectAccessible(page);
  await visit(page, hearback, `/plans/${planId}`);

  // The agent checks the draw.
  const agent = await openAs(people.agent, "/reviews");
  await agent.getByRole("main").getByRole("link", { name: "How I am reviewed" }).click();
  await agent.getByText("6 of your calls could be drawn.", { exact: false }).waitFor();
  await agent.getByText("skipped: Inaudible").waitFor();
  await button(agent, "Check this draw").click();
  await agent.getByText("This draw is correct").waitFor();
  expect(await agent.getByRole("listitem").filter({ hasText: "Correct:" }).count()).toBe(4);
  const [script] = await Promise.all([
    agent.waitForEvent("download"),
    agent.getByRole("link", { name: "Download verify-draw.py" }).click(),
  ]);
  expect(await readFile(await script.path(), "utf8")).toContain("RFC 6962");
  await screenshots(agent, "how-i-am-reviewed");
  await expectAccessible(agent);
  await agent.getByLabel("Commitment that you noted down").fill("0".repeat(64));
  await button(agent, "Check this draw").click();
  await agent.getByText("The commitment is not the one that you noted down.").waitFor();

  // The plan ends.
  await button(page, "End plan").click();
  await page.getByRole("dialog").getByRole("button", { name: "End plan" }).click();
  await page.getByText("Plan ended.").waitFor();
  for (const each of [page, reviewer, agent]) await each.context().close();
});
