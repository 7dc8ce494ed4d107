import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importCall, type Service } from "../support/http/service.ts";
import { makeWav } from "../support/recordings/sounds.ts";
import { until } from "../support/waiting.ts";
import { type Console, openConsole, startSession, visit } from "./support/console.ts";
import { chooseOption, expectAccessible, screenshots, tabTo } from "./support/page-checks.ts";

/* Erases a customer's calls with the keyboard alone. Calls on hold stay, and the certificate proves the rest. */

const phone = "+33123456789";
let hearback: Console;
let service: Service;
let page: Page;

beforeAll(async () => {
  hearback = await openConsole();
  service = { ...hearback.stack, baseUrl: hearback.api.baseUrl };
  page = await hearback.openPage();
  await startSession(page, hearback, hearback.admin);
});
afterAll(() => hearback?.close());

const aCallOf = (number: string, hour: number) =>
  importCall(service, {
    conversation_timestamp: String(1_794_700_800 + hour * 3600),
    metadata: JSON.stringify([{ key: "client_phone", value: number }]),
    file: makeWav({ seconds: 1 + hour }),
  });

const press = async (name: string | RegExp, role = "button") => {
  await tabTo(page, name, { role });
  await page.keyboard.press("Enter");
};

/** Asserts the number of calls found for a phone number. */
const expectCalls = async (number: string, count: number) => {
  await page.goto(`${hearback.url}/calls?metadata%5Bclient_phone%5D=${encodeURIComponent(number)}`);
  const calls = page.getByRole("table", { name: "Calls" }).getByRole("link");
  await until(`${count} calls of ${number}`, 15_000, async () => (await calls.count()) === count);
};

test("erases calls by phone number and keeps calls on hold", { timeout: 400_000 }, async () => {
  const [held, ...gone] = await Promise.all([0, 1, 2].map((hour) => aCallOf(phone, hour)));
  const other = await aCallOf("+33987654321", 3);
  await expectCalls(phone, 3);

  // Put one call on legal hold.
  await visit(page, hearback, "/privacy?tab=holds");
  await page.getByText("No legal holds").waitFor();
  await press("Create legal hold");
  await page.getByRole("dialog", { name: "Create legal hold" }).waitFor();
  await tabTo(page, "Call", { role: "textbox" });
  await page.keyboard.type(`${hearback.url}/calls/${held?.id}`);
  await tabTo(page, "Reason", { role: "textbox" });
  await page.keyboard.type("Case 2026-114");
  await screenshots(page, "privacy-new-hold");
  await expectAccessible(page);
  await press("Create hold");
  await page.getByRole("row", { name: /Case 2026-114/ }).waitFor();
  await screenshots(page, "privacy-holds");
  await expectAccessible(page);

  // Preview: erased calls, held calls and reasons.
  await tabTo(page, "Legal holds", { role: "tab" });
  await page.keyboard.press("ArrowLeft");
  await page.getByText("No erasures yet").waitFor();
  await screenshots(page, "privacy-empty");
  await expectAccessible(page);
  await press("Erase…");
  const dialog = page.getByRole("dialog", { name: "Erase permanently" });
  await dialog.waitFor();
  await page.keyboard.type("0033123456789");
  await page.keyboard.press("Enter");
  await dialog.getByText("No matching calls.", { exact: false }).waitFor();
  await page.keyboard.press("Enter");
  await dialog.getByLabel("Value").waitFor();
  await page.keyboard.press("Control+A");
  await page.keyboard.type(phone);
  await screenshots(page, "privacy-erase");
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await dialog.getByText("1 call is on legal hold and won’t be erased").waitFor();
  await dialog.getByText("Case 2026-114").waitFor();
  await screenshots(page, "privacy-preview");
  await expectAccessible(page);

  // Confirmation requires the number of calls.
  const last = dialog.getByRole("button", { name: "Erase permanently" });
  expect(await last.isDisabled()).toBe(true);
  await page.keyboard.type("3");
  await page.keyboard.press("Enter");
  expect(await last.isDisabled()).toBe(true);
  await page.keyboard.press("Control+A");
  await page.keyboard.type("2");
  await page.keyboard.press("Enter");
  await page.getByRole("status").getByText("2 calls erased, 1 kept by a legal hold").waitFor({ timeout: 30_000 });
  expect(page.url()).toMatch(/erasure=[0-9a-f-]{36}/);
  expect(page.url()).not.toContain("33123456789");
  await screenshots(page, "privacy-done");
  await expectAccessible(page);

  const [download] = await Promise.all([page.waitForEvent("download"), press("Download certificate")]);
  const certificate = JSON.parse(await readFile(await download.path(), "utf8"));
  expect(certificate).toMatchObject({ kind: "metadata", erased: 2, held: 1, requested_by: { type: "user" } });
  expect(certificate.ids_digest).toMatch(/^[0-9a-f]{64}$/);

  // The print dialog would block: the page that it would print is kept instead.
  await page.evaluate("window.print = () => { window.printed = document.querySelector('.print-only')?.textContent }");
  await press("Print certificate");
  await expect.poll(() => page.evaluate<string>("window.printed ?? ''")).toContain(certificate.ids_digest);
  await expect.poll(() => page.locator(".print-only").count()).toBe(0);

  // Erased calls are gone; the held one and others remain.
  await expectCalls(phone, 1);
  await expectCalls("+33987654321", 1);
  for (const { id } of gone) expect(await statusOf(id)).toBe(404);
  for (const id of [held?.id ?? "", other.id]) expect(await statusOf(id)).toBe(200);

  await inTheLog(certificate.id);
  await visit(page, hearback, "/privacy?tab=retention");
  await page.getByText("Forever").waitFor();
  await screenshots(page, "privacy-retention");
  await expectAccessible(page);

  // After the release, the rest can be erased.
  await visit(page, hearback, "/privacy?tab=holds");
  await press("Release");
  await page.getByRole("dialog", { name: "Release hold" }).waitFor();
  await press("Release");
  await page.getByText("No legal holds").waitFor();
});

const statusOf = async (id: string) => (await page.request.get(`${service.baseUrl}/calls/${id}`)).status();

async function inTheLog(erasure: string) {
  await visit(page, hearback, "/audit");
  const log = page.getByRole("table", { name: "Audit log" });
  await log.getByText(/^Admin Martin requested erasure/).waitFor();
  await log.getByText(/^Hearback completed erasure/).waitFor();
  await log.getByText(/^Admin Martin created hold/).waitFor();
  await screenshots(page, "audit");
  await expectAccessible(page);

  // Filters live in the URL.
  await tabTo(page, "Actions");
  await page.keyboard.type("Erasure completed");
  await chooseOption(page, "Erasure completed");
  await page.keyboard.press("Escape");
  await page.waitForURL(/action=erasure.done/);
  await until("only matching entries are shown", 15_000, async () => (await log.getByRole("row").count()) === 2);
  const [download] = await Promise.all([page.waitForEvent("download"), exportLog()]);
  const [, ...lines] = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(erasure);

  await visit(page, hearback, "/audit?from=2020-01-01&to=2020-01-02");
  await page.getByText("No entries match these filters").waitFor();
  await press("Log integrity");
  await page.getByText("hearback-server audit verify", { exact: true }).waitFor();
  await screenshots(page, "audit-proof");
  await expectAccessible(page);
}

async function exportLog() {
  await press("Export");
  const first = page.getByRole("button", { name: "Export as CSV" });
  await expect.poll(() => first.evaluate((button) => button.matches(":focus"))).toBe(true);
  await page.keyboard.press("Enter");
}
