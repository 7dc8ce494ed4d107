// Nightly, and for changes in: server/src/transcripts/, dev/speech.ts
import { afterAll, beforeAll, expect, test } from "vitest";
import { waitForCall } from "../support/http/call-details.ts";
import { type Call, importCall } from "../support/http/service.ts";
import { type SpokenCall, speakTelephoneCall } from "../support/recordings/telephone-speech.ts";
import { scale } from "../support/run-scale.ts";
import { openStack, type Stack } from "../support/stack/stack.ts";
import { percentile, say } from "../support/waiting.ts";
import { compareWords } from "./support/compare-words.ts";
import {
  localEngine,
  openSpeechService,
  readText,
  type SpeechService,
  type Transcript,
  waitForTranscript,
  wordsOf,
} from "./support/transcripts.ts";
import { twoMinutes } from "./support/two-minutes.ts";

let stack: Stack;
let speech: SpeechService;
let spoken: SpokenCall;
let call: Call;
let transcript: Transcript;

beforeAll(async () => {
  spoken = await speakTelephoneCall(scale(twoMinutes.slice(0, 10), twoMinutes, twoMinutes));
  stack = await openStack(undefined, await localEngine());
  const api = await stack.startApi();
  speech = await openSpeechService(stack, api.baseUrl);
  await stack.startWorker();
  call = await importCall(speech.service, { file: spoken.recording });
  expect((await waitForCall(speech.service, call.id)).status).toBe("ready");
  transcript = await waitForTranscript(speech.service, call.id);
}, 420_000);
afterAll(() => stack?.stop());

const sides = ["agent", "customer"] as const;

test.each(sides)("the words of the %s are recognised, on the right side and in order", (side) => {
  const { errorRate } = compareWords(spoken.words[side], wordsOf(transcript, side));
  say(`${side}: ${(errorRate * 100).toFixed(1)} % of ${spoken.words[side].length} words are wrong`);
  expect(errorRate).toBeLessThanOrEqual(0.1);
});

test.each(sides)("words of the %s are shown when they are said: at most 150 ms off in the median", (side) => {
  const { startErrors, endErrors } = compareWords(spoken.words[side], wordsOf(transcript, side));
  const [start, end, most] = [percentile(startErrors, 0.5), percentile(endErrors, 0.5), percentile(startErrors, 0.95)];
  say(`${side}: median error of the start ${start} ms, of the end ${end} ms; 95 % of the starts within ${most} ms`);
  expect(start).toBeLessThanOrEqual(150);
  expect(end).toBeLessThanOrEqual(150);
});

test("turns are in order of time, and every word is within its turn", () => {
  const starts = transcript.turns.map(({ start_ms }) => start_ms);
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  for (const { start_ms, end_ms, words } of transcript.turns)
    for (const word of words) {
      expect(word.start_ms).toBeGreaterThanOrEqual(start_ms);
      expect(word.end_ms).toBeLessThanOrEqual(end_ms);
    }
  expect(transcript).toMatchObject({ call_id: call.id, language: "en", engine: "local", masked: {} });
  expect(transcript.turns.at(-1)?.end_ms).toBeLessThanOrEqual(spoken.durationMs);
});

test("as text and as WebVTT", async () => {
  const text = await readText(speech.service, call.id, "text");
  expect(text.split("\n").length - 1).toBe(transcript.turns.length);
  expect(text).toMatch(/^\[00:00:00\] [^:]+: Good morning/);
  const vtt = await readText(speech.service, call.id, "vtt");
  expect(vtt).toMatch(/^WEBVTT\n/);
  const spokenBy = [...vtt.matchAll(/^<v ([^>]+)>/gm)].map(([, name]) => name);
  expect(new Set(spokenBy).size).toBe(2);
  expect(vtt).toContain("cancel my contract");
});

test("announced once, counted, and found by what was said", async () => {
  const { body } = await speech.client.ask<{ events: { type: string; data: Record<string, unknown> }[] }>(
    "GET",
    "/events?limit=200",
  );
  const announced = body.events.filter(({ type }) => type === "call.transcribed");
  expect(announced.map(({ data }) => data)).toMatchObject([{ call_id: call.id, transcript_id: transcript.id }]);
  const usage = await speech.client.ask<{ days: { calls: number; minutes: number }[] }>("GET", "/transcription/usage");
  expect(usage.status, usage.text).toBe(200);
  expect(usage.body.days).toMatchObject([{ calls: 1 }]);
  // Both sides together speak for most of the call.
  const callMinutes = spoken.durationMs / 60_000;
  expect(usage.body.days[0]?.minutes).toBeGreaterThan(callMinutes * 0.5);
  expect(usage.body.days[0]?.minutes).toBeLessThan(callMinutes * 1.25);
  const found = async (query: string) =>
    (await speech.client.ask<{ calls: { id: string }[] }>("GET", `/calls?${query}`)).body.calls.map(({ id }) => id);
  expect(await found("said=%22cancel+my+contract%22&said_by=customer")).toEqual([call.id]);
  expect(await found("said=%22cancel+my+contract%22&said_by=agent")).toEqual([]);
});
