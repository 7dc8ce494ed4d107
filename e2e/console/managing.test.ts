import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type MailServer, openMailServer } from "../support/mail-server.ts";
import { type Console, openConsole, type Person, signIn } from "./support/console.ts";
import { chooseFromMenu, expectAccessible, shots, tabTo } from "./support/looks.ts";

// Many pages, many pictures.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let mail: MailServer;
let console_: Console;
let supervisor: Person;

beforeAll(async () => {
  mail = await openMailServer();
  console_ = await openConsole({
    ...{ SMTP_URL: mail.url, MAIL_FROM: "Hearback <hb@example.com>" },
    ...{ LIMIT_WORKSPACE_CALLS_PER_DAY: "200", LIMIT_WORKSPACE_STORED_BYTES: "5000000000" },
  });
  supervisor = await console_.addPerson("supervisor");
});
afterAll(async () => {
  await console_?.close();
  await mail?.close();
});

async function openAs(person: Person, path: string, options = {}): Promise<Page> {
  const page = await console_.openPage(options);
  await signIn(page, console_, person);
  await page.goto(`${console_.url}${path}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}

const rowOf = (page: Page, name: string) => page.getByRole("row", { name: new RegExp(name) });

test("a supervisor makes, changes and archives a campaign with the keyboard alone", async () => {
  const page = await openAs(supervisor, "/campaigns");
  await rowOf(page, console_.stack.campaignId).waitFor();
  await expectAccessible(page);

  await tabTo(page, "New campaign");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "New campaign" }).waitFor();
  await page.keyboard.type("Été à Lyon");
  expect(await page.getByLabel("Id", { exact: true }).inputValue()).toBe("ete-a-lyon");
  await tabTo(page, "Not known");
  await page.keyboard.press("ArrowUp");
  await expectAccessible(page);
  await shots(page, "campaigns-new");
  await page.keyboard.press("Enter");
  await rowOf(page, "Été à Lyon")
    .filter({ hasText: /ete-a-lyon[\s\S]*Right[\s\S]*Until erased/ })
    .waitFor();

  await chooseFromMenu(page, "Été à Lyon", "Change");
  await page.getByRole("dialog", { name: "Change a campaign" }).waitFor();
  expect(await page.getByLabel("Keep calls for … days").isDisabled()).toBe(true);
  await tabTo(page, "Right");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await rowOf(page, "Été à Lyon").filter({ hasText: "Left" }).waitFor();

  await chooseFromMenu(page, "Été à Lyon", "Archive");
  await page.getByRole("dialog", { name: "Archive Été à Lyon?" }).waitFor();
  await expectAccessible(page);
  await shots(page, "campaigns-archive");
  await tabTo(page, "Archive", { role: "button" });
  await page.keyboard.press("Enter");
  await rowOf(page, "Été à Lyon").waitFor({ state: "detached" });

  await page.getByRole("radio", { name: "Archived" }).focus();
  await page.keyboard.press("Space");
  await page.waitForURL(/show=archived/);
  await chooseFromMenu(page, "Été à Lyon", "Bring back");
  await tabTo(page, "Bring back", { role: "button" });
  await page.keyboard.press("Enter");
  await page.getByText("Nothing is archived").waitFor();
  await shots(page, "campaigns-none");
  await page.goto(`${console_.url}/campaigns?show=all`);
  expect(await page.getByRole("link", { name: "See calls of Été à Lyon" }).getAttribute("href")).toBe(
    "/console/calls?campaign=ete-a-lyon",
  );
});

test("how long calls are kept is for an administrator to say, and has to be meant", async () => {
  const page = await openAs(console_.admin, "/campaigns");
  await chooseFromMenu(page, "Support", "Change");
  const change = page.getByRole("dialog", { name: "Change a campaign" });
  await change.waitFor();
  await tabTo(page, "Keep calls for … days");
  await page.keyboard.type("90");
  await change.getByText("Calls that are more than 90 days old will be erased").waitFor();
  await expectAccessible(page);
  await shots(page, "campaigns-change");
  // What is erased cannot be brought back: it has to be ticked.
  await page.keyboard.press("Enter");
  expect(await change.isVisible()).toBe(true);
  await tabTo(page, "I know, and want it so");
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await rowOf(page, "Support").filter({ hasText: "90 days" }).waitFor();
  await shots(page, "campaigns");
});

test("an id that is taken is said, and nothing typed is lost", async () => {
  const page = await openAs(supervisor, "/campaigns");
  await page.getByRole("button", { name: "New campaign" }).click();
  await page.getByLabel("Name").fill("Again");
  await page.getByLabel("Id", { exact: true }).fill(console_.stack.campaignId);
  await page.getByRole("button", { name: "Make it" }).click();
  await page.getByRole("alert").getByText("There is a campaign with this id already").waitFor();
  await expectAccessible(page);
  await shots(page, "campaigns-taken");
  expect(await page.getByLabel("Name").inputValue()).toBe("Again");
});

test("an administrator invites, promotes and deactivates with the keyboard alone", async () => {
  const page = await openAs(console_.admin, "/people");
  await rowOf(page, "Admin Martin").waitFor();
  await expectAccessible(page);

  await tabTo(page, "Invite people");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Invite people" });
  await dialog.waitFor();
  await tabTo(page, "E-mail");
  await page.keyboard.type("zoe@example.com");
  await tabTo(page, "Name");
  await page.keyboard.type("Zoé Durand");
  await expectAccessible(page);
  await shots(page, "people-invite");
  await page.keyboard.press("Enter");
  await rowOf(page, "Zoé Durand").waitFor();
  await expect.poll(() => mail.letters.map(({ to }) => to), { timeout: 20_000 }).toContain("zoe@example.com");

  await chooseFromMenu(page, "Zoé Durand", "Change name or role");
  await tabTo(page, "Agent");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.getByText("Imports may still name them as an agent.").waitFor();
  await expectAccessible(page);
  await shots(page, "people-change");
  await page.keyboard.press("Enter");
  await rowOf(page, "Zoé Durand").filter({ hasText: "Supervisor" }).waitFor();

  await chooseFromMenu(page, "Zoé Durand", "Deactivate");
  await page.getByRole("dialog", { name: "Deactivate Zoé Durand?" }).waitFor();
  await expectAccessible(page);
  await shots(page, "people-deactivate");
  await tabTo(page, "Deactivate", { role: "button" });
  await page.keyboard.press("Enter");
  await rowOf(page, "Zoé Durand")
    .filter({ hasText: /deactivated/i })
    .waitFor();
  await chooseFromMenu(page, "Zoé Durand", "Bring back");
  await tabTo(page, "Bring back", { role: "button" });
  await page.keyboard.press("Enter");
  await rowOf(page, "Zoé Durand")
    .filter({ hasNotText: /deactivated/i })
    .waitFor();
});

test("many are invited at once, each with its outcome, and found again by the address bar", async () => {
  const page = await openAs(console_.admin, "/people");
  await page.getByRole("button", { name: "Invite people" }).click();
  await page.getByText("Several at once").click();
  const lines = [
    "name;email",
    "Léa Petit <lea@many.example>",
    "max@many.example;Max Roy",
    "nobody at all",
    "lea@many.example",
  ];
  const more = Array.from({ length: 60 }, (_, n) => `agent.number${n}@many.example`);
  await page.getByRole("textbox", { name: "People" }).fill([...lines, "ADMIN@example.com", ...more].join("\n"));
  await page.getByText("2 lines are left out:").waitFor();
  await page.getByText("Not now").click();
  await expectAccessible(page);
  await shots(page, "people-many");
  await page.getByRole("button", { name: "Invite 63 people" }).click();
  await page.getByText("Added: 62. Already here: 1. Failed: 0.").waitFor({ timeout: 90_000 });
  await expectAccessible(page);
  await shots(page, "people-outcomes");
  await page.getByRole("button", { name: "Done" }).click();

  await page.getByLabel("Search").fill("MANY.example");
  await page.waitForURL(/search=MANY/);
  await page.getByText("50 entries").waitFor();
  await page.getByRole("button", { name: "Show more" }).click();
  await page.getByText("62 entries").waitFor();
  await page.getByLabel("Search").fill("léa pet");
  await page.getByText("1 entry").waitFor();
  await page.goto(`${console_.url}/people?search=many.example&role=reviewer`);
  await page.getByText("Nobody fits").waitFor();
  expect(await page.getByLabel("Search").inputValue()).toBe("many.example");
  await shots(page, "people-none");
  await page.goto(`${console_.url}/people?role=agent`);
  await page.getByText("50 entries").waitFor();
  await shots(page, "people");
  await page.goto(`${console_.url}/people?search=l%C3%A9a+pet&role=agent`);
  await page.getByRole("link", { name: "See calls of Léa Petit" }).waitFor();
});

test("a link is handed over, and sessions of others are ended", async () => {
  const page = await openAs(console_.admin, "/people?search=supervisor@");
  const other = await openAs(supervisor, "/campaigns");
  await page.getByRole("button", { name: "Actions for Supervisor Martin" }).click();
  await page.getByRole("menuitem", { name: "Where they are signed in" }).click();
  await page.getByText("Ending a session signs Supervisor Martin out").waitFor();
  await expectAccessible(page);
  await shots(page, "people-sessions");
  await page.getByRole("button", { name: "End all of them" }).click();
  await page.getByText("Supervisor Martin is not signed in anywhere.").waitFor();
  await other.reload();
  await other.waitForURL(/sign-in/);
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Invite people" }).click();
  await page.getByLabel("E-mail").fill("yan@example.com");
  await page.getByLabel("Name").fill("Yan Moreau");
  await page.getByLabel("Reviewer").check();
  await page.getByLabel("Give me the link to hand over").check();
  await page.getByRole("dialog").getByRole("button", { name: "Invite people" }).click();
  const link = page.getByRole("dialog", { name: "A link to hand over" }).getByRole("textbox", { name: "Link" });
  expect(await link.inputValue()).toMatch(new RegExp(`^${console_.url}/welcome#.{20,}$`));
  await expectAccessible(page);
  await shots(page, "people-link");
});

test("a dialog that was opened from a row's menu gives the focus back to that row, each time", async () => {
  const page = await openAs(console_.admin, "/people?search=supervisor@");
  const button = page.getByRole("button", { name: "Actions for Supervisor Martin" });
  await button.waitFor();
  for (let time = 0; time < 2; time++) {
    await button.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Where they are signed in" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => button.evaluate((element) => element.matches(":focus"))).toBe(true);
  }
});

test("what cannot be fetched is said, and the page stays as it is", async () => {
  const page = await openAs(console_.admin, "/people?search=supervisor@");
  await page.route(/open-dialog/, (route) => route.abort());
  await page.getByRole("button", { name: "Invite people" }).click();
  await page.getByText("A part of this page could not be fetched").waitFor();
  expect(await page.getByRole("button", { name: "Actions for Supervisor Martin" }).isVisible()).toBe(true);
});

test("a supervisor invites agents and reviewers only, and changes nobody", async () => {
  const page = await openAs(supervisor, "/people?search=martin");
  await rowOf(page, "Admin Martin").waitFor();
  expect(await page.getByRole("button", { name: /Actions for/ }).count()).toBe(0);
  await page.goto(`${console_.url}/people?role=agent`);
  await page
    .getByRole("button", { name: /Actions for/ })
    .first()
    .click();
  await page.getByRole("menuitem").first().waitFor();
  expect(await page.getByRole("menuitem").allTextContents()).toEqual(["Send an invitation"]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Invite people" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("E-mail").waitFor();
  expect(await dialog.getByRole("radio", { name: /^(Agent|Reviewer|Supervisor|Administrator)/ }).count()).toBe(2);
  expect(await dialog.getByText("Give me the link to hand over").count()).toBe(0);
  await shots(page, "people-supervisor");
});

test("an administrator names the workspace and sees what it uses", async () => {
  const page = await openAs(console_.admin, "/workspace");
  await page.getByText(/^\d+ of 200$/).waitFor();
  await page.getByLabel("Name").fill("Acme Téléphonie");
  // Somebody else sets the time zone meanwhile, and it stays as they set it.
  const elsewhere = await openAs(console_.admin, "/workspace");
  await elsewhere.getByRole("combobox", { name: "Time zone" }).fill("Paris");
  await elsewhere.getByRole("option", { name: "Europe/Paris" }).click();
  await elsewhere.getByRole("button", { name: "Save" }).click();
  await elsewhere.getByText("The workspace has been changed").waitFor();
  await elsewhere.context().close();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("banner").getByText("Acme Téléphonie").waitFor();
  await expect.poll(() => page.getByRole("combobox", { name: "Time zone" }).inputValue()).toBe("Europe/Paris");
  await expectAccessible(page);
  await shots(page, "workspace");
});

test.each(["campaigns", "people", "keys", "workspace"])("%s in French", async (path) => {
  const page = await openAs(console_.admin, `/${path}`, { locale: "fr-FR" });
  const titles = { campaigns: "Campagnes", people: "Personnes", keys: "Clés", workspace: "Espace de travail" };
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(titles[path as keyof typeof titles]);
  await page.waitForLoadState("networkidle");
  await expectAccessible(page);
  await shots(page, `french-${path}`);
});
