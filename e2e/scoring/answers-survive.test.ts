/// <reference lib="dom" />
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer, Answers } from "@hearback/scoring/answers";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OwnConsole, openOwnConsole, startSession } from "../console/support/console.ts";
import { waitForCall, withEveryScope } from "../support/http/call-details.ts";
import { importCall } from "../support/http/service.ts";
import { serviceAt } from "../support/recordings/recordings.ts";
import { makeWav } from "../support/recordings/sounds.ts";
import { random, scale, seed } from "../support/run-scale.ts";
import { type FaultyProxy, openFaultyProxy } from "../support/servers/faulty-proxy.ts";
import { freePort } from "../support/stack/free-port.ts";
import type { ApiProcess } from "../support/stack/stack.ts";
import { say, until } from "../support/waiting.ts";

const kills = scale(2, 3, 50);
const cuts = scale(2, 3, 50);
const faultsPerReview = scale(6, 6, 10);
const answersPerFault = 5;
const chance = random();
const pick = <Item>(items: readonly Item[]) => items[Math.floor(chance() * items.length)] as Item;

const choices = ["greeting", "identity", "listening", "solution"].map((id) => ({
  id,
  title: `Question ${id}`,
  type: "yes_no",
  weight: 25,
  not_applicable: true,
}));
const scorecard = {
  format: "hearback.scorecard/1",
  name: "Support call",
  passing_score: 80,
  sections: [
    {
      id: "call",
      title: "Call",
      questions: [...choices, { id: "summary", title: "Question summary", type: "text" }],
    },
  ],
};

let opened: OwnConsole;
let api: ApiProcess;
let proxy: FaultyProxy;
let page: Page;
let url: string;
let calls: string[];

beforeAll(async () => {
  // The browser connects to the proxy; the API keeps its port over restarts.
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  url = `${origin}/console`;
  opened = await openOwnConsole({ PUBLIC_URL: origin });
  api = opened.api;
  proxy = await openFaultyProxy({ port, target: api.port });
  const service = await withEveryScope(opened.stack, serviceAt(opened.stack, api.port));
  const imported = await Promise.all(
    Array.from({ length: Math.ceil((kills + cuts) / faultsPerReview) }, (_, n) =>
      importCall(service, { file: makeWav({ seconds: 5, seed: n + 1 }) }),
    ),
  );
  calls = imported.map(({ id }) => id);
  await Promise.all(calls.map((id) => waitForCall(service, id)));
  page = await opened.openPage();
  await startSession(page, { url }, opened.admin);
  const ask = async (path: string, data?: object) =>
    (await page.context().request.post(`${origin}${path}`, { headers: { origin }, ...(data && { data }) })).json();
  const { id } = await ask("/scorecards", { document: scorecard });
  await ask(`/scorecards/${id}/publish`);
}, 120_000);
afterAll(async () => {
  await opened?.close();
  await proxy?.close();
});

/** A review as the reviewer has filled it in. */
interface Given {
  answers: Answers;
  comment: string;
}

const card = (id: string) => page.locator(`[data-question="${id}"]`);
let notes = 0;

/** The actions of a reviewer. Each changes one field and returns what the screen must show then. */
const actions: Record<string, (given: Given) => Promise<Given>> = {
  async choose({ answers, ...given }) {
    const id = pick(choices).id;
    const { value, not_applicable, ...rest } = answers[id] ?? {};
    const keys: Record<"1" | "2" | "0", Answer> = {
      1: { value: "yes" },
      2: { value: "no" },
      0: not_applicable ? {} : { not_applicable: true },
    };
    const key = pick((["1", "2", "0"] as const).filter((each) => value === undefined || keys[each].value !== value));
    await card(id).focus();
    await page.keyboard.press(key);
    const next: Answer = { ...rest, ...keys[key] };
    const { [id]: _, ...others } = answers;
    return { ...given, answers: Object.keys(next).length > 0 ? { ...others, [id]: next } : others };
  },
  async comment({ answers, ...given }) {
    const id = pick(choices).id;
    const before = answers[id] ?? {};
    const text = `note ${notes++}`;
    await card(id).focus();
    await page.keyboard.press("c");
    await page.keyboard.type(text);
    await page.keyboard.press("Escape");
    const comment = `${before.comment ? `${before.comment}\n` : ""}0:00 ${text}`;
    return { ...given, answers: { ...answers, [id]: { ...before, comment } } };
  },
  async summarize({ answers, ...given }) {
    const value = `summary ${notes++}`;
    await card("summary").locator("textarea:not([data-comment])").fill(value);
    return { ...given, answers: { ...answers, summary: { ...answers.summary, value } } };
  },
  async commentAll(given) {
    const comment = `overall ${notes++}`;
    await page.getByLabel("Overall comment").fill(comment);
    return { ...given, comment };
  },
};
const act = (given: Given) => pick([actions.choose, actions.choose, ...Object.values(actions)])?.(given) ?? given;

/** Answers and comments on the screen. */
const shown = () =>
  page.evaluate(() => {
    const answers: Record<string, object> = {};
    for (const each of document.querySelectorAll<HTMLElement>("[data-question]")) {
      const text = (selector: string) => each.querySelector<HTMLTextAreaElement>(selector)?.value;
      const checked = [...each.querySelectorAll<HTMLInputElement>("input")].findIndex((input) => input.checked);
      const value = ["yes", "no"][checked] ?? text("textarea:not([data-comment])");
      const comment = text("[data-comment]");
      const answer = {
        ...(value && { value }),
        ...(checked === 2 && { not_applicable: true }),
        ...(comment && { comment }),
      };
      if (Object.keys(answer).length > 0) answers[each.dataset.question ?? ""] = answer;
    }
    const labels = [...document.querySelectorAll("label")];
    const overall = labels.find(({ textContent }) => textContent === "Overall comment")?.control;
    return { answers, comment: (overall as HTMLTextAreaElement | undefined)?.value ?? "" };
  });

/** The draft in the database. */
async function draftOf(callId: string): Promise<Given | undefined> {
  const { rows } = await opened.stack.adminDb.query<Given>(
    `select answers, comment from review_draft where review_id in (select id from review where call_id = $1)`,
    [callId],
  );
  return rows[0];
}

/** The revisions in the database, with their comments. */
async function revisionsOf(callId: string): Promise<Given[]> {
  type Texts = Record<string, string>;
  const textsOf = (part: string) =>
    `coalesce((select json_object_agg(question_id, comment) from review_comment as c
       where c.review_id = r.review_id and c.revision = r.number and part = '${part}'), '{}')`;
  const { rows } = await opened.stack.adminDb.query<Given & { comments: Texts; texts: Texts; whole: Texts }>(
    `select answers, ${textsOf("answer")} as comments, ${textsOf("text")} as texts, ${textsOf("review")} as whole
     from review_revision as r where review_id in (select id from review where call_id = $1) order by number`,
    [callId],
  );
  return rows.map(({ answers, comments, texts, whole: { "": comment = "" } }) => {
    const ids = [...new Set([answers, comments, texts].flatMap(Object.keys))];
    const answerTo = (id: string) => ({
      ...answers[id],
      ...(texts[id] !== undefined && { value: texts[id] }),
      ...(comments[id] !== undefined && { comment: comments[id] }),
    });
    return { answers: Object.fromEntries(ids.map((id) => [id, answerTo(id)])), comment };
  });
}

/** Waits until the screen and the database have exactly what the reviewer gave. */
async function expectKept(callId: string, given: Given, after: string): Promise<void> {
  await expect.poll(shown, { message: `shown after ${after}`, timeout: 60_000 }).toEqual(given);
  await expect.poll(() => draftOf(callId), { message: `saved after ${after}`, timeout: 60_000 }).toEqual(given);
}

async function openReview(callId: string): Promise<void> {
  await page.goto(`${url}/calls/${callId}/review`);
  await card("summary").waitFor();
}

/** Faults. Each gets a function that makes the reviewer work for some time. */
const faults: Record<string, (work: () => Promise<void>, callId: string) => Promise<void>> = {
  async kill(work) {
    const killed = sleep(chance() * 300).then(() => api.kill());
    await work();
    await killed;
    const started = opened.stack.startApi({ port: api.port });
    await work();
    api = await started;
  },
  async "lost response"(work) {
    await breakAnswer("response", work);
  },
  async "tab closed with unsent answers"(work, callId) {
    proxy.cut();
    await work();
    const closed = page;
    page = await closed.context().newPage();
    await closed.close();
    proxy.restore();
    await openReview(callId);
  },
  async "broken request"(work) {
    await breakAnswer("request", work);
  },
  async cut(work) {
    const cut = sleep(chance() * 300).then(() => proxy.cut());
    await work();
    await cut;
    await work();
    proxy.restore();
  },
  async "lost response and reload"(work, callId) {
    await breakAnswer("response", work);
    await openReview(callId);
  },
  async offline(work) {
    await page.context().setOffline(true);
    await work();
    await page.context().setOffline(false);
  },
  async "reload at once"(work, callId) {
    await work();
    await openReview(callId);
  },
};

async function breakAnswer(part: "request" | "response", work: () => Promise<void>): Promise<void> {
  let isBroken = false;
  const broken = proxy.breakNext(part, /^(PUT|PATCH) [/]reviews[/]/).then(() => {
    isBroken = true;
  });
  while (!isBroken) await work();
  await broken;
  await work();
}

const cutNames = Object.keys(faults).filter((name) => name !== "kill");
const plan = Array.from({ length: kills + cuts }, (_, n) =>
  n % 2 === 0 ? "kill" : (cutNames[((n - 1) / 2) % cutNames.length] as string),
);

test(`${kills} kills of the API and ${cuts} network cuts while answering lose no answer`, {
  timeout: 3_600_000,
}, async () => {
  say(`seed ${seed}`);
  let given: Given = { answers: {}, comment: "" };
  const work = async () => {
    for (let n = 0; n < answersPerFault; n++) {
      given = await act(given);
      await sleep(chance() * 80);
    }
  };
  for (const [n, callId] of calls.entries()) {
    given = { answers: {}, comment: "" };
    await openReview(callId);
    for (const fault of plan.slice(n * faultsPerReview, (n + 1) * faultsPerReview)) {
      await faults[fault]?.(work, callId);
      await expectKept(callId, given, fault);
    }
    given = await answerAll(given);
    await submit(callId);
    expect(await revisionsOf(callId)).toEqual([given]);
  }
  say(`${notes} texts, ${calls.length} reviews`);
});

/** Gives the answers that a submission needs. */
async function answerAll(given: Given): Promise<Given> {
  const answers: Record<string, Answer> = { ...given.answers };
  for (const { id } of choices) {
    const { value, not_applicable, ...rest } = answers[id] ?? {};
    if (value !== undefined || not_applicable) continue;
    await card(id).focus();
    await page.keyboard.press("1");
    answers[id] = { ...rest, value: "yes" };
  }
  return actions.summarize?.({ ...given, answers }) ?? given;
}

/** Submits with a lost response. The reviewer submits again if the screen says that it failed. */
async function submit(callId: string): Promise<void> {
  const lost = proxy.breakNext("response", /^POST [/]reviews[/].*[/]submit /);
  const button = page.getByRole("button", { name: "Submit", exact: true });
  await button.click();
  await lost;
  await until("the review is submitted", 60_000, async () => {
    if (!page.url().includes(`/calls/${callId}/review`)) return true;
    // Disabled while the request is running, gone when the review is submitted.
    await button.click({ timeout: 500 }).catch(() => undefined);
  });
}
