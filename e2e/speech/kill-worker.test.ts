import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findLeftovers, noLeftovers, sweepAll } from "../support/data/damage-report.ts";
import { type Call, importCall } from "../support/http/service.ts";
import { speakTelephoneCall } from "../support/recordings/telephone-speech.ts";
import { full, random, seed } from "../support/run-scale.ts";
import { markOf, openTranscriptionServer, type TranscriptionServer } from "../support/servers/transcription-server.ts";
import { openReceiver, type Receiver } from "../support/servers/webhook-receiver.ts";
import { openStack, type Stack } from "../support/stack/stack.ts";
import { openStore, type Store } from "../support/stack/store.ts";
import { say, until } from "../support/waiting.ts";
import { openSpeechService, type SpeechService, textOf, waitForTranscript } from "./support/transcripts.ts";
import { twoMinutes } from "./support/two-minutes.ts";

const kills = full ? 25 : 2;
const chance = random();

let stack: Stack;
let store: Store;
let engine: TranscriptionServer;
let receiver: Receiver;
let speech: SpeechService;

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

const timesSent = () => {
  const times = new Map<string, number>();
  for (const { sha256 } of engine.sent) times.set(sha256, (times.get(sha256) ?? 0) + 1);
  return times;
};

test(`a worker killed ${kills} times: one transcript, one event, no stretch sent more than twice`, {
  timeout: 1_800_000,
}, async () => {
  say(`seed ${seed}`);
  // Long enough that every kill interrupts another stretch.
  const lines = Array.from({ length: Math.ceil(kills / 12) }, () => twoMinutes).flat();
  const { recording } = await speakTelephoneCall(lines);
  engine.setDelay(400);
  let worker = await stack.startWorker();
  const call: Call = await importCall(speech.service, { file: recording });
  for (let kill = 0; kill < kills; kill++) {
    const before = new Set(timesSent().keys()).size;
    await until(
      "a stretch that was not interrupted before is under way",
      120_000,
      () => {
        const times = [...timesSent().values()];
        return engine.waiting() > 0 && times.length > before;
      },
      5,
    );
    await sleep(chance() * 300);
    await worker.kill();
    worker = await stack.startWorker();
  }
  engine.setDelay(0);
  const transcript = await waitForTranscript(speech.service, call.id);
  const times = timesSent();
  const most = Math.max(...times.values());
  const twice = [...times.values()].filter((count) => count > 1).length;
  say(`${kills} kills, ${times.size} stretches, ${twice} of them sent twice, none more than ${most} times`);
  expect(most).toBeLessThanOrEqual(2);
  // Each stretch is in the transcript once.
  const words = textOf(transcript).split(" ");
  const marks = [...times.keys()].map(markOf);
  expect(words.filter((word) => word.startsWith("mark")).toSorted()).toEqual(marks.toSorted());
  const { rows } = await stack.adminDb.query<{ type: string }>("select type from event where type like 'call.trans%'");
  expect(rows).toEqual([{ type: "call.transcribed" }]);
  const counted = await stack.adminDb.query("select calls from transcription_usage");
  expect(counted.rows).toEqual([{ calls: 1 }]);
  await until("the webhook received the event", 30_000, () => receiver.taken().size > 0);
  expect(await worker.stop()).toBe(0);
  expect(receiver.taken().size).toBe(1);
  for (const table of ["transcript_run", "transcript_stretch"])
    expect((await stack.adminDb.query(`select 1 from ${table}`)).rowCount, table).toBe(0);
  await sweepAll(stack);
  expect(await findLeftovers(stack, store)).toEqual(noLeftovers);
});
