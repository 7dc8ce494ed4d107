import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectNoViolations } from "./support/axe.ts";
import { type Console, openConsole, type Role, visit } from "./support/console.ts";
import { type Answers, answerWithExamples } from "./support/example-answers.ts";
import { overflows } from "./support/page-checks.ts";

/*
 * Every page with the example answers of openapi.json, with empty lists, and refused. The console is the built one; only the
 * answers to its requests are chosen. It is loaded once per test; pages are visited as links do.
 */

let hearback: Console;
beforeAll(async () => {
  hearback = await openConsole();
});
afterAll(async () => {
  await hearback?.close();
});

const id = "0190f3c2-6c0b-7d6e-9b0e-2c4d0f6a3b1f";

const pages = {
  admin: [
    ...["/calls", "/calls?metadata[site]=Lyon", `/calls/${id}`, `/calls/${id}/review`, "/queue", "/disputes"],
    ...["/reviews", "/reviews?view=release", `/reviews/${id}`, "/scores", "/scores/agents", "/scores/reviewers"],
    ...["/plans", "/plans/new", `/plans/${id}`, `/plans/${id}/edit`, "/calibrations", "/calibrations/new"],
    ...[`/calibrations/${id}`, "/calibrations/agreement", "/uploads", "/imports", "/scorecards", `/scorecards/${id}`],
    ...["/campaigns", "/people", "/people/teams", "/keys", "/webhooks", `/webhooks/${id}`, "/workspace"],
    ...["/privacy", "/privacy?tab=holds", "/privacy?tab=retention", "/audit", "/account", "/nowhere"],
  ],
  agent: ["/calls", "/reviews", `/reviews/${id}`, "/my-scores", "/how-i-am-reviewed", "/scorecards", "/keys"],
} as const;

interface State {
  readonly answers: Answers;
  readonly locale: "en-GB" | "fr-FR";
  readonly colorScheme: "light" | "dark";
}

/** Opens the console of a person with that role; unless told otherwise, on a phone. */
async function open(role: Role, { answers, ...options }: State, width = 390): Promise<Page> {
  const page = await hearback.openPage({ ...options, viewport: { width, height: 844 } });
  await answerWithExamples(page, { answers, role });
  page.on("pageerror", ({ message }) => errors.push(`${page.url()}: ${message}`));
  await page.goto(`${hearback.url}/account`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}
/** Errors that no code handled. */
const errors: string[] = [];

/** Waits until the page shows what it has requested. */
const settle = async (page: Page) => {
  await page.waitForLoadState("networkidle");
  await page.locator("main").and(page.locator(":not(:has([class*=Skeleton]))")).waitFor();
};

/** Messages about a refusal. */
const told = /^Request failed$|couldn’t be loaded| not found$|^You don’t have access to this page$/;
const failed = /Something went wrong|Une erreur s’est produite/;

/** Asserts that the page is whole, fits the window, and is accessible. */
async function check(page: Page, path: string): Promise<void> {
  await visit(page, hearback, path);
  await settle(page);
  await expect.poll(() => page.getByRole("heading", { level: 1 }).count(), { message: path }).toBe(1);
  expect(await page.getByText(failed).count(), path).toBe(0);
  expect(await overflows(page), `${path} scrolls sideways`).toBe(false);
  await expectNoViolations(page, "all", "main");
}

const states: readonly State[] = [
  { answers: "examples", locale: "en-GB", colorScheme: "light" },
  { answers: "examples", locale: "fr-FR", colorScheme: "dark" },
  { answers: "empty", locale: "fr-FR", colorScheme: "light" },
  { answers: "refused", locale: "en-GB", colorScheme: "dark" },
];

test.each(states.flatMap((state) => (["admin", "agent"] as const).map((role) => ({ ...state, role }))))(
  "pages of $role with answers: $answers, in $locale, $colorScheme",
  async ({ role, ...state }) => {
    const page = await open(role, state);
    await expectNoViolations(page, "all");
    for (const path of pages[role]) {
      await check(page, path);
      if (state.answers === "refused") await page.getByText(told).first().waitFor();
    }
    expect(errors).toEqual([]);
  },
);

/** Buttons that open a dialog. */
const opened: readonly (readonly [path: string, button: RegExp])[] = [
  ["/calls", /^Period/],
  ["/calls", /^Columns/],
  [`/calls/${id}`, /^Edit details$/],
  [`/reviews/${id}`, /^Acknowledge$/],
  [`/plans/${id}`, /^End plan$/],
  [`/calibrations/${id}`, /^Close session$/],
  ["/scorecards", /^New scorecard$/],
  ["/campaigns", /^Create campaign$/],
  ["/people", /^Invite people$/],
  ["/people/teams", /^Create team$/],
  ["/keys", /^Create API key$/],
  ["/webhooks", /^Create webhook$/],
  [`/webhooks/${id}`, /^Edit webhook$/],
  ["/privacy", /^Erase…$/],
  ["/privacy?tab=holds", /^Create legal hold$/],
  ["/privacy?tab=holds", /^Release$/],
];

test("dialogs are accessible", async () => {
  const page = await open("admin", { answers: "examples", locale: "en-GB", colorScheme: "dark" }, 1280);
  const checkDialog = async (name: string) => {
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    expect(await overflows(page), `${name} scrolls sideways`).toBe(false);
    await expectNoViolations(page, "all", "[role=dialog]");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  };
  for (const [path, name] of opened) {
    await visit(page, hearback, path);
    await page.getByRole("button", { name }).first().click();
    await checkDialog(`${path}, ${name}`);
  }
  for (const key of ["?", "Control+k"]) {
    await page.keyboard.press(key);
    await checkDialog(key);
  }
});
