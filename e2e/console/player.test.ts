import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callerHeaders } from "../support/http/caller.ts";
import { until } from "../support/waiting.ts";
import { playerState } from "./support/audio-output.ts";
import { startSession, visit } from "./support/console.ts";
import { expectAccessible, screenshots, tabTo } from "./support/page-checks.ts";
import { openPlayerConsole, type PlayerConsole, playerReady } from "./support/player-console.ts";

let opened: PlayerConsole;
let page: Page;

beforeAll(async () => {
  opened = await openPlayerConsole();
  page = await opened.openPage({ permissions: ["clipboard-read", "clipboard-write"] });
  await startSession(page, opened, opened.supervisor);
});
afterAll(async () => {
  await opened?.close();
});

/** Clipboard content. Pages may not read it, so it is pasted into a field. */
async function pasted(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Edit details" }).press("Enter");
  const field = page.getByRole("dialog").locator("input[type=email]");
  await field.press("ControlOrMeta+A");
  await field.press("ControlOrMeta+V");
  return field.inputValue();
}

test("opening a call and seeking in it is not playing it", async () => {
  const { service, callId: id } = opened;
  await visit(page, opened, `/calls/${id}`);
  await playerReady(page);
  const requested: string[] = [];
  page.on("request", (request) => requested.push(new URL(request.url()).pathname));
  const entries = async () => {
    const answer = await fetch(`${service.baseUrl}/audit?subject=call:${id}`, {
      headers: callerHeaders(service.apiKey, service.baseUrl),
    });
    expect(answer.status).toBe(200);
    const { entries } = (await answer.json()) as { entries: { action: string; actor: { type: string } }[] };
    return entries.map(({ action, actor }) => [action, actor.type]);
  };
  await page.keyboard.press("l");
  await sleep(1000);
  expect(requested.filter((path) => path.endsWith("/audio"))).toEqual([]);
  expect(await entries()).toEqual([]);
  await page.keyboard.press("k");
  await until("the call plays", 10_000, async () => !(await playerState(page)).paused);
  await expect.poll(entries).toEqual([["call.listened", "user"]]);
});

test("a link opens at a time, and settings persist across calls", async () => {
  await page.goto(`${opened.url}/calls/${opened.callId}?t=0:21`);
  await playerReady(page);
  await until("the position is 21 s", 10_000, async () => Math.abs((await playerState(page)).ms - 21_000) < 50);
  await page.keyboard.press("]");
  await page.keyboard.press("y");
  await page.getByText("Link copied").waitFor();
  const link = await pasted(page);
  expect(link).toBe(`${opened.url}/calls/${opened.callId}?t=21`);
  await page.goto(link.replace("t=21", "t=12"));
  await playerReady(page);
  expect(await playerState(page)).toMatchObject({ paused: true, speed: 1.25 });
  expect(Math.abs((await playerState(page)).ms - 12_000)).toBeLessThan(50);
});

test("edits call details and keeps the history", async () => {
  const { service, callId } = opened;
  await visit(page, opened, `/calls/${opened.callId}`);
  await playerReady(page);
  await tabTo(page, "Edit details");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Edit call details" });
  await dialog.waitFor();
  await expectAccessible(page);
  await screenshots(page, "player-correct");
  // A concurrent edit reaches the page behind the form.
  const number = { key: "client_phone", value: "+33987654321" };
  const body = JSON.stringify({ metadata: { remove: [{ key: number.key }], add: [number] } });
  const headers = { ...callerHeaders(service.apiKey, service.baseUrl), "content-type": "application/json" };
  const answer = await fetch(`${service.baseUrl}/calls/${callId}`, { method: "PATCH", headers, body });
  expect(answer.status).toBe(200);
  await until("the page shows the edit", 30_000, async () => {
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    return (await page.getByText(number.value, { exact: true }).count()) > 0;
  });
  await tabTo(page, "Value of entry 2");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("Paris");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  await page.getByText("Added site: Paris").waitFor();
  await page.getByText("Removed site: Lyon").waitFor();
  await page.getByText(number.value, { exact: true }).waitFor();
});

test("offline: shows an error, keeps the page and retries", async () => {
  // In a browser profile that has not loaded the other pages.
  const page = await opened.openCall(opened.callId);
  await page.context().setOffline(true);
  await page.keyboard.press("?");
  await page.getByRole("alert").filter({ hasText: "Part of this page couldn’t be loaded" }).waitFor();
  await playerReady(page);
  await page.getByRole("link", { name: "Campaigns" }).click();
  await page.getByText("Hearback can’t be reached").waitFor({ timeout: 30_000 });
  await page.getByRole("link", { name: "Calls", exact: true }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { level: 1, name: "Campaigns" }).waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
});
