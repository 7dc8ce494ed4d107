import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callerHeaders } from "../support/caller.ts";
import { aConversation, type Conversation, record, type Turn } from "../support/conversation.ts";
import { settled, withEveryScope } from "../support/prepared.ts";
import { serviceAt } from "../support/recordings.ts";
import { importCall, type Service } from "../support/service.ts";
import { full } from "../support/sizes.ts";
import { undisturbed } from "../support/undisturbed.ts";
import { percentile, say, until } from "../support/waiting.ts";
import { type Console, openConsole, type Person, signIn } from "./support/console.ts";
import { type Begun, type Heard, listen, listenIn, playerState, pressAndListen } from "./support/listening.ts";
import { expectAccessible, shots, tabTo } from "./support/looks.ts";

let opened: Console;
let service: Service;
let supervisor: Person;
let conversation: Conversation;
let callId: string;

/** The customer is much fainter than the agent, as on many lines. */
const faint = 0.25;

beforeAll(async () => {
  opened = await openConsole();
  service = await withEveryScope(opened.stack, serviceAt(opened.stack, opened.api.port));
  supervisor = await opened.addPerson("supervisor");
  const { workspaceId, campaignId } = opened.stack;
  await opened.stack.command("campaign", "set-agent-channel", campaignId, "left", "--workspace", workspaceId);
  const spoken = await aConversation();
  const customer = spoken.voices.customer.map((sample) => sample * faint);
  conversation = { ...spoken, voices: { ...spoken.voices, customer } };
  callId = await importIt(await recording("wav", ["-c:a", "pcm_s16le"]));
});
afterAll(async () => {
  await opened?.close();
});

const recording = (extension: string, args: readonly string[]) =>
  record(conversation, { arrangement: "dual", noise: true, rate: 8000, args, extension });

async function importIt(file: Buffer): Promise<string> {
  const metadata = [
    { key: "client_phone", value: "+33123456789" },
    { key: "site", value: "Lyon" },
  ];
  const { id } = await importCall(service, { file, metadata: JSON.stringify(metadata) });
  await settled(service, id, 120_000);
  return id;
}

async function openCall(path: string): Promise<Page> {
  const page = await opened.openPage({ permissions: ["clipboard-read", "clipboard-write"] });
  await listenIn(page);
  await signIn(page, opened, supervisor);
  await page.goto(`${opened.url}/calls/${path}`);
  await ready(page);
  return page;
}

/** What lies in the clipboard. A page may not read it; a person may paste it. */
async function pasted(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Correct" }).press("Enter");
  const field = page.getByRole("dialog").locator("input[type=email]");
  await field.press("ControlOrMeta+A");
  await field.press("ControlOrMeta+V");
  return field.inputValue();
}

/** The player is there, and knows who speaks. */
const ready = (page: Page) => page.getByRole("button", { name: /^Skip silence \(/ }).waitFor();
const placeOf = (page: Page) => page.getByRole("slider", { name: "Place in the call" });

const within = (turns: readonly Turn[], ms: number) => turns.some(([from, to]) => ms > from + 80 && ms < to - 80);
/** What half of them exceed: a moment that is measured late, on a busy machine, does not count. */
const usual = (values: readonly number[]) => percentile(values, 0.5);

/** How loud each ear is while only one of them speaks. */
function levelsOf(heard: readonly Heard[]) {
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

test("a call is heard, each side by itself, with the keyboard alone", { timeout: 120_000 }, async () => {
  const page = await openCall(callId);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBeTruthy();
  await expectAccessible(page);
  await shots(page, "player");

  // Stereo: the agent is left, the customer right, as they were recorded.
  await page.keyboard.press("e");
  await page.keyboard.press("w");
  await page.keyboard.press("k");
  const plain = levelsOf(await listen(page, 5500));
  say(`in stereo: ${JSON.stringify(plain)}`);
  expect(plain.agent.left).toBeGreaterThan(20 * plain.agent.right);
  expect(plain.customer.right).toBeGreaterThan(10 * plain.customer.left);
  const before = plain.agent.left / plain.customer.right;

  // Evened: what was four times as faint is nearly as loud.
  await page.keyboard.press("0");
  await page.keyboard.press("e");
  const evened = levelsOf(await listen(page, 5500));
  const after = evened.agent.left / evened.customer.right;
  say(`agent against customer: ${before.toFixed(1)} times as loud, evened ${after.toFixed(2)}`);
  expect(before).toBeGreaterThan(3);
  expect(after).toBeGreaterThan(0.6);
  expect(after).toBeLessThan(1.7);

  // The agent is muted, then heard alone, in the middle.
  await page.keyboard.press("w");
  await page.keyboard.press("m");
  await page.keyboard.press("0");
  const muted = levelsOf(await listen(page, 5500));
  say(`the agent muted: ${JSON.stringify(muted)}`);
  // What is left is the noise of the customer's line, turned up with the faint voice on it.
  expect(Math.max(muted.agent.left, muted.agent.right)).toBeLessThan(0.2 * evened.agent.left);
  expect(Math.min(muted.customer.left, muted.customer.right)).toBeGreaterThan(0.4 * evened.customer.right);
  expect(await page.getByRole("button", { name: "Mute Agent" }).getAttribute("aria-pressed")).toBe("true");
  await page.keyboard.press("m");
  await page.keyboard.press("o");
  await page.keyboard.press("0");
  const alone = levelsOf(await listen(page, 5500));
  say(`the agent alone: ${JSON.stringify(alone)}`);
  expect(Math.min(alone.agent.left, alone.agent.right)).toBeGreaterThan(0.4 * evened.agent.left);
  expect(Math.max(alone.customer.left, alone.customer.right)).toBeLessThan(0.1 * evened.customer.right);
  await shots(page, "player-solo");
  await page.context().close();
});

test("one goes through a call by seconds, by words, by tenths, faster and past its silences", {
  timeout: 120_000,
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

  // Where one stops is in the address.
  await goes("3", conversation.durationMs * 0.3);
  await seconds(page, Math.floor((conversation.durationMs * 0.3) / 1000));
  expect(await placeOf(page).getAttribute("aria-valuetext")).toMatch(/^0:13 of 0:44, /);

  // The slider by itself, as a screen reader's user moves it.
  await tabTo(page, "Place in the call", { role: "slider" });
  await goes("Home", 0);
  await goes("PageUp", 30_000);
  await goes("ArrowLeft", 25_000);
  await goes("Home", 0);
  await goes("Shift+ArrowRight", (agent[0]?.[0] ?? 0) - 150);
  await goes("3", conversation.durationMs * 0.3);

  // Held beyond the edge of the close-up, which shows ten seconds now, the place goes on steadily: by 7.5 s in a second.
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  const stage = await page.getByTestId("closeup").boundingBox();
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
  // In the long silence, at three times the speed: what lasts nine seconds is over in no time.
  const [silenceFrom, silenceTo] = [customer[2]?.[1] ?? 0, agent[2]?.[0] ?? 0];
  expect(silenceTo - silenceFrom).toBeGreaterThan(8000);
  await page.keyboard.press("x");
  await page.keyboard.press("s");
  await goes("Home", 0);
  await page.keyboard.press("c");
  await page.keyboard.press("c");
  await page.keyboard.press("c");
  await page.keyboard.press("k");
  const passed = await listen(page, 5000);
  const [insideFrom, insideTo] = [silenceFrom + 600, silenceTo - 500];
  const spentMs = passed.reduce((sum, { at, ms }, place) => {
    const isInside = ms > insideFrom && ms < insideTo;
    return isInside ? sum + ((passed[place + 1]?.at ?? at) - at) : sum;
  }, 0);
  const playedMs = (insideTo - insideFrom) / 3;
  say(`${spentMs.toFixed(0)} ms in a silence that takes ${playedMs.toFixed(0)} ms to be played`);
  expect(spentMs).toBeLessThan(0.25 * playedMs);
  expect(passed.at(-1)?.ms).toBeGreaterThan(silenceTo);
  await page.keyboard.press("k");
  const { paused, ms: stoppedMs } = await playerState(page);
  expect(paused).toBe(true);
  // Going back is over the silence as well, by what was heard of the five seconds: a breath of it stays on either side.
  const heardMs = stoppedMs - (silenceTo - 250);
  expect(heardMs).toBeLessThan(5000);
  await goes("ArrowLeft", silenceFrom + 350 - (5000 - heardMs), 300);
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await expectAccessible(page);
  await shots(page, "player-keys");
  await page.context().close();
});

test("a link leads to a second, and what was chosen stays from call to call", async () => {
  const page = await openCall(`${callId}?t=0:21`);
  await until("it stands at 21 s", 10_000, async () => Math.abs((await playerState(page)).ms - 21_000) < 50);
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

test("what is said about a call is corrected, and what was there before stays known", async () => {
  const page = await openCall(callId);
  await tabTo(page, "Correct");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Correct what is said about this call" });
  await dialog.waitFor();
  await expectAccessible(page);
  await shots(page, "player-correct");
  // Meanwhile somebody else corrects another thing, and the page behind the form hears of it.
  const number = { key: "client_phone", value: "+33987654321" };
  const body = JSON.stringify({ metadata: { remove: [{ key: number.key }], add: [number] } });
  const headers = { ...callerHeaders(service.apiKey, service.baseUrl), "content-type": "application/json" };
  const answer = await fetch(`${service.baseUrl}/calls/${callId}`, { method: "PATCH", headers, body });
  expect(answer.status).toBe(200);
  await until("the page shows it", 30_000, async () => {
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    return (await page.getByText(number.value, { exact: true }).count()) > 0;
  });
  await tabTo(page, "Value of pair 2");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("Paris");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  await page.getByText("Added site: Paris").waitFor();
  await page.getByText("Removed site: Lyon").waitFor();
  await page.getByText(number.value, { exact: true }).waitFor();
  await page.context().close();
});

test("while the service is away that is said, the page stays, and what could not be fetched is tried again", async () => {
  const page = await openCall(callId);
  await page.context().setOffline(true);
  await page.keyboard.press("?");
  await page.getByRole("alert").filter({ hasText: "A part of this page could not be fetched" }).waitFor();
  await ready(page);
  await page.getByRole("link", { name: "Campaigns" }).click();
  await page.getByText("Hearback cannot be reached").waitFor({ timeout: 30_000 });
  await page.getByRole("link", { name: "Calls", exact: true }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { level: 1, name: "Campaigns" }).waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.context().close();
});

test("a call that is not there says so", async () => {
  const page = await opened.openPage();
  await signIn(page, opened, supervisor);
  await page.goto(`${opened.url}/calls/00000000-0000-4000-8000-000000000000`);
  await page.getByText("This call is not here").waitFor();
  await expectAccessible(page);
  await shots(page, "player-gone");
  await page.context().close();
});

test("an hour is heard within 300 ms of pressing play, from its beginning and from its middle", {
  timeout: 360_000,
}, async () => {
  const whole = await recording("wav", ["-c:a", "pcm_mulaw"]);
  const hour = await importIt(repeated(whole, 3600));
  const presses = full ? 7 : 3;
  const middle = Math.floor(1800 / (conversation.durationMs / 1000)) * (conversation.durationMs / 1000);
  // In the middle of the agent's first sentence.
  const spoken = Math.floor(middle) + 2;
  for (const [name, path] of [
    ["the beginning", hour],
    ["the middle", `${hour}?t=${spoken}`],
  ] as const) {
    const begun: Begun[] = [];
    // A browser profile of its own each time: nothing is kept from the time before.
    async function press(): Promise<Begun> {
      const page = await openCall(path);
      await sleep(500);
      const heard = await pressAndListen(page, "k");
      await page.context().close();
      return heard;
    }
    for (let n = 0; n < presses; n++) begun.push(await undisturbed(press));
    const of = (what: keyof Begun) => begun.map((one) => one[what]);
    const figures = (["playingMs", "movedMs", "soundedMs"] as const).map(
      (what) => `${what} median ${percentile(of(what), 0.5).toFixed(0)} of ${of(what).map(Math.round).join(", ")}`,
    );
    say(`an hour from ${name}, ${presses} presses: ${figures.join("; ")}`);
    expect(percentile(of("playingMs"), 0.5)).toBeLessThan(300);
    expect(percentile(of("movedMs"), 0.5)).toBeLessThan(300);
    // The call begins with 800 ms in which nobody speaks.
    if (name === "the middle") expect(percentile(of("soundedMs"), 0.5)).toBeLessThan(300);
  }
  await shots(await openCall(`${hour}?t=${spoken}`), "player-hour");
});

/** The sound of a WAV file again and again, for so many seconds. 8 kHz, two channels, a byte each. */
function repeated(wav: Buffer, forSeconds: number): Buffer {
  const at = wav.indexOf("data") + 8;
  const sound = wav.subarray(at);
  const length = forSeconds * 8000 * 2;
  const many = Buffer.concat(
    [wav.subarray(0, at), ...Array(Math.ceil(length / sound.length)).fill(sound)],
    at + length,
  );
  many.writeUInt32LE(length, at - 4);
  many.writeUInt32LE(many.length - 8, 4);
  return many;
}
