import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { retryOnCpuSteal } from "../support/measuring/retry-on-cpu-steal.ts";
import type { Turn } from "../support/recordings/conversation.ts";
import { percentile, say, until } from "../support/waiting.ts";
import { type LevelSample, playerState, sampleLevelsUntil } from "./support/audio-output.ts";
import { expectAccessible, screenshots, tabTo } from "./support/page-checks.ts";
import { openPlayerConsole, type PlayerConsole } from "./support/player-console.ts";

let opened: PlayerConsole;

/** Both sides have spoken by then. */
const firstTurnsMs = 5500;

beforeAll(async () => {
  opened = await openPlayerConsole();
});
afterAll(async () => {
  await opened?.close();
});

const placeOf = (page: Page) => page.getByRole("slider", { name: "Playback position" });

const within = (turns: readonly Turn[], ms: number) => turns.some(([from, to]) => ms > from + 80 && ms < to - 80);
/** Median: single late measurements on a busy machine do not count. */
const usual = (values: readonly number[]) => percentile(values, 0.5);

/** Level per ear while only one side speaks. */
function levelsOf(heard: readonly LevelSample[]) {
  const { agent, customer } = opened.conversation.turns;
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

test("plays a call and each side alone, with the keyboard alone", { timeout: 300_000 }, async () => {
  const page = await opened.openCall(opened.callId);
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
  const { conversation } = opened;
  const page = await opened.openCall(opened.callId);
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
  await page.keyboard.press("b");
  await page.keyboard.press("b");
  await page.keyboard.press("b");
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
