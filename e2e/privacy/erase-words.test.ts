import { afterAll, beforeAll, expect, test } from "vitest";
import { findCall, withEveryScope } from "../support/http/call-details.ts";
import { type EventClient, eventClient } from "../support/http/event-client.ts";
import { createAgent, importCall, type Service } from "../support/http/service.ts";
import { sendJson } from "../support/http/users.ts";
import { speakTelephoneCall } from "../support/recordings/telephone-speech.ts";
import { markOf, openTranscriptionServer, type TranscriptionServer } from "../support/servers/transcription-server.ts";
import { placesOf } from "../support/stack/dumps.ts";
import { type ApiProcess, openStack, type ServerProcess, type Stack } from "../support/stack/stack.ts";
import { openStore, type Store } from "../support/stack/store.ts";
import { until } from "../support/waiting.ts";

/*
 * What was said in a call is in its transcript, in the search index, in corrections, and, while it is being transcribed, in
 * answers of the engine. The engine here says a word that is nowhere else.
 */

let stack: Stack;
let store: Store;
let api: ApiProcess;
let worker: ServerProcess;
let engine: TranscriptionServer;
let client: EventClient;
let service: Service;

beforeAll(async () => {
  engine = await openTranscriptionServer();
  stack = await openStack(undefined, { TRANSCRIBER_URL: engine.url, TRANSCRIBER_TIMEOUT_SECONDS: "600" });
  store = openStore(stack);
  api = await stack.startApi();
  client = await eventClient(stack, api.baseUrl);
  service = await withEveryScope(stack, {
    ...{ baseUrl: api.baseUrl, apiKey: client.apiKey, campaignId: stack.campaignId, agentEmail: stack.agentEmail },
  });
  await patch("/workspace", { settings: { transcription: true } });
  await patch(`/campaigns/${stack.campaignId}`, { transcription_language: "en", agent_channel: "left" });
  worker = await stack.startWorker();
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  await store?.close();
  await engine?.shut();
});

async function patch<Body>(path: string, body: object): Promise<Body> {
  const answer = await sendJson<Body>(service.baseUrl + path, body, { "x-api-key": service.apiKey }, "PATCH");
  if (answer.status !== 200) throw new Error(`PATCH ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

const texts = [
  "Good morning, I am calling about a letter.",
  "Hello, please open the window for me.",
  "The garden is too small for a tree.",
  "We have been waiting for the train.",
  "My brother would like to have a new phone.",
];
let next = 0;

/** Imports a call with one sentence, which no other call has. Its words are those of its only sound. */
async function importSpoken(changes: Record<string, string> = {}) {
  const { recording } = await speakTelephoneCall([{ speaker: "agent", text: texts[next++] ?? "" }]);
  const sent = engine.sent.length;
  const { id } = await importCall(service, { file: recording, ...changes });
  await until("its sound was sent", 120_000, () => engine.sent.length > sent || engine.waiting() > 0);
  return { id, mark: () => markOf(engine.sent[sent]?.sha256 ?? "") };
}

const transcribed = (id: string) =>
  until(`call ${id} is transcribed`, 120_000, async () =>
    (await findCall(service, id)).steps.some(({ step, state }) => step === "transcribe" && state === "done"),
  );

const places = (words: readonly string[]) => placesOf(words, { store, databaseUrl: stack.env.DATABASE_URL });

/** Corrects a word of the call's transcript. */
async function correct(id: string, text: string): Promise<void> {
  const { body } = await client.ask<{ id: string }>("GET", `/calls/${id}/transcript`);
  await patch(`/calls/${id}/transcript`, { transcript_id: body.id, corrections: [{ turn: 0, word: 1, text }] });
}

async function erased(subject: object): Promise<void> {
  const answer = await client.ask<{ id: string }>("POST", "/erasures", subject);
  expect(answer.status, answer.text).toBe(202);
  await until("the erasure is done", 60_000, async () => {
    const { body } = await client.ask<{ state: string }>("GET", `/erasures/${answer.body.id}`);
    return body.state === "done";
  });
}

test("words of an erased call, agent and number are nowhere", { timeout: 300_000 }, async () => {
  const agent = await createAgent(service, "Otto Words");
  const phone = "+33698765432";
  const metadata = JSON.stringify([{ key: "client_phone", value: phone }]);
  const calls = [
    await importSpoken(),
    await importSpoken({ agent_email: agent.email }),
    await importSpoken({ metadata }),
    await importSpoken(),
  ];
  for (const { id } of calls) await transcribed(id);
  for (const [n, { id }] of calls.entries()) await correct(id, `correctedzq${n}`);
  const words = calls.map((call, n) => [call.mark(), `correctedzq${n}`] as const);
  // A control of the search itself: the transcript, the index of words, and the correction.
  for (const [mark, correction] of words) {
    const found = await places([mark, correction]);
    expect(found.filter((place) => place.startsWith(`${mark}: `)).length).toBeGreaterThanOrEqual(2);
    expect(found).toContain(`${correction}: dump`);
  }
  const [call = [], byAgent = [], byNumber = [], bystander = []] = words;

  expect((await client.ask("DELETE", `/calls/${calls[0]?.id}`)).status).toBe(204);
  expect(await places(call)).toEqual([]);
  await erased({ agent_id: agent.id });
  expect(await places(byAgent)).toEqual([]);
  await erased({ metadata: { key: "client_phone", value: phone } });
  expect(await places(byNumber)).toEqual([]);
  expect((await places(bystander)).length).toBeGreaterThanOrEqual(3);

  const { rows } = await stack.adminDb.query<{ key: string }>("select object_key as key from transcript");
  const transcripts = (await store.keys()).filter((key) => key.startsWith("transcripts/"));
  expect(transcripts).toEqual(rows.map(({ key }) => key));
  const logs = api.log() + worker.log();
  expect(words.flat().filter((word) => logs.includes(word))).toEqual([]);
});

test("a call that is erased while it is being transcribed leaves nothing", { timeout: 300_000 }, async () => {
  engine.setFault({ kind: "stall" });
  const { id } = await importSpoken();
  await until("a stretch is under way", 60_000, async () => {
    const { rowCount } = await stack.adminDb.query("select 1 from transcript_stretch where call_id = $1", [id]);
    return (rowCount ?? 0) > 0;
  });
  expect((await client.ask("DELETE", `/calls/${id}`)).status).toBe(204);
  for (const table of ["transcript_run", "transcript_stretch", "transcript", "call_words", "call_step"])
    expect((await stack.adminDb.query(`select 1 from ${table} where call_id = $1`, [id])).rowCount, table).toBe(0);
  engine.setFault(undefined);
  await worker.kill();
  worker = await stack.startWorker();
  await stack.command("sweep", "--older-than", "0", "--json");
  const { rows } = await stack.adminDb.query<{ key: string }>("select object_key as key from transcript");
  const transcripts = (await store.keys()).filter((key) => key.startsWith("transcripts/"));
  expect(transcripts).toEqual(rows.map(({ key }) => key));
});
