import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Console, openConsole, type Person, startSession, visit } from "./support/console.ts";
import { expectAccessible, screenshots, tabTo } from "./support/page-checks.ts";

// Many pages and screenshots.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let console_: Console;
/** A supervisor's. */
let page: Page;

beforeAll(async () => {
  console_ = await openConsole();
  page = await console_.openPage();
  await startSession(page, console_, await console_.addPerson("supervisor"));
});
afterAll(() => console_?.close());

async function openAs(person: Person, path: string, options = {}): Promise<Page> {
  const page = await console_.openPage(options);
  await startSession(page, console_, person);
  await page.goto(`${console_.url}${path}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}

interface Scorecard {
  readonly id: string;
  readonly latest_version: number | null;
  readonly draft: { readonly document: { readonly sections: readonly Section[] } } | null;
}

interface Section {
  readonly questions: readonly { readonly id: string; readonly title: string; readonly weight?: number }[];
}

const origin = () => new URL(console_.url).origin;

/** Requests with the session of a page. */
async function create(page: Page, body: object): Promise<Scorecard> {
  return (await page.request.post(`${origin()}/scorecards`, { data: body, headers: { origin: origin() } })).json();
}

async function find(page: Page, id: string): Promise<Scorecard> {
  return (await page.request.get(`${origin()}/scorecards/${id}`)).json();
}

async function publish(page: Page, id: string): Promise<void> {
  const answer = await page.request.post(`${origin()}/scorecards/${id}/publish`, { headers: { origin: origin() } });
  expect(answer.status()).toBe(201);
}

const idOf = (page: Page) => new URL(page.url()).pathname.split("/").at(-1) ?? "";
const row = (page: Page, title: string) => page.locator(`button[data-focus^="question:"]`).filter({ hasText: title });
const titles = (page: Page) => page.locator('button[data-focus^="question:"] [class*=rowTitle]').allTextContents();
const saved = (page: Page) => page.getByRole("status").getByText("Saved", { exact: true }).waitFor();
const title = (page: Page) => page.getByRole("textbox", { name: "Section title" }).first();
const focused = (page: Page) => page.locator(":focus").getAttribute("data-focus");

const greeting = "Greets with the company's and their own name";
const speak = "Lets the customer explain the reason for the call";

test("a supervisor creates, edits, undoes and publishes with the keyboard alone", async () => {
  await visit(page, console_, "/scorecards");
  await page.getByText("No scorecards yet").waitFor();
  await expectAccessible(page);
  await screenshots(page, "scorecards-none");

  await tabTo(page, "New scorecard");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "New scorecard" });
  await dialog.waitFor();
  expect(await page.locator(":focus").getAttribute("type")).toBe("radio");
  await expectAccessible(page);
  await screenshots(page, "scorecards-new");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Support call" }).waitFor();
  await row(page, greeting).waitFor();
  await page.getByText("Weights add up to 100 of 100").waitFor();
  await screenshots(page, "scorecards-editor");

  // Moves within and across sections keep the focus and are announced.
  await row(page, greeting).focus();
  await page.keyboard.press("Alt+ArrowDown");
  await page.getByText(`${greeting} moved to position 2 of 3 in Opening.`).waitFor({ state: "attached" });
  expect((await titles(page)).slice(0, 2)).toEqual([speak, greeting]);
  await page.keyboard.press("Alt+ArrowDown");
  await page.keyboard.press("Alt+ArrowDown");
  await page.getByText(`${greeting} moved to position 1 of 3 in Verification.`).waitFor({ state: "attached" });
  expect(await focused(page)).toBe("question:greeting");
  await saved(page);
  // Undo goes back to before the draft was saved.
  for (let step = 0; step < 3; step++) await page.keyboard.press("Control+z");
  expect((await titles(page))[0]).toBe(greeting);
  await saved(page);
  await expect
    .poll(async () => (await find(page, idOf(page))).draft?.document.sections[0]?.questions[0]?.id)
    .toBe("greeting");

  // A changed title keeps the id.
  await row(page, greeting).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => focused(page)).toBe("title:greeting");
  await page.keyboard.press("End");
  await page.keyboard.type(" today");
  await row(page, `${greeting} today`).waitFor();
  await tabTo(page, "Weight", { role: "spinbutton" });
  await page.keyboard.type("9");
  await page.getByText("Weights add up to 105 of 100").waitFor();
  await saved(page);
  const { draft } = await find(page, idOf(page));
  expect(draft?.document.sections[0]?.questions[0]).toMatchObject({
    id: "greeting",
    title: `${greeting} today`,
    weight: 9,
  });
  await screenshots(page, "scorecards-question");

  // The list of findings leads to the element.
  await page.getByRole("button", { name: "1 warning", exact: true }).click();
  await page.getByText("The weights add up to 105, not 100.").waitFor();
  await page.getByRole("tab", { name: "Preview" }).click();

  // Undo in a text field undoes changes of the document, also of other fields.
  await page.getByRole("textbox", { name: "Question", exact: true }).focus();
  await page.keyboard.press("Control+z");
  await page.getByText("Weights add up to 100 of 100").waitFor();
  await page.keyboard.press("Control+z");
  await row(page, `${greeting} today`).waitFor({ state: "detached" });
  await page.keyboard.press("Control+Shift+z");
  await row(page, `${greeting} today`).waitFor();

  // Copy and deletion move the focus.
  await tabTo(page, "Duplicate", { role: "button" });
  await page.keyboard.press("Enter");
  await expect.poll(() => focused(page)).toBe("title:greets_with_the_company_s_and_their_own_name_today");
  await tabTo(page, "Delete", { role: "button" });
  await page.keyboard.press("Enter");
  await expect.poll(() => focused(page)).toBe("question:lets_speak");
  expect(await titles(page)).toHaveLength(20);

  // The preview calculates like a review.
  const preview = page.getByRole("complementary");
  await preview
    .getByRole("radiogroup", { name: `${greeting} today`, exact: true })
    .getByRole("radio", { name: "Yes" })
    .check();
  await preview.getByRole("radiogroup", { name: speak }).getByRole("radio", { name: "No" }).check();
  await preview.getByRole("status").getByText("57.14").waitFor();
  await preview.getByRole("button", { name: "Score breakdown" }).click();
  await preview.getByText("What cost points").waitFor();
  await expectAccessible(page);
  await screenshots(page, "scorecards-preview");

  await page.getByRole("button", { name: "Publish", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Publish scorecard" }).waitFor();
  await tabTo(page, "Publish version 1");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("main").getByText("Version 1", { exact: true }).waitFor();
  expect(await page.getByRole("button", { name: "Publish", exact: true }).isDisabled()).toBe(true);
});

test("publishing shows the differences, and errors prevent it", async () => {
  const { id } = await create(page, { template: "support", name: "Differences" });
  await publish(page, id);
  await visit(page, console_, `/scorecards/${id}`);
  await row(page, greeting).click();
  await page.getByRole("spinbutton", { name: "Weight" }).fill("5");
  await page.getByRole("textbox", { name: "Question", exact: true }).fill("");
  await page.getByRole("button", { name: "1 error", exact: true }).waitFor();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Publish scorecard" });
  await dialog.getByText("1 error must be fixed first").waitFor();
  expect(await dialog.getByRole("button", { name: "Publish version 2" }).isDisabled()).toBe(true);
  await page.keyboard.press("Escape");
  await page.getByRole("textbox", { name: "Question", exact: true }).fill("Greets");
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await dialog.getByText(`“Greets”: weight 4 → 5`).waitFor();
  await dialog.getByText("1 change affects comparability").waitFor();
  await dialog.getByText(`“Greets”: title “${greeting}” → “Greets”`).waitFor();
  await expectAccessible(page);
  await screenshots(page, "scorecards-publish");
  await dialog.getByRole("button", { name: "Publish version 2" }).click();
  await dialog.waitFor({ state: "detached" });

  await page.getByRole("tab", { name: "Versions" }).click();
  await page.getByRole("row", { name: /Version 2.*Supervisor Martin/ }).waitFor();
  await screenshots(page, "scorecards-versions");
  await page.getByRole("link", { name: "Version 1" }).click();
  await page.getByRole("heading", { level: 2, name: "Version 1" }).waitFor();
  await page.getByText(greeting).first().waitFor();
  await expectAccessible(page);
  await screenshots(page, "scorecards-version");
});

test("questions are dragged, added and made conditional", async () => {
  const { id } = await create(page, { name: "From scratch" });
  await visit(page, console_, `/scorecards/${id}`);
  for (const title of ["Opening", "Closing"]) {
    await page.getByRole("textbox", { name: "Title of the new section" }).fill(title);
    await page.keyboard.press("Enter");
    await page
      .getByRole("textbox", { name: "Section title" })
      .and(page.locator(`[value="${title}"]`))
      .waitFor();
  }
  await page.getByRole("button", { name: "Add question to Opening" }).click();
  for (const title of ["Greets", "Reason", "Notes"]) {
    await page.keyboard.type(title);
    await page.keyboard.press("Enter");
    await row(page, title).waitFor();
  }
  await page.keyboard.press("Escape");
  expect(await focused(page)).toBe("add:opening");
  await page
    .locator("[data-drag-item]:has(> div > button[data-focus='question:greets']) [draggable]")
    .dragTo(row(page, "Notes"), { targetPosition: { x: 60, y: 38 } });
  await expect.poll(() => titles(page)).toEqual(["Reason", "Notes", "Greets"]);

  await row(page, "Notes").click();
  await page.getByRole("combobox", { name: "Type" }).selectOption("Text");
  await page.getByRole("button", { name: "Show only if" }).click();
  await page.getByRole("group", { name: "Answers of condition 1" }).getByRole("checkbox", { name: "No" }).check();
  await row(page, "Greets").click();
  await page.getByRole("combobox", { name: "Type" }).selectOption("Choice");
  await page.getByRole("textbox", { name: "Label of option 3" }).fill("Nothing at all");
  await page.getByRole("combobox", { name: "Effect of Nothing at all" }).selectOption("Fails the call");
  await page.keyboard.press("Escape");
  await saved(page);
  await screenshots(page, "scorecards-options");
  const preview = page.getByRole("complementary");
  expect(await preview.getByText("Notes").count()).toBe(0);
  await preview.getByRole("radiogroup", { name: "Reason" }).getByRole("radio", { name: "No" }).check();
  await preview.getByText("Notes").waitFor();
  await preview.getByRole("radio", { name: "Nothing at all" }).check();
  await preview.getByText("This answer fails the call.").waitFor();
  await preview.getByRole("textbox", { name: "Comment" }).waitFor();
  await expectAccessible(page);
});

test("a draft that was changed in another tab is not overwritten silently, and nothing is lost offline", async () => {
  const { id } = await create(page, { template: "sales", name: "Two tabs" });
  const other = await page.context().newPage();
  const first = "Opening";
  for (const tab of [page, other]) {
    await tab.goto(`${console_.url}/scorecards/${id}`);
    await tab.getByRole("textbox", { name: "Section title" }).first().waitFor();
  }
  expect(await title(page).inputValue()).toBe(first);
  await title(page).fill("From this tab");
  await saved(page);
  await title(other).fill("From the other tab");
  const conflict = other.getByRole("alert").filter({ hasText: "This draft was changed elsewhere" });
  await conflict.waitFor();
  await expectAccessible(other);
  await screenshots(other, "scorecards-conflict");
  await conflict.getByRole("button", { name: "Load their version" }).click();
  await conflict.waitFor({ state: "detached" });
  expect(await title(other).inputValue()).toBe("From this tab");
  await other.keyboard.press("Control+z");
  await expect.poll(() => title(other).inputValue()).toBe("From the other tab");
  await saved(other);
  await title(page).fill("Overwritten knowingly");
  await page.getByRole("button", { name: "Keep mine" }).click();
  await saved(page);

  await page.context().setOffline(true);
  await title(page).fill("Typed offline");
  await page.getByRole("status").getByText("Not saved, trying again").waitFor();
  await page.context().setOffline(false);
  await saved(page);
  await other.close();
  await page.reload();
  await expect.poll(() => title(page).inputValue()).toBe("Typed offline");
});

test("a reviewer reads the published version only", async () => {
  const { id } = await create(page, { template: "collections", language: "fr" });
  await publish(page, id);
  const reader = await openAs(await console_.addPerson("reviewer"), "/scorecards", { locale: "fr-FR" });
  expect(await reader.getByRole("button", { name: "Nouvelle grille" }).count()).toBe(0);
  await reader.getByRole("link", { name: "Appel de recouvrement" }).click();
  await reader.getByRole("heading", { level: 1, name: "Appel de recouvrement" }).waitFor();
  await reader.getByText("Met l’appel en échec").first().waitFor();
  expect(await reader.getByRole("button", { name: "Publier" }).count()).toBe(0);
  expect(await reader.locator("[draggable]").count()).toBe(0);
  await expectAccessible(reader);
  await screenshots(reader, "scorecards-reader-fr");
});

test("a scorecard is assigned, its draft discarded, and it is retired", async () => {
  const { id } = await create(page, { template: "support", name: "Old form" });
  await publish(page, id);
  await visit(page, console_, `/scorecards/${id}`);
  await page.getByRole("button", { name: "Assign" }).click();
  const dialog = page.getByRole("dialog", { name: "Campaigns and arbiters" });
  await dialog.getByLabel("Campaigns").first().click();
  await page.getByRole("option").first().click();
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await find(page, id)).toMatchObject({ campaign_ids: [console_.stack.campaignId] });
  await title(page).fill("Discarded");
  await saved(page);
  await page.getByRole("button", { name: "Actions for Old form" }).click();
  await page.getByRole("menuitem", { name: "Discard draft" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Discard draft" }).click();
  await expect.poll(() => title(page).inputValue()).toBe("Opening");
  await title(page).fill("Saved again");
  await saved(page);
  await page.getByRole("button", { name: "Actions for Old form" }).click();
  await page.getByRole("menuitem", { name: "Retire" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Retire" }).click();
  await page.getByText("This scorecard is retired").waitFor();
  await visit(page, console_, "/scorecards?show=retired");
  await page.getByRole("row", { name: /Old form/ }).waitFor();
  await screenshots(page, "scorecards-retired");
});

const small = (weight: number) => ({
  format: "hearback.scorecard/1",
  name: "Two questions",
  passing_score: 80,
  sections: [
    {
      id: "call",
      title: "Call",
      questions: [
        { id: "greeting", title: "Greets", type: "yes_no", weight },
        { id: "identity", title: "Verifies identity", type: "yes_no", weight: 100 - weight },
      ],
    },
  ],
});

/** A released review with 60 points on the published version. */
const insertReview = (scorecardId: string) =>
  console_.stack.adminDb.query(
    `with added as (
      insert into review (workspace_id, id, call_id, agent_id, campaign_id, scorecard_id, version, reviewer_type, reviewer_id,
          selection, state, revision, score, outcome, submitted_at, released_at)
        -- The id of the scorecard begins with the time.
        select workspace_id, overlay(gen_random_uuid()::text placing left(id::text, 14) from 1 for 14)::uuid, gen_random_uuid(),
          gen_random_uuid(), $2, id, 1, 'user', gen_random_uuid(), 'picked', 'released', 1, 6000, 'failed', now(), now()
        from scorecard where id = $1 returning workspace_id, id)
    insert into review_revision (workspace_id, review_id, number, author_type, author_id, cause, answers, result, score, outcome)
      select workspace_id, id, 1, 'user', id, 'submitted', '{"greeting": {"value": "no"}, "identity": {"value": "yes"}}', '{}',
        6000, 'failed' from added`,
    [scorecardId, console_.stack.campaignId],
  );

test("a supervisor sees what a draft would have scored, with the keyboard alone", async () => {
  const { id } = await create(page, { document: small(40) });
  await publish(page, id);
  await insertReview(id);
  await page.request.put(`${origin()}/scorecards/${id}/draft`, {
    data: { document: small(10) },
    headers: { origin: origin() },
  });
  await visit(page, console_, `/scorecards/${id}`);
  await page.getByRole("tab", { name: "What if" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Score past reviews" }).waitFor();
  await tabTo(page, "Score past reviews");
  await page.keyboard.press("Enter");
  await page.getByText("1 failed review would pass.").waitFor();
  const scores = page.getByRole("table", { name: "Scores before and after" });
  expect(await scores.getByRole("row", { name: "Mean score" }).textContent()).toBe("Mean score6090");
  await page.getByRole("row", { name: /Greets/ }).waitFor();
  expect(await page.getByRole("link", { name: /^Call of / }).count()).toBe(1);
  await expectAccessible(page);
  await screenshots(page, "scorecards-what-if");
});
