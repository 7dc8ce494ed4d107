import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { waitForCall, withEveryScope } from "../support/http/call-details.ts";
import { callerHeaders } from "../support/http/caller.ts";
import { importCall, type Service } from "../support/http/service.ts";
import { retryOnCpuSteal } from "../support/measuring/retry-on-cpu-steal.ts";
import { type Conversation, loadConversation, record, type Turn } from "../support/recordings/conversation.ts";
import { serviceAt } from "../support/recordings/recordings.ts";
import { percentile, say, until } from "../support/waiting.ts";
import { type LevelSample, playerState, sampleLevelsUntil, tapAudioOutput } from "./support/audio-output.ts";
import { type Console, openConsole, type Person, startSession } from "./support/console.ts";
import { expectAccessible, screenshots, tabTo } from "./support/page-checks.ts";

let opened: Console;
let service: Service;
let supervisor: Person;
let conversation: Conversation;
let callId: string;

/** Both sides have spoken by then. */
const firstTurnsMs = 5500;

/** The customer is much quieter than the agent, as on many lines. */
const faint = 0.25;

beforeAll(async () => {
  opened = await openConsole();
  service = await withEveryScope(opened.stack, serviceAt(opened.stack, opened.api.port));
  supervisor = await opened.addPerson("supervisor");
  const { workspaceId, campaignId } = opened.stack;
  await opened.stack.command("campaign", "set-agent-channel", campaignId, "left", "--workspace", workspaceId);
  const spoken = await loadConversation();
  const customer = spoken.voices.customer.map((sample) => sample * faint);
  conversation = { ...spoken, voices: { ...spoken.voices, customer } };
  callId = await importRecording(await recording("wav", ["-c:a", "pcm_s16le"]));
});
afterAll(async () => {
  await opened?.close();
});

const recording = (extension: string, args: readonly string[]) =>
  record(conversation, { arrangement: "dual", noise: true, rate: 8000, args, extension });

async function importRecording(file: Buffer): Promise<string> {
  const metadata = [
    { key: "client_phone", value: "+33123456789" },
    { key: "site", value: "Lyon" },
  ];
  const { id } = await importCall(service, { file, metadata: JSON.stringify(metadata) });
  await waitForCall(service, id, 120_000);
  return id;
}

async function openCall(path: string): Promise<Page> {
  const page = await opened.openPage({ permissions: ["clipboard-read", "clipboard-write"] });
  await tapAudioOutput(page);
  await startSession(page, opened, supervisor);
  await page.goto(`${opened.url}/calls/${path}`);
  await ready(page);
  return page;
}

/** Clipboard content. Pages may not read it, so it is pasted into a field. */
async function pasted(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Edit details" }).press("Enter");
  const field = page.getByRole("dialog").locator("input[type=email]");
  await field.press("ControlOrMeta+A");
  await field.press("ControlOrMeta+V");
  return field.inputValue();
}

/** Waits until the player has loaded the speech data. */
const ready = (page: Page) => page.getByRole("button", { name: /^Skip silence \(/ }).waitFor();
const placeOf = (page: Page) => page.getByRole("slider", { name: "Playback position" });

const within = (turns: readonly Turn[], ms: number) => turns.some(([from, to]) => ms > from + 80 && ms < to - 80);
/** Median: single late measurements on a busy machine do not count. */
const usual = (values: readonly number[]) => percentile(values, 0.5);

/** Level per ear while only one side speaks. */
function levelsOf(heard: readonly LevelSample[]) {
  const { agent, customer } = conversation.turns;
  const only = (mine: readonly Turn[], other: readonly Turn[]) =>
    heard.filter(({ ms }) => within(mine, ms) && !other.some(([from, to]) => ms > from - 80 && ms < to + 80));
  const [ofAgent, ofCustomer] = [only(agent, customer), only(customer, agent)];
  return {
    agent: { left: usual(ofAgent.map(({ left }) => left)), right: usual(ofAgent.map(({ right }) => right)) },
    customer: { left: usual(ofCustomer.map(({ left }) => left)), right: usual(ofCustomer.map(({ right }) => right)) },
  };
}

const seconds = (page: Page, expected: number) =>
  until(
    `the address says ?t=${expected}`,
    10_000,
    () => new URL(page.url()).searchParams.get("t") === String(expected),
  );

test("opening a call and seeking in it is not playing it", async () => {
  const id = await importRecording(await recording("wav", ["-c:a", "pcm_mulaw"]));
  const page = await openCall(id);
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
  await page.context().close();
});

test("plays a call and each side alone, with the keyboard alone", { timeout: 300_000 }, async () => {
  const page = await openCall(callId);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBeTruthy();
  await expectAccessible(page);
  await screenshots(page, "player");

  // Stereo: agent left, customer right.
  await page.keyboard.press("e");
  await page.keyboard.press("w");
  await page.keyboard.press("k");
  /** Levels of the first turns. Starved audio output lags behind the position. */
  const levels = () =>
    retryOnCpuSteal(async () => {
      await page.keyboard.press("0");
      return levelsOf(await sampleLevelsUntil(page, firstTurnsMs));
    });
  const plain = await levels();
  say(`in stereo: ${JSON.stringify(plain)}`);
  expect(plain.agent.left).toBeGreaterThan(20 * plain.agent.right);
  expect(plain.customer.right).toBeGreaterThan(10 * plain.customer.left);
  const before = plain.agent.left / plain.customer.right;

  // Normalised: a four times quieter voice is nearly as loud.
  await page.keyboard.press("e");
  const evened = await levels();
  const after = evened.agent.left / evened.customer.right;
  say(`agent against customer: ${before.toFixed(1)} times as loud, normalised ${after.toFixed(2)}`);
  expect(before).toBeGreaterThan(3);
  expect(after).toBeGreaterThan(0.6);
  expect(after).toBeLessThan(1.7);

  // Agent muted, then solo, centred.
  await page.keyboard.press("w");
  await page.keyboard.press("m");
  const muted = await levels();
  say(`the agent muted: ${JSON.stringify(muted)}`);
  // The rest is amplified line noise of the customer.
  expect(Math.max(muted.agent.left, muted.agent.right)).toBeLessThan(0.2 * evened.agent.left);
  expect(Math.min(muted.customer.left, muted.customer.right)).toBeGreaterThan(0.4 * evened.customer.right);
  expect(await page.getByRole("button", { name: "Mute Agent" }).getAttribute("aria-pressed")).toBe("true");
  await page.keyboard.press("m");
  await page.keyboard.press("o");
  const alone = await levels();
  say(`the agent alone: ${JSON.stringify(alone)}`);
  expect(Math.min(alone.agent.left, alone.agent.right)).toBeGreaterThan(0.4 * evened.agent.left);
  expect(Math.max(alone.customer.left, alone.customer.right)).toBeLessThan(0.1 * evened.customer.right);
  await screenshots(page, "player-solo");
  await page.context().close();
});

test("seeks by seconds, speech and tenths, changes speed and skips silences", {
  timeout: 180_000,
}, async () => {
  const page = await openCall(callId);
  const { agent, customer } = conversation.turns;
  const goes = async (key: string, toMs: number, nearMs = 120) => {
    await page.keyboard.press(key);
    await until(
      `${key} goes to ${toMs} ms`,
      10_000,
      async () => Math.abs((await playerState(page)).ms - toMs) < nearMs,
    );
  };
  await goes("ArrowRight", 5000);
  await goes("l", 15_000);
  await goes("j", 5000);
  await goes(".", 6000);
  await goes(",", 5000);
  await goes("ArrowLeft", 0);
  await goes("a", (agent[0]?.[0] ?? 0) - 150);
  await goes("c", (customer[0]?.[0] ?? 0) - 150);
  await goes("a", (agent[1]?.[0] ?? 0) - 150);
  await goes("Shift+A", (agent[0]?.[0] ?? 0) - 150);
  await goes("Shift+ArrowRight", (customer[0]?.[0] ?? 0) - 150);
  await goes("Shift+ArrowLeft", (agent[0]?.[0] ?? 0) - 150);
  await goes("5", conversation.durationMs / 2);
  await goes("End", conversation.durationMs);
  await goes("Home", 0);

  // The position is in the URL.
  await goes("3", conversation.durationMs * 0.3);
  await seconds(page, Math.floor((conversation.durationMs * 0.3) / 1000));
  expect(await placeOf(page).getAttribute("aria-valuetext")).toMatch(/^0:13 of 0:44, /);

  // The slider on its own, as with a screen reader.
  await tabTo(page, "Playback position", { role: "slider" });
  await goes("Home", 0);
  await goes("PageUp", 30_000);
  await goes("ArrowLeft", 25_000);
  await goes("Home", 0);
  await goes("Shift+ArrowRight", (agent[0]?.[0] ?? 0) - 150);
  await goes("3", conversation.durationMs * 0.3);

  // Dragged beyond the edge of the zoomed waveform, which shows ten seconds, the position advances at 7.5 s per second.
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  const stage = await page.getByTestId("zoomed-waveform").boundingBox();
  const [edge, middle] = [(stage?.x ?? 0) + (stage?.width ?? 0), (stage?.y ?? 0) + (stage?.height ?? 0) / 2];
  await page.mouse.move(edge - 100, middle);
  await page.mouse.down();
  await page.mouse.move(edge + 8, middle, { steps: 12 });
  const heldFrom = performance.now();
  const atEdge = await playerState(page);
  await sleep(1000);
  const beyond = await playerState(page);
  const heldMs = performance.now() - heldFrom;
  await page.mouse.up();
  say(`dragged to ${atEdge.ms.toFixed(0)} ms, ${heldMs.toFixed(0)} ms later ${beyond.ms.toFixed(0)} ms`);
  expect(beyond.ms).toBeGreaterThan(atEdge.ms + 1000);
  expect(beyond.ms - atEdge.ms).toBeLessThan(heldMs * 7.5 * 1.2);
  await goes("Home", 0);

  for (const speed of [1.25, 1.5, 1.75, 2, 2.5, 3, 3]) {
    await page.keyboard.press("]");
    expect(await playerState(page)).toMatchObject({ speed, preservesPitch: true });
  }
  // At triple speed, a nine-second silence is skipped almost at once.
  const [silenceFrom, silenceTo] = [customer[2]?.[1] ?? 0, agent[2]?.[0] ?? 0];
  expect(silenceTo - silenceFrom).toBeGreaterThan(8000);
  await page.keyboard.press("x");
  await page.keyboard.press("s");
  await goes("Home", 0);
  await page.keyboard.press("c");
  await page.keyboard.press("c");
  await page.keyboard.press("c");
  await page.keyboard.press("k");
  const passed = await sampleLevelsUntil(page, silenceTo + 500);
  const [insideFrom, insideTo] = [silenceFrom + 600, silenceTo - 500];
  const inside = passed.filter(({ ms }) => ms > insideFrom && ms < insideTo);
  say(`${inside.length} of ${passed.length} samples inside a silence of ${insideTo - insideFrom} ms`);
  expect(inside.length).toBeLessThan(0.25 * passed.length);
  await page.keyboard.press("k");
  const { paused, ms: stoppedMs } = await playerState(page);
  expect(paused).toBe(true);
  // Seeking back also skips the silence, except for its margins.
  const heardMs = stoppedMs - (silenceTo - 250);
  expect(heardMs).toBeLessThan(5000);
  await goes("ArrowLeft", silenceFrom + 350 - (5000 - heardMs), 300);
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await expectAccessible(page);
  await screenshots(page, "player-keys");
  await page.context().close();
});

test("a link opens at a time, and settings persist across calls", async () => {
  const page = await openCall(`${callId}?t=0:21`);
  await until("the position is 21 s", 10_000, async () => Math.abs((await playerState(page)).ms - 21_000) < 50);
  await page.keyboard.press("]");
  await page.keyboard.press("y");
  await page.getByText("Link copied").waitFor();
  const link = await pasted(page);
  expect(link).toBe(`${opened.url}/calls/${callId}?t=21`);
  await page.goto(link.replace("t=21", "t=12"));
  await ready(page);
  expect(await playerState(page)).toMatchObject({ paused: true, speed: 1.25 });
  expect(Math.abs((await playerState(page)).ms - 12_000)).toBeLessThan(50);
  await page.context().close();
});

test("edits call details and keeps the history", async () => {
  const page = await openCall(callId);
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
  await page.context().close();
});

test("offline: shows an error, keeps the page and retries", async () => {
  const page = await openCall(callId);
  await page.context().setOffline(true);
  await page.keyboard.press("?");
  await page.getByRole("alert").filter({ hasText: "Part of this page couldn’t be loaded" }).waitFor();
  await ready(page);
  await page.getByRole("link", { name: "Campaigns" }).click();
  await page.getByText("Hearback can’t be reached").waitFor({ timeout: 30_000 });
  await page.getByRole("link", { name: "Calls", exact: true }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { level: 1, name: "Campaigns" }).waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.context().close();
});

test("an unknown call shows an error", async () => {
  const page = await opened.openPage();
  await startSession(page, opened, supervisor);
  await page.goto(`${opened.url}/calls/00000000-0000-4000-8000-000000000000`);
  await page.getByText("Call not found").waitFor();
  await expectAccessible(page);
  await screenshots(page, "player-gone");
  await page.context().close();
});
