import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { waitForCall, withEveryScope } from "../support/http/call-details.ts";
import { importCall, type Service } from "../support/http/service.ts";
import { makeMarkedRecording, momentOf, sharesOf } from "../support/recordings/marked-recording.ts";
import { serviceAt } from "../support/recordings/recordings.ts";
import { scale } from "../support/run-scale.ts";
import { listenAt, openPlayerPage, type PlayerPage } from "../support/servers/player-page.ts";
import { openStack, type Stack } from "../support/stack/stack.ts";
import { say } from "../support/waiting.ts";

let stack: Stack;
let service: Service;
let player: PlayerPage;
let browser: Browser;

interface Playable {
  readonly path: string;
  readonly bytes: number;
}
/** Playback audio of each recording. */
const prepared = new Map<string, Playable>();
const long = "a long recording";
const longSeconds = scale(2400, 2400, 3600);
const seconds = 90;

beforeAll(async () => {
  stack = await openStack();
  const api = await stack.startApi();
  service = await withEveryScope(stack, serviceAt(stack, api.port));
  await stack.startWorker({ WORKER_PORT: "0" });
  player = await openPlayerPage(service);
  browser = await launchBrowser();
  // All at the same time: the long one takes half a minute on one core.
  const made: (readonly [string, number, Parameters<typeof makeMarkedRecording>[1]])[] = [
    [long, longSeconds, { channels: 2, args: ["-c:a", "pcm_mulaw"], extension: "wav" }],
    ...chosen.map(([name, format]) => [name, seconds, format] as const),
  ];
  await Promise.all(
    made.map(async ([name, length, format]) =>
      prepared.set(name, await playable(await makeMarkedRecording(length, format))),
    ),
  );
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await player?.close();
  await stack?.stop();
});

/** Imports a marked recording, waits until it is ready, and returns the path of its playback audio. */
async function playable(file: Buffer): Promise<Playable> {
  const call = await waitForCall(service, (await importCall(service, { file })).id, 120_000);
  if (!call.audio) throw new Error(`the call is ${call.status}: ${call.failure?.code}`);
  return { path: call.audio.playback.url, bytes: call.audio.playback.bytes };
}

async function listen({ path }: Playable, seconds: number) {
  const page = await browser.newPage();
  try {
    await page.goto(player.url);
    return await listenAt(page, path, seconds);
  } finally {
    await page.close();
  }
}

const recordings = [
  ["WAV µ-law on two channels", { channels: 2, args: ["-c:a", "pcm_mulaw"], extension: "wav" }],
  ["WAV PCM on one channel", { channels: 1, args: ["-c:a", "pcm_s16le"], extension: "wav" }],
  ["GSM 6.10 on one channel", { channels: 1, args: ["-c:a", "libgsm_ms"], extension: "wav" }],
  ["MP3 at 44.1 kHz on two channels", { channels: 2, args: ["-c:a", "libmp3lame", "-ar", "44100"], extension: "mp3" }],
  ["Ogg Opus on two channels", { channels: 2, args: ["-c:a", "libopus", "-b:a", "64k"], extension: "ogg" }],
  ["AAC on two channels", { channels: 2, args: ["-c:a", "aac", "-ar", "16000", "-b:a", "64k"], extension: "m4a" }],
] as const;
const chosen = scale(
  recordings.filter(([name]) => /µ-law|one channel|Opus/.test(name)),
  recordings.filter(([name]) => /µ-law|one channel|Opus/.test(name)),
  recordings,
);

function playableOf(name: string): Playable {
  const found = prepared.get(name);
  if (!found) throw new Error(`${name} is not prepared`);
  return found;
}

test.each(chosen)("Chromium seeks accurately in %s", async (name, made) => {
  const heard = await listen(playableOf(name), 45.3);
  const moment = momentOf(heard);
  say(`${name}: requested 45.3 s, heard ${moment.toFixed(3)} s, duration ${heard.durationS.toFixed(3)} s`);
  expect(Math.abs(heard.durationS - seconds)).toBeLessThan(0.1);
  expect(Math.abs(heard.currentTimeS - 45.3)).toBeLessThan(0.1);
  expect(Math.abs(moment - 45.3)).toBeLessThan(0.1);
  if (made.channels === 2) {
    // Each channel keeps its own tone.
    const shares = sharesOf(heard, 45);
    expect(shares.secondLeft).toBeGreaterThan(0.8);
    expect(shares.minuteRight).toBeGreaterThan(0.8);
    expect(Math.max(shares.secondRight, shares.minuteLeft)).toBeLessThan(0.01);
  }
});

test("Chromium seeks to the middle of a long recording without fetching the rest", async () => {
  const recording = playableOf(long);
  const { bytes } = recording;
  const middle = longSeconds / 2 + 0.3;
  player.fetched.length = 0;
  const heard = await listen(recording, middle);
  const moment = momentOf(heard);
  const fetched = player.fetched.reduce((sum, one) => sum + one.bytes, 0);
  say(
    `${longSeconds} s: requested ${middle} s, heard ${moment.toFixed(3)} s, duration ${heard.durationS.toFixed(3)} s`,
  );
  say(`  ${player.fetched.map((one) => `${one.range} → ${one.status}, ${one.bytes}`).join("; ")} of ${bytes}`);
  expect(Math.abs(heard.durationS - longSeconds)).toBeLessThan(0.1);
  expect(Math.abs(moment - middle)).toBeLessThan(0.1);
  expect(player.fetched.every(({ status }) => status === 206)).toBe(true);
  const beginnings = player.fetched.map(({ range }) => Number(/^bytes=(\d+)-/.exec(range ?? "")?.[1]) / bytes);
  expect(beginnings.some((place) => place > 0.45 && place < 0.55)).toBe(true);
  expect(fetched).toBeLessThan(bytes / 4);
});
