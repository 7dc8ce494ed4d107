import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { postUser } from "../support/http/service.ts";
import { makeWav } from "../support/recordings/sounds.ts";
import { scale } from "../support/run-scale.ts";
import { type Console, openConsole, type Person, signIn, startSession } from "./support/console.ts";
import { chooseOption, expectAccessible, screenshots, tabTo } from "./support/page-checks.ts";

let world: Console;
let supervisor: Person;
let folder: string;

beforeAll(async () => {
  world = await openConsole();
  supervisor = await world.addPerson("supervisor");
  const { stack, api } = world;
  for (const [email, name] of [
    ["nora@calls.example", "Nora Weiss"],
    ["elise.durand@calls.example", "Élise Durand"],
  ] as const) {
    await postUser({ ...stack, baseUrl: api.baseUrl }, { email, name, role: "agent", send_invite_email: false });
  }
  await stack.adminDb.query(
    "insert into campaign (workspace_id, id, name) values ($1, 'sales', 'Sales'), ($1, 'support', 'Customer support')",
    [stack.workspaceId],
  );
  folder = await mkdtemp(join(tmpdir(), "hearback-uploads-"));
}, 240_000);
afterAll(async () => {
  await world?.close();
  await rm(folder, { recursive: true, force: true });
});

interface Expected {
  readonly path: string;
  readonly agent: string;
  readonly campaign: string;
  readonly at: string;
  readonly bytes: Buffer;
}

const two = (value: number) => String(value).padStart(2, "0");
const nora = "nora@calls.example";
const elise = "elise.durand@calls.example";

/** File names of people and phone systems. The browser is in Europe/Paris. */
const names: readonly ((n: number) => Omit<Expected, "bytes">)[] = [
  (n) => ({
    path: `night/sales/2026-05-01_10-${two(n)}-00_${nora}.wav`,
    agent: nora,
    campaign: "sales",
    at: `2026-05-01T08:${two(n)}:00.000Z`,
  }),
  (n) => ({
    path: `night/20260115-1530${two(n)}-elise.durand.wav`,
    agent: elise,
    campaign: "support",
    at: `2026-01-15T14:30:${two(n)}.000Z`,
  }),
  (n) => ({
    path: `night/[Durand, Élise]_+336123456${two(n)}-1001_202603020915${two(n)}(52).wav`,
    agent: elise,
    campaign: "support",
    at: `2026-03-02T08:15:${two(n)}.000Z`,
  }),
  (n) => ({
    path: `night/q-600-0612345678-20240501-1200${two(n)}-${1714557600 + n}.12 Nora Weiss.wav`,
    agent: nora,
    campaign: "support",
    at: `2024-05-01T10:00:${two(n)}.000Z`,
  }),
];

const good: Expected[] = Array.from({ length: scale(11, 47, 47) }, (_, n) => ({
  ...(names[n % names.length] as (typeof names)[number])(n),
  bytes: makeWav({ seconds: 2, seed: 9000 + n }),
}));
const whole = makeWav({ seconds: 2, seed: 9100 });
const bad = [
  { path: `2026-05-02_09-00-00_${nora}.wav`, bytes: Buffer.alloc(0), reason: "The file is empty" },
  { path: `2026-05-02_09-01-00_${nora}.wav`, bytes: Buffer.from("Call of Nora at nine"), reason: "not a recording" },
  { path: `2026-05-02_09-02-00_${nora}.wav`, bytes: whole.subarray(0, 9000), reason: "truncated" },
];

const all = good.length + bad.length;

async function writeAll(files: readonly { readonly path: string; readonly bytes: Uint8Array }[]): Promise<void> {
  for (const { path, bytes } of files) {
    const at = join(folder, path);
    await mkdir(join(at, ".."), { recursive: true });
    await writeFile(at, bytes);
  }
}

/** Drops local files and folders on the page, as the browser does. */
async function dragAndDrop(page: Page, paths: readonly string[]): Promise<void> {
  await page.bringToFront();
  const browser = await page.context().newCDPSession(page);
  const data = { items: [], files: paths.map((path) => join(folder, path)), dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await browser.send("Input.dispatchDragEvent", { type, x: 500, y: 400, data });
  }
  // While the CDP session is attached, file choosers go to it instead of Playwright.
  await browser.detach();
}

const calls = async () =>
  (
    await world.stack.adminDb.query<{ campaign: string; agent: string; at: Date; sha256: string }>(
      `select c.campaign_id as campaign, u.email as agent, c.happened_at as at, encode(c.sha256, 'hex') as sha256
         from call c join app_user u on u.workspace_id = c.workspace_id and u.id = c.agent_id
        where c.workspace_id = $1`,
      [world.stack.workspaceId],
    )
  ).rows.map(({ campaign, agent, at, sha256 }) => [campaign, agent, at.toISOString(), sha256].join(" "));

const facts = ({ campaign, agent, at, bytes }: Omit<Expected, "path">) =>
  [campaign, agent, at, createHash("sha256").update(bytes).digest("hex")].join(" ");

/** Picks an option of a combobox with the keyboard. */
async function choose(page: Page, label: string, typed: string): Promise<void> {
  await page.getByRole("combobox", { name: label, exact: true }).focus();
  await page.keyboard.type(typed);
  await chooseOption(page, new RegExp(typed));
}

/** Picks files in the file chooser, opened with the keyboard. */
async function chooseFiles(page: Page, paths: readonly string[]): Promise<void> {
  await page.bringToFront();
  const button = page.getByRole("button", { name: "Choose files…" });
  await button.focus();
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.keyboard.press("Enter")]);
  await chooser.setFiles(paths.map((path) => join(folder, path)));
}

/** Activates a button or link with the keyboard. */
async function press(page: Page, name: string, role: "button" | "link" = "button"): Promise<void> {
  await page.getByRole(role, { name, exact: true }).focus();
  await page.keyboard.press("Enter");
}

/** Filters the list by status with the keyboard. */
async function show(page: Page, state: string): Promise<void> {
  await page.getByRole("radio", { name: state }).focus();
  await page.keyboard.press("Space");
}

async function openUploads(): Promise<Page> {
  const page = await world.openPage({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
  await startSession(page, world, supervisor);
  // Registered once: a listener added for each dialog can be too late.
  page.on("filechooser", () => {});
  await page.goto(`${world.url}/uploads`);
  await page.getByRole("heading", { name: "Add calls" }).waitFor();
  return page;
}

test("shows the file name help", async () => {
  const page = await openUploads();
  await expectAccessible(page);
  await screenshots(page, "uploads-empty");
  await page.context().close();
});

test(`${all} dropped files, three of them bad, are imported after those are fixed`, async () => {
  await writeAll([...good, ...bad]);
  const page = await openUploads();
  const wrong: string[] = [];
  page.on("console", (line) => line.type() === "error" && wrong.push(line.text()));
  await dragAndDrop(page, ["night", ...bad.map(({ path }) => path)]);
  // Most names and folders have no campaign.
  await page.getByText(`${Math.ceil(good.length / names.length)} of ${all} ready to import`).waitFor();
  await screenshots(page, "uploads-incomplete");
  await choose(page, "Campaign", "Customer");
  await page.getByText(`${good.length + 1} of ${all} ready to import`).waitFor();
  await expectAccessible(page);

  await press(page, `Import ${good.length + 1} calls`);
  await page.getByText(`${good.length} of ${good.length + 1} imported`, { exact: true }).waitFor({ timeout: 120_000 });
  expect((await calls()).sort()).toEqual(good.map(facts).sort());
  expect(
    await page
      .getByRole("link", { name: /^Open call of/ })
      .first()
      .getAttribute("href"),
  ).toMatch(/^\/console\/calls\/[0-9a-f-]{36}$/);
  await screenshots(page, "uploads-imported");

  // The server refused one file; two were never sent.
  await page.getByRole("radio", { name: "Failed 1" }).waitFor({ state: "attached" });
  for (const { path, reason } of bad) {
    await show(page, reason === "truncated" ? "Failed 1" : "Incomplete 2");
    await page.getByRole("row", { name: new RegExp(`${path}.*${reason}`) }).waitFor();
  }
  expect(wrong.filter((line) => !line.includes("422"))).toEqual([]);
  await show(page, "Failed 1");
  await expectAccessible(page);
  await screenshots(page, "uploads-failed");
  // Sending the same bytes again cannot help: another copy takes its place.
  expect(await page.getByRole("button", { name: /^(Try again|Retry failed)/ }).count()).toBe(0);
  const corrected = bad.map(({ path }, n) => ({
    path,
    bytes: n === 2 ? whole : makeWav({ seconds: 1, seed: 9200 + n }),
  }));
  await writeAll(corrected);
  await page.getByRole("button", { name: /^Choose the file again: 2026-05-02_09-02-00/ }).focus();
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.keyboard.press("Enter")]);
  await chooser.setFiles(join(folder, bad[2]?.path ?? ""));
  await press(page, "Import 1 call");
  await page
    .getByText(`${good.length + 1} of ${good.length + 1} imported`, { exact: true })
    .waitFor({ timeout: 90_000 });

  await show(page, `All ${all}`);
  await chooseFiles(
    page,
    bad.slice(0, 2).map(({ path }) => path),
  );
  await press(page, "Import 2 calls");
  await page.getByText(`${all} of ${all} imported`, { exact: true }).waitFor({ timeout: 90_000 });
  const resent = corrected.map(({ bytes }, n) => ({
    bytes,
    agent: nora,
    campaign: "support",
    at: `2026-05-02T07:0${n}:00.000Z`,
  }));
  expect((await calls()).sort()).toEqual([...good, ...resent].map(facts).sort());

  // Importing it again creates no second call.
  await press(page, "Clear imported files");
  await chooseFiles(page, [good[1]?.path ?? ""]);
  await press(page, "Import 1 call");
  await page.getByText("Already imported").waitFor();
  expect(await calls()).toHaveLength(all);
}, 400_000);

test("missing values are entered with the keyboard; uploads continue across pages, stop and resume", async () => {
  const page = await openUploads();
  const slow = await page.context().newCDPSession(page);
  const before = (await calls()).length;
  // Synthetic drop of files that do not exist on disk.
  await page.evaluate(
    ([base64, count]) => {
      const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      for (let n = 0; n < count; n++) {
        const own = bytes.slice();
        own[100] = n;
        dataTransfer.items.add(new File([own], `rec ${n}.wav`, { lastModified: Date.UTC(2026, 5, 1, 8, n) }));
      }
      for (const type of ["dragenter", "dragover", "drop"]) {
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      }
    },
    [makeWav({ seconds: 12, sampleRate: 16_000, seed: 77 }).toString("base64"), 6] as const,
  );
  await page.getByText("0 of 6 ready to import").waitFor();
  for (const missing of ["No agent", "No campaign", "No time in the file name"]) {
    expect(await page.getByText(missing, { exact: true }).count()).toBe(6);
  }
  await choose(page, "Campaign", "Sales");
  await choose(page, "Agent", "Nora");
  await tabTo(page, /modification time when its name has no time/, { role: "switch" });
  await page.keyboard.press("Space");
  await page.getByText("6 of 6 ready to import").waitFor();

  await press(page, "Actions for rec 3.wav");
  await page.getByRole("menuitem", { name: "Edit details…" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("radio", { name: "Custom time" }).focus();
  await page.keyboard.press("Space");
  await page.getByLabel("Time in Europe/Paris").fill("2026-07-14T10:30:15");
  await expectAccessible(page);
  await screenshots(page, "uploads-set");
  await page.keyboard.press("Enter");
  await page.getByRole("row", { name: /rec 3.wav.*10:30:15/ }).waitFor();

  await slow.send("Network.enable");
  // Slow enough to be in progress during the screenshots: the files are 2.3 MB.
  const link = { offline: false, latency: 5, downloadThroughput: -1 };
  await slow.send("Network.emulateNetworkConditions", { ...link, uploadThroughput: 40_000 });
  await press(page, "Import 6 calls");
  await page
    .getByText(/% sent|Finishing/)
    .first()
    .waitFor();
  await screenshots(page, "uploads-running");
  await press(page, "Campaigns", "link");
  await page.getByRole("heading", { name: "Campaigns" }).waitFor();
  await press(page, "Add calls", "link");
  const asked = page.waitForEvent("dialog");
  await page.evaluate("setTimeout(() => location.reload())");
  const question = await asked;
  expect(question.type()).toBe("beforeunload");
  await question.dismiss();

  await press(page, "Stop");
  await page.getByRole("button", { name: /^Resume \d calls?$/ }).waitFor();
  expect((await calls()).length).toBeLessThan(before + 6);
  await slow.send("Network.emulateNetworkConditions", { ...link, uploadThroughput: -1 });
  await page.getByRole("button", { name: /^Resume/ }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("6 of 6 imported", { exact: true }).waitFor({ timeout: 90_000 });
  const times = (await calls()).map((call) => call.split(" ")[2]);
  expect(times).toEqual(expect.arrayContaining(["2026-07-14T08:30:15.000Z", "2026-06-01T08:05:00.000Z"]));
  expect(times).toHaveLength(before + 6);
}, 300_000);

test("uploads stop when another user signs in in another tab", async () => {
  const other = await world.addPerson("supervisor", "other@example.com");
  const before = (await calls()).length;
  await writeAll(
    Array.from({ length: 2 }, (_, n) => ({
      path: `2026-08-01_09-0${n}-00_sales_${nora}.wav`,
      bytes: makeWav({ seconds: 1, seed: 9300 + n }),
    })),
  );
  const page = await openUploads();
  const add = async (n: number) => {
    await chooseFiles(page, [`2026-08-01_09-0${n}-00_sales_${nora}.wav`]);
    await page.getByRole("button", { name: "Import 1 call", exact: true }).waitFor();
  };
  await page.route("**/calls/audio", () => {
    // Never answered.
  });
  await add(0);
  await press(page, "Import 1 call");
  await page.getByRole("button", { name: "Stop" }).waitFor();
  await signIn(await page.context().newPage(), world, other);
  await page.getByText("1 file of the previous user was not imported").waitFor();
  await page.unroute("**/calls/audio");
  await expectAccessible(page);

  // Another user's cookie that no tab announced.
  await add(1);
  const { email, password } = supervisor;
  const { baseUrl } = world.api;
  const answer = await page.context().request.post(`${baseUrl}/session`, {
    data: { email, password },
    headers: { origin: baseUrl },
  });
  expect(answer.ok()).toBe(true);
  await press(page, "Import 1 call");
  await page.getByText("1 file of the previous user was not imported").waitFor();
  expect(await calls()).toHaveLength(before);
  await page.context().close();
});
