import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type MailServer, openMailServer } from "../support/servers/mail-server.ts";
import { type OwnConsole, openOwnConsole, type Person, startSession, visit } from "./support/console.ts";
import { chooseFromMenu, chooseOption, expectAccessible, screenshots, tabTo } from "./support/page-checks.ts";
import { openSession } from "./support/review-requests.ts";

// Many pages and screenshots.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let mail: MailServer;
let console_: OwnConsole;
let supervisor: Person;
/** A page of each, for all tests. */
const pages = new Map<Person, Page>();

beforeAll(async () => {
  mail = await openMailServer();
  console_ = await openOwnConsole({
    SMTP_URL: mail.url,
    MAIL_FROM: "Hearback <hb@example.com>",
    LIMIT_WORKSPACE_CALLS_PER_DAY: "200",
    LIMIT_WORKSPACE_STORED_BYTES: "5000000000",
  });
  supervisor = await console_.addPerson("supervisor");
  await console_.addPerson("agent", "abel@example.com");
  for (const person of [supervisor, console_.admin]) {
    const page = await console_.openPage();
    await startSession(page, console_, person);
    pages.set(person, page);
  }
});
afterAll(async () => {
  await console_?.close();
  await mail?.close();
});

async function openAs(person: Person, path: string): Promise<Page> {
  const page = pages.get(person);
  if (!page) throw new Error(`${person.email} has no page`);
  await visit(page, console_, path);
  // The keyboard begins there, as after a link.
  await page.locator("h1").focus();
  return page;
}

async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

const rowOf = (page: Page, name: string) => page.getByRole("row", { name: new RegExp(name) });

test("a supervisor creates, edits and archives a campaign with the keyboard alone", async () => {
  const page = await openAs(supervisor, "/campaigns");
  await rowOf(page, console_.stack.campaignId).waitFor();
  await expectAccessible(page);

  await tabTo(page, "Create campaign");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Create campaign" }).waitFor();
  await page.keyboard.type("Été à Lyon");
  expect(await page.getByLabel("ID", { exact: true }).inputValue()).toBe("ete-a-lyon");
  await tabTo(page, "Unknown");
  await page.keyboard.press("ArrowUp");
  await expectAccessible(page);
  await screenshots(page, "campaigns-new");
  await page.keyboard.press("Enter");
  await rowOf(page, "Été à Lyon")
    .filter({ hasText: /ete-a-lyon[\s\S]*Right[\s\S]*Forever/ })
    .waitFor();

  await chooseFromMenu(page, "Été à Lyon", "Edit");
  await page.getByRole("dialog", { name: "Edit campaign" }).waitFor();
  expect(await page.getByLabel("Retention (days)").isDisabled()).toBe(true);
  await tabTo(page, "Right");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await rowOf(page, "Été à Lyon").filter({ hasText: "Left" }).waitFor();

  await chooseFromMenu(page, "Été à Lyon", "Archive");
  await page.getByRole("dialog", { name: "Archive Été à Lyon?" }).waitFor();
  await expectAccessible(page);
  await screenshots(page, "campaigns-archive");
  await tabTo(page, "Archive", { role: "button" });
  await page.keyboard.press("Enter");
  await rowOf(page, "Été à Lyon").waitFor({ state: "detached" });

  await page.getByRole("radio", { name: "Archived" }).focus();
  await page.keyboard.press("Space");
  await page.waitForURL(/show=archived/);
  await chooseFromMenu(page, "Été à Lyon", "Reactivate");
  await page.getByRole("dialog", { name: "Reactivate Été à Lyon?" }).waitFor();
  await tabTo(page, "Reactivate", { role: "button" });
  await page.keyboard.press("Enter");
  await page.getByText("No archived campaigns").waitFor();
  await screenshots(page, "campaigns-none");
  await visit(page, console_, "/campaigns?show=all");
  expect(await page.getByRole("link", { name: "View calls of Été à Lyon" }).getAttribute("href")).toBe(
    "/console/calls?campaign=ete-a-lyon",
  );
});

test("only administrators change the retention, with a confirmation", async () => {
  const page = await openAs(console_.admin, "/campaigns");
  await chooseFromMenu(page, "Support", "Edit");
  const change = page.getByRole("dialog", { name: "Edit campaign" });
  await change.waitFor();
  await tabTo(page, "Retention (days)");
  await page.keyboard.type("90");
  await change.getByText("Calls older than 90 days will be erased").waitFor();
  await expectAccessible(page);
  await screenshots(page, "campaigns-change");
  // Erasure needs an explicit confirmation.
  await page.keyboard.press("Enter");
  expect(await change.isVisible()).toBe(true);
  await tabTo(page, "I understand");
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await rowOf(page, "Support").filter({ hasText: "90 days" }).waitFor();
  await screenshots(page, "campaigns");
});

test("a duplicate ID shows an error and keeps the form", async () => {
  const page = await openAs(supervisor, "/campaigns");
  await page.getByRole("button", { name: "Create campaign" }).click();
  await page.getByLabel("Name").fill("Again");
  await page.getByLabel("ID", { exact: true }).fill(console_.stack.campaignId);
  await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
  await page.getByRole("alert").getByText("A campaign already uses this ID").waitFor();
  await expectAccessible(page);
  await screenshots(page, "campaigns-taken");
  expect(await page.getByLabel("Name").inputValue()).toBe("Again");
  await closeDialog(page);
});

test("an administrator invites, promotes and deactivates with the keyboard alone", async () => {
  const page = await openAs(console_.admin, "/people");
  await rowOf(page, "Admin Martin").waitFor();
  await expectAccessible(page);

  await tabTo(page, "Invite people");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Invite people" });
  await dialog.waitFor();
  await tabTo(page, /^Email/);
  await page.keyboard.type("zoe@example.com");
  await tabTo(page, "Name");
  await page.keyboard.type("Zoé Durand");
  await expectAccessible(page);
  await screenshots(page, "people-invite");
  await page.keyboard.press("Enter");
  await rowOf(page, "Zoé Durand").waitFor();
  await expect.poll(() => mail.letters.map(({ to }) => to), { timeout: 20_000 }).toContain("zoe@example.com");

  await chooseFromMenu(page, "Zoé Durand", "Edit");
  // The page behind it has a filter called Agent, too.
  await page.getByRole("dialog", { name: "Edit person" }).waitFor();
  await tabTo(page, "Agent");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.getByText("Imports can still name them as the agent.").waitFor();
  await expectAccessible(page);
  await screenshots(page, "people-change");
  await page.keyboard.press("Enter");
  await rowOf(page, "Zoé Durand").filter({ hasText: "Supervisor" }).waitFor();

  await chooseFromMenu(page, "Zoé Durand", "Deactivate");
  await page.getByRole("dialog", { name: "Deactivate Zoé Durand?" }).waitFor();
  await expectAccessible(page);
  await screenshots(page, "people-deactivate");
  await tabTo(page, "Deactivate", { role: "button" });
  await page.keyboard.press("Enter");
  await rowOf(page, "Zoé Durand")
    .filter({ hasText: /deactivated/i })
    .waitFor();
  await chooseFromMenu(page, "Zoé Durand", "Reactivate");
  await page.getByRole("dialog", { name: "Reactivate Zoé Durand?" }).waitFor();
  await tabTo(page, "Reactivate", { role: "button" });
  await page.keyboard.press("Enter");
  await rowOf(page, "Zoé Durand")
    .filter({ hasNotText: /deactivated/i })
    .waitFor();
});

test("several people are invited at once, and filters live in the URL", async () => {
  const page = await openAs(console_.admin, "/people");
  await page.getByRole("button", { name: "Invite people" }).click();
  await page.getByText("Several people").click();
  const lines = [
    "name;email",
    "Léa Petit <lea@many.example>",
    "max@many.example;Max Roy",
    "nobody at all",
    "lea@many.example",
  ];
  const more = Array.from({ length: 60 }, (_, n) => `agent.number${n}@many.example`);
  await page.getByRole("textbox", { name: "People" }).fill([...lines, "ADMIN@example.com", ...more].join("\n"));
  await page.getByText("2 lines are ignored:").waitFor();
  await page.getByText("Don’t invite yet").click();
  await expectAccessible(page);
  await screenshots(page, "people-many");
  await page.getByRole("button", { name: "Invite 63 people" }).click();
  await page.getByText("Added: 62. Already exist: 0. Failed: 1.").waitFor({ timeout: 90_000 });
  await expectAccessible(page);
  await screenshots(page, "people-outcomes");
  await page.getByRole("button", { name: "Done" }).click();

  await page.getByLabel("Search").fill("MANY.example");
  await page.waitForURL(/search=MANY/);
  await page.getByText("50 entries").waitFor();
  await page.getByRole("button", { name: "Show more" }).click();
  await page.getByText("62 entries").waitFor();
  await page.getByLabel("Search").fill("léa pet");
  await page.getByText("1 entry").waitFor();
  await page.goto(`${console_.url}/people?search=many.example&role=reviewer`);
  await page.getByText("No matches").waitFor();
  expect(await page.getByLabel("Search").inputValue()).toBe("many.example");
  await screenshots(page, "people-none");
  await visit(page, console_, "/people?role=agent");
  await page.getByText("50 entries").waitFor();
  await screenshots(page, "people");
  await visit(page, console_, "/people?search=l%C3%A9a+pet&role=agent");
  await page.getByRole("link", { name: "View calls of Léa Petit" }).waitFor();
});

test("creates an invitation link and ends sessions of others", async () => {
  const page = await openAs(console_.admin, "/people?search=supervisor@");
  const other = await openAs(supervisor, "/campaigns");
  // Another session, in a browser elsewhere.
  await openSession(console_, supervisor);
  await page.getByRole("button", { name: "Actions for Supervisor Martin" }).click();
  await page.getByRole("menuitem", { name: "Active sessions" }).click();
  await page.getByText("Supervisor Martin loses access within a second").waitFor();
  await expectAccessible(page);
  await screenshots(page, "people-sessions");
  await page.getByRole("button", { name: "Sign out all sessions" }).click();
  await page.getByText("Supervisor Martin has no active sessions.").waitFor();
  await other.reload();
  await other.waitForURL(/sign-in/);
  await startSession(other, console_, supervisor);
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Invite people" }).click();
  await page.getByLabel(/^Email/).fill("yan@example.com");
  await page.getByLabel("Name").fill("Yan Moreau");
  await page.getByLabel("Reviewer").check();
  await page.getByLabel("Create a link to share").check();
  await page.getByRole("dialog").getByRole("button", { name: "Invite people" }).click();
  const link = page.getByRole("dialog", { name: "Invitation link" }).getByRole("textbox", { name: "Link" });
  expect(await link.inputValue()).toMatch(new RegExp(`^${console_.url}/welcome#.{20,}$`));
  await expectAccessible(page);
  await screenshots(page, "people-link");
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

test("a dialog opened from a row menu returns the focus to its row", async () => {
  const page = await openAs(console_.admin, "/people?search=supervisor@");
  const button = page.getByRole("button", { name: "Actions for Supervisor Martin" });
  await button.waitFor();
  for (let time = 0; time < 2; time++) {
    await button.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Active sessions" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => button.evaluate((element) => element.matches(":focus"))).toBe(true);
  }
});

test("a chunk load error shows a toast and keeps the page", async () => {
  // This document has not loaded the chunk of the dialogs.
  const page = await (await openAs(console_.admin, "/people")).context().newPage();
  await visit(page, console_, "/people?search=supervisor@");
  await page.route(/open-dialog/, (route) => route.abort());
  await page.getByRole("button", { name: "Invite people" }).click();
  await page.getByText("Part of this page couldn’t be loaded").waitFor();
  expect(await page.getByRole("button", { name: "Actions for Supervisor Martin" }).isVisible()).toBe(true);
  await page.close();
});

test("a supervisor can only choose teams, and invite agents and reviewers", async () => {
  const page = await openAs(supervisor, "/people?search=martin");
  for (const [name, actions] of [
    ["Admin Martin", ["Change team"]],
    ["Agent Martin", ["Change team", "Send invitation"]],
  ] as const) {
    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem").first().waitFor();
    expect(await page.getByRole("menuitem").allTextContents()).toEqual(actions);
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
  }
  await page.getByRole("button", { name: "Invite people" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^Email/).waitFor();
  expect(await dialog.getByRole("radio", { name: /^(Agent|Reviewer|Supervisor|Administrator)/ }).count()).toBe(2);
  expect(await dialog.getByText("Create a link to share").count()).toBe(0);
  await screenshots(page, "people-supervisor");
  await closeDialog(page);
});

test("an administrator manages teams with the keyboard alone", async () => {
  const page = await openAs(console_.admin, "/people");
  const headingFocused = (name: string) =>
    page.getByRole("heading", { level: 1, name }).and(page.locator(":focus")).waitFor();
  const dialogClosed = () => page.getByRole("dialog").waitFor({ state: "detached" });
  await rowOf(page, "Agent Martin").waitFor();
  await tabTo(page, "Teams", { role: "link" });
  await page.keyboard.press("Enter");
  await headingFocused("Teams");
  await page.getByText("No teams yet").waitFor();
  await expectAccessible(page);
  await screenshots(page, "teams-none");

  await tabTo(page, "Create team");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Create team" }).waitFor();
  await page.keyboard.type("Support Lyon");
  await page.keyboard.press("Enter");
  await rowOf(page, "Support Lyon").waitFor();
  await dialogClosed();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Create team" }).waitFor();
  await page.keyboard.type("SUPPORT lyon");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("A team with this name already exists.").waitFor();
  await expectAccessible(page);
  await screenshots(page, "teams-taken");
  await page.keyboard.press("Escape");
  await dialogClosed();

  await tabTo(page, "People", { role: "link" });
  await page.keyboard.press("Enter");
  await headingFocused("People");
  await chooseFromMenu(page, "Agent Martin", "Edit");
  await page.getByRole("dialog", { name: "Edit person" }).waitFor();
  await tabTo(page, "Team", { role: "combobox" });
  await page.keyboard.type("lyon");
  await page.getByRole("option", { name: "Support Lyon" }).waitFor();
  await screenshots(page, "people-team-field");
  await chooseOption(page, "Support Lyon");
  await page.keyboard.press("Enter");
  await rowOf(page, "Agent Martin").filter({ hasText: "Support Lyon" }).waitFor();
  await dialogClosed();

  await page.locator("h1").focus();
  await tabTo(page, "Team", { role: "combobox" });
  await page.keyboard.type("lyon");
  await chooseOption(page, "Support Lyon");
  await page.waitForURL(/team=/);
  await page.getByText("1 entry").waitFor();
  await expectAccessible(page);
  await screenshots(page, "people-team");

  await tabTo(page, "People", { role: "link" });
  await tabTo(page, "Teams", { role: "link" });
  await page.keyboard.press("Enter");
  await headingFocused("Teams");
  await chooseFromMenu(page, "Support Lyon", "Rename");
  await page.getByRole("dialog", { name: "Rename team" }).waitFor();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Support Lyon et Dijon");
  await page.keyboard.press("Enter");
  await rowOf(page, "Support Lyon et Dijon").waitFor();
  await dialogClosed();
  await screenshots(page, "teams");
  await tabTo(page, "1 person in Support Lyon et Dijon");
  await page.keyboard.press("Enter");
  await headingFocused("People");
  await page.getByText("1 entry").waitFor();

  await visit(page, console_, "/people/teams");
  await chooseFromMenu(page, "Support Lyon et Dijon", "Delete");
  await page.getByRole("dialog", { name: "Delete Support Lyon et Dijon?" }).waitFor();
  await page.getByText("1 person will have no team.").waitFor();
  await expectAccessible(page);
  await screenshots(page, "teams-delete");
  await tabTo(page, "Delete team", { role: "button" });
  await page.keyboard.press("Enter");
  await page.getByText("No teams yet").waitFor();
  await headingFocused("Teams");
});

test("a supervisor changes the team of an agent and creates the team on the way", async () => {
  const page = await openAs(supervisor, "/people?search=abel@");
  const menu = page.getByRole("button", { name: "Actions for Agent Martin" });
  await chooseFromMenu(page, "Agent Martin", "Change team");
  const field = page.getByRole("combobox", { name: "Team" }).and(page.locator(":focus"));
  const options = page.getByRole("option");
  await field.waitFor();
  await page.keyboard.type("Nantes");
  await expect.poll(() => options.allTextContents()).toEqual(["New team…"]);
  await chooseOption(page, "New team…");
  const name = page.getByRole("textbox", { name: "Name of the new team" }).and(page.locator(":focus"));
  await expect.poll(() => name.inputValue()).toBe("Nantes");
  await expectAccessible(page);
  await screenshots(page, "people-new-team");
  await page.keyboard.press("Enter");
  await rowOf(page, "Agent Martin").filter({ hasText: "Nantes" }).waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await chooseFromMenu(page, "Agent Martin", "Change team");
  await field.waitFor();
  await expect.poll(() => field.inputValue()).toBe("Nantes");
  await page.keyboard.type("no team");
  await expect.poll(() => options.allTextContents()).toEqual(["No team", "New team…"]);
  await chooseOption(page, "No team");
  await expect.poll(() => field.inputValue()).toBe("No team");
  await page.keyboard.press("Enter");
  await rowOf(page, "Agent Martin").filter({ hasNotText: "Nantes" }).waitFor();
  await menu.and(page.locator(":focus")).waitFor();
  await screenshots(page, "people-teams-supervisor");
});

test("an administrator renames the workspace and sees its usage", async () => {
  const page = await openAs(console_.admin, "/workspace");
  await page.getByText(/^\d+ of 200$/).waitFor();
  await page.getByLabel("Name").fill("Acme Téléphonie");
  // A concurrent change of the time zone is kept.
  const elsewhere = await page.context().newPage();
  await visit(elsewhere, console_, "/workspace");
  await elsewhere.getByRole("combobox", { name: "Time zone" }).fill("Paris");
  await elsewhere.getByRole("option", { name: "Europe/Paris" }).click();
  await elsewhere.getByRole("button", { name: "Save", exact: true }).first().click();
  await elsewhere.getByText("Workspace updated.").waitFor();
  await elsewhere.close();
  await page.getByRole("button", { name: "Save", exact: true }).first().click();
  await page.getByRole("banner").getByText("Acme Téléphonie").waitFor();
  await expect.poll(() => page.getByRole("combobox", { name: "Time zone" }).inputValue()).toBe("Europe/Paris");
  await expectAccessible(page);
  await screenshots(page, "workspace");
});
