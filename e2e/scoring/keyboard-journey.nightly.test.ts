// Nightly, and for changes in: console/src/review-form/
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Console, openConsole, type Person, startSession } from "../console/support/console.ts";
import { tabTo } from "../console/support/page-checks.ts";
import { type Ask, openSession } from "../console/support/review-requests.ts";
import { waitForCall, withEveryScope } from "../support/http/call-details.ts";
import { importCall } from "../support/http/service.ts";
import { serviceAt } from "../support/recordings/recordings.ts";
import { makeWav } from "../support/recordings/sounds.ts";
import { scale } from "../support/run-scale.ts";
import { say } from "../support/waiting.ts";

/* From the list of calls to the decision of a dispute without a mouse. */

const count = scale(2, 2, 10);

const scorecard = {
  format: "hearback.scorecard/1",
  name: "Ten questions",
  passing_score: 80,
  release: "by_supervisor",
  sections: [
    {
      id: "call",
      title: "Call",
      questions: Array.from({ length: 10 }, (_, index) => ({
        id: `question_${index}`,
        title: `Question ${index}`,
        type: "yes_no",
        weight: 10,
        not_applicable: true,
      })),
    },
  ],
};

let hearback: Console;
let people: Readonly<Record<"agent" | "reviewer" | "supervisor" | "arbiter", Person>>;
let supervisor: Ask;
let scorecardId: string;

beforeAll(async () => {
  hearback = await openConsole();
  const { stack, api, addPerson } = hearback;
  people = {
    agent: await addPerson("agent"),
    reviewer: await addPerson("reviewer"),
    supervisor: await addPerson("supervisor"),
    arbiter: await addPerson("supervisor", "arbiter@example.com"),
  };
  const service = await withEveryScope(stack, serviceAt(stack, api.port));
  for (let index = 0; index < count; index++) {
    const conversation_timestamp = String(1_763_000_000 + index * 3600);
    const file = makeWav({ seconds: 10 + index });
    const { id } = await importCall(service, { conversation_timestamp, agent_email: people.agent.email, file });
    await waitForCall(service, id, 60_000);
  }
  supervisor = await openSession(hearback, people.supervisor);
  ({ id: scorecardId } = await supervisor<{ id: string }>("POST", "/scorecards", { document: scorecard }));
  await supervisor("POST", `/scorecards/${scorecardId}/publish`);
  await supervisor("PATCH", `/scorecards/${scorecardId}`, { arbiter_ids: [await idOf(people.arbiter)] });
}, 180_000);
afterAll(() => hearback?.close());

async function idOf(person: Person): Promise<string> {
  const { user } = await (await openSession(hearback, person))<{ user: { id: string } }>("GET", "/session");
  return user.id;
}

async function openAs(person: Person, path: string): Promise<Page> {
  const page = await hearback.openPage();
  await startSession(page, hearback, person);
  await page.goto(hearback.url + path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  // A pointer that moves or presses is a failure of the test.
  await page.evaluate(`addEventListener("pointerdown", () => { document.title = "pointer used"; }, true)`);
  return page;
}

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

async function openFirstRow(page: Page): Promise<void> {
  await page.getByRole("table").getByRole("link").first().waitFor();
  for (let steps = 0; (await page.locator("table a:focus").count()) === 0; steps++) {
    if (steps > 60) throw new Error("the keyboard does not reach the table");
    await press(page, "Tab");
  }
  await press(page, "Enter");
}

const formIsReady = (page: Page) => page.locator("[data-question][data-current]").waitFor();
const states = async () =>
  (await supervisor<{ reviews: { state: string; score: number }[] }>("GET", "/reviews?limit=50")).reviews;

test(`${count} calls are reviewed, released, acknowledged, disputed and decided by keyboard alone`, {
  timeout: 300_000,
}, async () => {
  const reviewer = await openAs(people.reviewer, "/calls");
  await reviewer.getByRole("table").getByRole("link").first().waitFor();
  await press(reviewer, "j", "Enter");
  await reviewer.getByRole("link", { name: "Review", exact: true }).waitFor();
  await press(reviewer, "r");
  const began = performance.now();
  for (let call = 0; call < count; call++) {
    await formIsReady(reviewer);
    const before = reviewer.url();
    // The last answer costs points: the agent objects to it.
    for (let question = 0; question < 10; question++) await press(reviewer, question === 9 ? "2" : "1", "ArrowDown");
    await expect.poll(() => reviewer.locator("[data-question] input:checked").count()).toBe(10);
    await press(reviewer, "Shift+Enter");
    await reviewer.waitForURL((url) => url.href !== before);
  }
  say(
    `${count} reviews of ten questions by keyboard: ${((performance.now() - began) / count / 1000).toFixed(1)} s each`,
  );
  await expect.poll(async () => (await states()).filter(({ state }) => state === "submitted").length).toBe(count);

  const releaser = await openAs(people.supervisor, "/reviews?view=release");
  await releaser.getByRole("table").getByRole("link").first().waitFor();
  await tabTo(releaser, `Select all (${count})`);
  await press(releaser, "Space");
  await tabTo(releaser, /^Release selected/);
  await press(releaser, "Enter");
  await releaser.getByRole("dialog").waitFor();
  await tabTo(releaser, /^Release$/);
  await press(releaser, "Enter");
  await expect.poll(async () => (await states()).filter(({ state }) => state === "released").length).toBe(count);

  const agent = await openAs(people.agent, "/reviews");
  await openFirstRow(agent);
  await agent.getByRole("button", { name: "Acknowledge" }).waitFor();
  await tabTo(agent, "Acknowledge", { role: "button" });
  await press(agent, "Enter");
  await agent.getByRole("dialog").waitFor();
  await agent.keyboard.type("Thank you.");
  await tabTo(agent, "Acknowledge", { role: "button" });
  await press(agent, "Enter");
  await agent.getByText("“Thank you.”").waitFor();
  await tabTo(agent, "Object: Question 9");
  await press(agent, "Enter");
  await agent.getByLabel("Yes").and(agent.locator(":focus")).or(agent.getByLabel("Your reason")).first().waitFor();
  await tabTo(agent, "Yes");
  await press(agent, "Space");
  await tabTo(agent, "Your reason");
  await agent.keyboard.type("I did, at 0:04.");
  await tabTo(agent, "Send objection");
  await press(agent, "Enter");
  await agent.getByText("Someone other than your reviewer decides", { exact: false }).waitFor();

  const arbiter = await openAs(people.arbiter, "/disputes");
  await openFirstRow(arbiter);
  await arbiter.getByText("I did, at 0:04.").waitFor();
  await tabTo(arbiter, /^(Keep|Uphold) the answer$/);
  await press(arbiter, "ArrowRight");
  await tabTo(arbiter, "Explanation");
  await arbiter.keyboard.type("Right, at 0:04.");
  await tabTo(arbiter, "Save decision");
  await press(arbiter, "Enter");
  await arbiter.getByText("Decision saved.").waitFor();
  const scores = (await states()).map(({ score }) => score).toSorted((a, b) => b - a);
  expect(scores).toEqual([10_000, ...Array.from({ length: count - 1 }, () => 9_000)]);

  for (const page of [reviewer, releaser, agent, arbiter]) {
    expect(await page.title()).not.toBe("pointer used");
    await page.context().close();
  }
});
