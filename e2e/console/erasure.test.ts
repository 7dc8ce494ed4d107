import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importCall, type Service } from "../support/service.ts";
import { aWav } from "../support/sounds.ts";
import { until } from "../support/waiting.ts";
import { type Console, openConsole, signIn } from "./support/console.ts";
import { expectAccessible, shots, tabTo } from "./support/looks.ts";

/*
 * A customer wants to be forgotten: what a hold keeps stays, everything else goes, and it can be shown. With the keyboard
 * alone.
 */

const phone = "+33123456789";
let hearback: Console;
let service: Service;
let page: Page;

beforeAll(async () => {
  hearback = await openConsole();
  service = { ...hearback.stack, baseUrl: hearback.api.baseUrl };
  page = await hearback.openPage();
  await signIn(page, hearback, hearback.admin);
});
afterAll(() => hearback?.close());

const aCallOf = (number: string, hour: number) =>
  importCall(service, {
    conversation_timestamp: String(1_794_700_800 + hour * 3600),
    metadata: JSON.stringify([{ key: "client_phone", value: number }]),
    file: aWav({ seconds: 1 + hour }),
  });

const press = async (name: string | RegExp, role = "button") => {
  await tabTo(page, name, { role });
  await page.keyboard.press("Enter");
};

/** That so many calls of a number can be found. */
const expectCalls = async (number: string, count: number) => {
  await page.goto(`${hearback.url}/calls?metadata%5Bclient_phone%5D=${encodeURIComponent(number)}`);
  const calls = page.getByRole("table", { name: "Calls" }).getByRole("link");
  await until(`${count} calls of ${number}`, 15_000, async () => (await calls.count()) === count);
};

test("a customer's number is erased, and what is held stays", { timeout: 400_000 }, async () => {
  const [held, ...gone] = await Promise.all([0, 1, 2].map((hour) => aCallOf(phone, hour)));
  const other = await aCallOf("+33987654321", 3);
  await expectCalls(phone, 3);

  // One of the calls is needed by a court.
  await page.goto(`${hearback.url}/privacy?tab=holds`);
  await page.getByText("Nothing is held").waitFor();
  await press("New hold");
  await page.getByRole("dialog", { name: "New hold" }).waitFor();
  await tabTo(page, "Call", { role: "textbox" });
  await page.keyboard.type(`${hearback.url}/calls/${held?.id}`);
  await tabTo(page, "Reason", { role: "textbox" });
  await page.keyboard.type("Case 2026-114");
  await shots(page, "privacy-new-hold");
  await expectAccessible(page);
  await press("Hold it");
  await page.getByRole("row", { name: /Case 2026-114/ }).waitFor();
  await shots(page, "privacy-holds");
  await expectAccessible(page);

  // What would go, what would stay, and why.
  await tabTo(page, "Legal holds", { role: "tab" });
  await page.keyboard.press("ArrowLeft");
  await page.getByText("Nothing was erased yet").waitFor();
  await shots(page, "privacy-empty");
  await expectAccessible(page);
  await press("Erase …");
  const dialog = page.getByRole("dialog", { name: "Erase for good" });
  await dialog.waitFor();
  await page.keyboard.type("0033123456789");
  await page.keyboard.press("Enter");
  await dialog.getByText("No call has this.", { exact: false }).waitFor();
  await page.keyboard.press("Enter");
  await dialog.getByLabel("Value").waitFor();
  await page.keyboard.press("Control+A");
  await page.keyboard.type(phone);
  await shots(page, "privacy-erase");
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await dialog.getByText("1 call stays: it is held").waitFor();
  await dialog.getByText("Case 2026-114").waitFor();
  await shots(page, "privacy-preview");
  await expectAccessible(page);

  // The number has to be typed.
  const last = dialog.getByRole("button", { name: "Erase for good" });
  expect(await last.isDisabled()).toBe(true);
  await page.keyboard.type("3");
  await page.keyboard.press("Enter");
  expect(await last.isDisabled()).toBe(true);
  await page.keyboard.press("Control+A");
  await page.keyboard.type("2");
  await page.keyboard.press("Enter");
  await page.getByRole("status").getByText("2 calls are erased, 1 kept by a legal hold").waitFor({ timeout: 30_000 });
  expect(page.url()).toMatch(/erasure=[0-9a-f-]{36}/);
  expect(page.url()).not.toContain("33123456789");
  await shots(page, "privacy-done");
  await expectAccessible(page);

  const [download] = await Promise.all([page.waitForEvent("download"), press("Download the certificate")]);
  const certificate = JSON.parse(await readFile(await download.path(), "utf8"));
  expect(certificate).toMatchObject({ kind: "metadata", erased: 2, held: 1, requested_by: { type: "user" } });
  expect(certificate.ids_digest).toMatch(/^[0-9a-f]{64}$/);

  // It is gone from the calls; the held one and the other stay.
  await expectCalls(phone, 1);
  await expectCalls("+33987654321", 1);
  for (const { id } of gone) expect(await statusOf(id)).toBe(404);
  for (const id of [held?.id ?? "", other.id]) expect(await statusOf(id)).toBe(200);

  await inTheLog(certificate.id);
  await retentionAndFrench();

  // When the hold is released the rest can go.
  await page.goto(`${hearback.url}/privacy?tab=holds`);
  await press("Release");
  await page.getByRole("dialog", { name: "Release the hold" }).waitFor();
  await press("Release");
  await page.getByText("Nothing is held").waitFor();
});

const statusOf = async (id: string) => (await page.request.get(`${service.baseUrl}/calls/${id}`)).status();

async function inTheLog(erasure: string) {
  await page.goto(`${hearback.url}/audit`);
  const log = page.getByRole("table", { name: "Audit log" });
  await log.getByText(/^Admin Martin asked for the erasure/).waitFor();
  await log.getByText(/^Hearback finished the erasure/).waitFor();
  await log.getByText(/^Admin Martin made the hold/).waitFor();
  await shots(page, "audit");
  await expectAccessible(page);

  // The filters live in the address bar.
  await tabTo(page, "Actions");
  await page.keyboard.type("Erasure done");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await page.waitForURL(/action=erasure.done/);
  await until("only that is shown", 15_000, async () => (await log.getByRole("row").count()) === 2);
  const [download] = await Promise.all([page.waitForEvent("download"), exportLog()]);
  const [, ...lines] = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(erasure);

  await page.goto(`${hearback.url}/audit?from=2020-01-01&to=2020-01-02`);
  await page.getByText("No entry matches these filters").waitFor();
  await press("What this log proves");
  await page.getByText("hearback-server audit verify", { exact: true }).waitFor();
  await shots(page, "audit-proof");
  await expectAccessible(page);
}

async function exportLog() {
  await press("Export");
  const first = page.getByRole("button", { name: "Export as CSV" });
  await expect.poll(() => first.evaluate((button) => button.matches(":focus"))).toBe(true);
  await page.keyboard.press("Enter");
}

async function retentionAndFrench() {
  await page.goto(`${hearback.url}/privacy?tab=retention`);
  await page.getByText("Until somebody erases them").waitFor();
  await shots(page, "privacy-retention");
  await expectAccessible(page);

  const french = await hearback.openPage({ locale: "fr-FR" });
  await signIn(french, hearback, hearback.admin);
  await french.goto(`${hearback.url}/privacy`);
  await french.getByRole("table", { name: "Effacements" }).waitFor();
  await shots(french, "privacy-fr");
  await expectAccessible(french);
  await french.goto(`${hearback.url}/audit`);
  await french
    .getByText(/a demandé/)
    .first()
    .waitFor();
  await shots(french, "audit-fr");
  await expectAccessible(french);
  await french.context().close();
}
