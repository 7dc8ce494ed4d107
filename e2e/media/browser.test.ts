import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aMarkedRecording, momentOf, sharesOf } from "../support/marked-recording.ts";
import { listenAt, openPlayerPage, type PlayerPage } from "../support/player-page.ts";
import { settled, withEveryScope } from "../support/prepared.ts";
import { serviceAt } from "../support/recordings.ts";
import { importCall, type Service } from "../support/service.ts";
import { full } from "../support/sizes.ts";
import { openStack, type Stack } from "../support/stack.ts";
import { say } from "../support/waiting.ts";

let stack: Stack;
let service: Service;
let player: PlayerPage;
let browser: Browser;

beforeAll(async () => {
  stack = await openStack();
  const api = await stack.startApi();
  service = await withEveryScope(stack, serviceAt(stack, api.port));
  await stack.startWorker({ WORKER_PORT: "0" });
  player = await openPlayerPage(service);
  const args = ["--no-sandbox", "--autoplay-policy=no-user-gesture-required"];
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args });
});
afterAll(async () => {
  await browser?.close();
  await player?.close();
  await stack?.stop();
});

/** Imports a marked recording and gives the path of what is played, once it is ready. */
async function playable(file: Buffer): Promise<{ path: string; bytes: number }> {
  const call = await settled(service, (await importCall(service, { file })).id, 120_000);
  if (!call.audio) throw new Error(`the call is ${call.status}: ${call.failure?.code}`);
  return { path: call.audio.playback.url, bytes: call.audio.playback.bytes };
}

async function listen(path: string, seconds: number) {
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
const chosen = full ? recordings : recordings.filter(([name]) => /µ-law|one channel|Opus/.test(name));

test.each(chosen)("Chromium plays %s from the place that was asked for", async (name, made) => {
  const seconds = 90;
  const { path } = await playable(await aMarkedRecording(seconds, made));
  const heard = await listen(path, 45.3);
  const moment = momentOf(heard);
  say(`${name}: asked 45.3 s, heard ${moment.toFixed(3)} s, duration ${heard.durationS.toFixed(3)} s`);
  expect(Math.abs(heard.durationS - seconds)).toBeLessThan(0.1);
  expect(Math.abs(heard.currentTimeS - 45.3)).toBeLessThan(0.1);
  expect(Math.abs(moment - 45.3)).toBeLessThan(0.1);
  if (made.channels === 2) {
    // Each side keeps its own sound.
    const shares = sharesOf(heard, 45);
    expect(shares.secondLeft).toBeGreaterThan(0.8);
    expect(shares.minuteRight).toBeGreaterThan(0.8);
    expect(Math.max(shares.secondRight, shares.minuteLeft)).toBeLessThan(0.01);
  }
});

test("Chromium goes to the middle of an hour without fetching the rest of it", { timeout: 240_000 }, async () => {
  const recording = await aMarkedRecording(3600, { channels: 2, args: ["-c:a", "pcm_mulaw"], extension: "wav" });
  const begun = Date.now();
  const { path, bytes } = await playable(recording);
  const preparedMs = Date.now() - begun;
  player.fetched.length = 0;
  const heard = await listen(path, 1800.3);
  const moment = momentOf(heard);
  const fetched = player.fetched.reduce((sum, one) => sum + one.bytes, 0);
  say(
    `an hour, prepared in ${preparedMs} ms: asked 1800.3 s, heard ${moment.toFixed(3)} s, duration ${heard.durationS.toFixed(3)} s`,
  );
  say(`  ${player.fetched.map((one) => `${one.range} → ${one.status}, ${one.bytes}`).join("; ")} of ${bytes}`);
  expect(Math.abs(heard.durationS - 3600)).toBeLessThan(0.1);
  expect(Math.abs(moment - 1800.3)).toBeLessThan(0.1);
  expect(player.fetched.every(({ status }) => status === 206)).toBe(true);
  const beginnings = player.fetched.map(({ range }) => Number(/^bytes=(\d+)-/.exec(range ?? "")?.[1]) / bytes);
  expect(beginnings.some((place) => place > 0.45 && place < 0.55)).toBe(true);
  expect(fetched).toBeLessThan(bytes / 4);
});
