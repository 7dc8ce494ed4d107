import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findLeftovers, noLeftovers, sweepAll } from "../support/data/damage-report.ts";
import { importCall } from "../support/http/service.ts";
import { speakTelephoneCall } from "../support/recordings/telephone-speech.ts";
import { random, scale, seed } from "../support/run-scale.ts";
import { markOf, openTranscriptionServer, type TranscriptionServer } from "../support/servers/transcription-server.ts";
import { openReceiver, type Receiver } from "../support/servers/webhook-receiver.ts";
import { openStack, type ServerProcess, type Stack } from "../support/stack/stack.ts";
import { openStore, type Store } from "../support/stack/store.ts";
import { say, until } from "../support/waiting.ts";
import { openSpeechService, type SpeechService, textOf, waitForTranscript } from "./support/transcripts.ts";
import { twoMinutes } from "./support/two-minutes.ts";

/** More kills of one call take long: the queue waits twice as long after each. */
const killsPerCall = scale(1, 2, 5);
const calls = scale(1, 1, 5);
const kills = calls * killsPerCall;
const chance = random();

let stack: Stack;
let store: Store;
let engine: TranscriptionServer;
let receiver: Receiver;
let speech: SpeechService;
let worker: ServerProcess;

beforeAll(async () => {
  engine = await openTranscriptionServer();
  receiver = await openReceiver();
  stack = await openStack(undefined, { TRANSCRIBER_URL: engine.url, WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32" });
  store = openStore(stack);
  const api = await stack.startApi();
  speech = await openSpeechService(stack, api.baseUrl);
  await speech.client.createWebhook(receiver.url, { types: ["call.transcribed", "call.transcription_failed"] });
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  await store?.close();
  await engine?.shut();
  await receiver?.close();
});

/** How often each stretch was sent, without the first `skipped` requests. */
function timesSent(skipped: number): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { sha256 } of engine.sent.slice(skipped)) times.set(sha256, (times.get(sha256) ?? 0) + 1);
  return times;
}

/** Kills the worker while it transcribes the call, each time in another stretch. Returns how often each was sent. */
async function transcribeWithKills(recording: Buffer, conversation_timestamp: string) {
  const skipped = engine.sent.length;
  engine.setDelay(400);
  const { id } = await importCall(speech.service, { file: recording, conversation_timestamp });
  for (let kill = 0; kill < killsPerCall; kill++) {
    const before = timesSent(skipped).size;
    const isAnother = () => engine.waiting() > 0 && timesSent(skipped).size > before;
    await until("a stretch that was not interrupted before is under way", 120_000, isAnother, 5);
    await sleep(chance() * 300);
    await worker.kill();
    worker = await stack.startWorker();
  }
  engine.setDelay(0);
  const transcript = await waitForTranscript(speech.service, id);
  return { transcript, times: timesSent(skipped) };
}

test(`a worker is killed (${kills}x): one transcript and event of each call, no stretch sent more than twice`, {
  timeout: 1_800_000,
}, async () => {
  say(`seed ${seed}`);
  // Long enough that every kill interrupts another stretch.
  const { recording } = await speakTelephoneCall(scale(twoMinutes, twoMinutes, [...twoMinutes, ...twoMinutes]));
  worker = await stack.startWorker();
  for (let call = 0; call < calls; call++) {
    const { transcript, times } = await transcribeWithKills(recording, String(1_714_557_600 + call));
    const most = Math.max(...times.values());
    const twice = [...times.values()].filter((count) => count > 1).length;
    say(`${killsPerCall} kills, ${times.size} stretches, ${twice} of them sent twice, none more than ${most} times`);
    expect(most).toBeLessThanOrEqual(2);
    // Each stretch is in the transcript once.
    const words = textOf(transcript).split(" ");
    const marks = [...times.keys()].map(markOf);
    expect(words.filter((word) => word.startsWith("mark")).toSorted()).toEqual(marks.toSorted());
  }
  const { rows } = await stack.adminDb.query<{ type: string }>("select type from event where type like 'call.trans%'");
  expect(rows).toEqual(Array(calls).fill({ type: "call.transcribed" }));
  const counted = await stack.adminDb.query("select calls from transcription_usage");
  expect(counted.rows).toEqual([{ calls }]);
  await until("the webhook received the events", 30_000, () => receiver.taken().size >= calls);
  expect(await worker.stop()).toBe(0);
  expect(receiver.taken().size).toBe(calls);
  for (const table of ["transcript_run", "transcript_stretch"])
    expect((await stack.adminDb.query(`select 1 from ${table}`)).rowCount, table).toBe(0);
  await sweepAll(stack);
  expect(await findLeftovers(stack, store)).toEqual(noLeftovers);
});
