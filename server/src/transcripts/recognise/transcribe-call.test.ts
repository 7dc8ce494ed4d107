import { afterEach, beforeEach, expect, test } from "vitest";
import { prepareCall } from "../../calls/prepare/prepare-call.ts";
import { eraseCall } from "../../privacy/erase-call.ts";
import { callImporter } from "../../testing/import-calls.ts";
import { answers, openTranscriptionServer, says } from "../../testing/servers/transcription-server.ts";
import { aConversation } from "../../testing/sounds.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { closeEngine } from "../engine/open-engine.ts";
import { openRun, RunEnded } from "../steps/transcription-run.ts";
import { decodeTranscript } from "../store/transcript-object.ts";
import { abandonTranscription, transcribeCall } from "./transcribe-call.ts";

const engine = await openTranscriptionServer();
const service = await openTestApp({ TRANSCRIBER_URL: `${engine.url}/v1`, TRANSCRIBER_API_KEY: "engine-secret" });
const { app, admin, caller, campaignId } = service;
const { workspaceId } = caller;
const importCall = await callImporter(service);

const one = async <Row>(query: string, ...values: unknown[]): Promise<Row> =>
  (await admin.query(query, values)).rows[0];
const turnOn = (settings: object = {}, masking = "text") =>
  Promise.all([
    admin.query("update workspace set settings = settings || $2 where id = $1", [
      workspaceId,
      { transcription: true, transcription_minutes_per_day: null, ...settings },
    ]),
    admin.query("update campaign set transcription_language = 'en', masking = $2 where id = $1", [campaignId, masking]),
  ]);

let seed = 0;
/** Imports and prepares an eight-second call with one turn on each side. */
async function aCall(): Promise<string> {
  seed += 1;
  const file = aConversation({ left: [1, 3], right: [4, 7] }, seed);
  const { id } = await importCall({ file, at: new Date(1.7e12 + seed * 60_000) });
  await prepareCall.perform(app, { workspaceId, callId: id });
  return id;
}

const transcribe = (callId: string, signal?: AbortSignal) =>
  transcribeCall.perform(app, { workspaceId, callId }, signal);
const stepOf = (callId: string) =>
  one<{ state: string; attempts: number; reason_code: string | null; reason_detail: string | null }>(
    "select state, attempts, reason_code, reason_detail from call_step where call_id = $1 and step = 'transcribe'",
    callId,
  );
const eventsOf = async (callId: string) =>
  (
    await admin.query(
      "select type, data from event where data->>'call_id' = $1 and type like 'call.transcri%' order by xid, seq",
      [callId],
    )
  ).rows as { type: string; data: { transcript_id?: string; failure?: { code: string } } }[];
const jobsOf = async (callId: string) =>
  (
    await admin.query("select start_after from outgoing_job where name = $1 and payload->>'callId' = $2", [
      transcribeCall.name,
      callId,
    ])
  ).rows as { start_after: Date | null }[];

async function transcriptOf(callId: string) {
  const row = await one<{
    object_key: string;
    words: object;
    masked: object;
    muted: unknown;
    engine: string;
    model: string;
  }>("select * from transcript where call_id = $1", callId);
  const chunks: Uint8Array[] = [];
  for await (const chunk of await app.storage.get(row.object_key)) chunks.push(chunk);
  return { ...row, turns: await decodeTranscript(Buffer.concat(chunks)) };
}

const transcriptObjects = async () => (await service.storedFiles()).filter((key) => key.startsWith("transcripts/"));

beforeEach(async () => {
  engine.always(says("Hello there"));
  engine.next();
  await turnOn();
});

// The pauses after failures end.
afterEach(() => closeEngine(app));

test("a prepared call is transcribed: both sides, in order of time, announced once", async () => {
  const id = await aCall();
  expect(await jobsOf(id)).toHaveLength(1);
  engine.received.length = 0;
  await transcribe(id);
  const { turns, words, engine: name, model } = await transcriptOf(id);
  expect(turns.map(({ channel, words }) => [channel, words.map(({ text }) => text)])).toEqual([
    ["left", ["Hello", "there"]],
    ["right", ["Hello", "there"]],
  ]);
  expect([words, name, model]).toEqual([{ left: 2, right: 2 }, "server", "whisper-1"]);
  expect(turns[0]?.startMs).toBeGreaterThan(700);
  expect(turns[1]?.startMs).toBeGreaterThan(3_700);
  // Only speech was sent: five of eight seconds of each side, and the margins.
  expect(engine.received).toHaveLength(2);
  expect(engine.received.reduce((sum, each) => sum + each)).toBeLessThan(6.5);
  expect(await stepOf(id)).toMatchObject({ state: "done", attempts: 1, reason_code: null });
  // The queue delivers jobs at least once.
  await transcribe(id);
  expect(engine.received).toHaveLength(2);
  expect((await eventsOf(id)).map(({ type }) => type)).toEqual(["call.transcribed"]);
  expect(await one("select count(*)::int as runs from transcript_run")).toEqual({ runs: 0 });
});

test("nothing is queued unless workspace and campaign want transcripts, or when it is turned off meanwhile", async () => {
  await turnOn({ transcription: false });
  const off = await aCall();
  expect([await jobsOf(off), await stepOf(off)]).toEqual([[], undefined]);
  await turnOn();
  const id = await aCall();
  await admin.query("update campaign set transcription_language = null");
  engine.received.length = 0;
  await transcribe(id);
  expect([engine.received, await stepOf(id), await eventsOf(id)]).toEqual([[], undefined, []]);
});

test("card numbers are masked before anything is stored", async () => {
  engine.always(says("my card is 4929 1234 5678 9012 thanks"));
  const id = await aCall();
  await transcribe(id);
  const { turns, masked } = await transcriptOf(id);
  expect(masked).toEqual({ card_number: 2 });
  const [turn] = turns;
  expect(turn?.words.map(({ text, mask }) => mask ?? text)).toEqual(["my", "card", "is", "card_number", "thanks"]);
});

test("a killed worker's work is continued: answered stretches are not sent again, and are unreadable at rest", async () => {
  const id = await aCall();
  const dying = new AbortController();
  engine.next(says("Secret words"), () => dying.abort(new Error("killed")));
  engine.received.length = 0;
  await expect(transcribe(id, dying.signal)).rejects.toThrow("killed");
  expect(engine.received).toHaveLength(2);
  const { rows } = await admin.query("select number, sent, encrypted_words from transcript_stretch order by number");
  expect(rows).toMatchObject([
    { number: 0, sent: 1, encrypted_words: expect.any(Buffer) },
    { number: 1, sent: 1, encrypted_words: null },
  ]);
  expect(rows[0].encrypted_words.toString("latin1")).not.toMatch(/Secret|words/);
  await transcribe(id);
  expect(engine.received).toHaveLength(3);
  expect((await transcriptOf(id)).turns.map(({ words }) => words[0]?.text)).toEqual(["Secret", "Hello"]);
  expect(await eventsOf(id)).toHaveLength(1);
  // The key is gone with the run.
  expect(await one("select count(*)::int as n from transcript_stretch")).toEqual({ n: 0 });
  const { rows: keys } = await admin.query("select object_key from transcript");
  const stored = (await service.storedFiles()).filter((file) => file.startsWith("transcripts/"));
  expect(stored.sort()).toEqual(keys.map(({ object_key }) => object_key).sort());
});

test("a run whose key was swept begins again", async () => {
  const id = await aCall();
  const dying = new AbortController();
  engine.next(says("Secret words"), () => dying.abort(new Error("killed")));
  await expect(transcribe(id, dying.signal)).rejects.toThrow("killed");
  const run = await one<{ key_object: string }>("select key_object from transcript_run where call_id = $1", id);
  await app.storage.delete(run.key_object);
  await transcribe(id);
  expect((await transcriptOf(id)).turns.map(({ words }) => words[0]?.text)).toEqual(["Hello", "Hello"]);
});

test.each([
  ["an engine that does not answer now", answers(503, "loading model"), "engine_unavailable"],
  ["wrong credentials", answers(401, '{"error":{"message":"Incorrect API key"}}'), "engine_refused"],
  ["a proxy that redirects", answers(308, ""), "engine_refused"],
])("%s: the call waits without using up attempts, then fails after the configured time", async (_, answer, code) => {
  const id = await aCall();
  engine.next(answer);
  await transcribe(id);
  expect(await stepOf(id)).toMatchObject({ state: "running", attempts: 1, reason_code: code });
  const [, later] = await jobsOf(id);
  expect(later?.start_after?.getTime()).toBeGreaterThan(Date.now());
  await admin.query("update call_step set reason_since = now() - interval '73 hours' where call_id = $1", [id]);
  engine.next(answer);
  // Waits for the pause after the failure: nothing is sent meanwhile.
  await transcribe(id);
  expect(await stepOf(id)).toMatchObject({ state: "failed", reason_code: code });
  expect((await eventsOf(id)).map(({ type, data }) => [type, data.failure?.code])).toEqual([
    ["call.transcription_failed", code],
  ]);
  // Four digits alone also occur in ids and times.
  expect(service.log()).not.toMatch(/engine-secret|Hello|"4929"|4929 ?1234/);
});

test("what the engine refuses is not tried again; an answer that is no transcription is, a few times", async () => {
  const id = await aCall();
  engine.next(answers(413, "too large: 4929 1234 sk-proj-abcdefghijklmnopqrstuvwxyz"));
  await transcribe(id);
  expect(await stepOf(id)).toMatchObject({
    state: "failed",
    reason_code: "engine_refused",
    // No digits and nothing that may be a key.
    reason_detail: "The transcription server answered 413: too large: #### #### ….",
  });
  const other = await aCall();
  engine.always(answers(200, '{"half": '));
  for (let attempt = 1; attempt < 4; attempt++) {
    await transcribe(other);
    expect(await stepOf(other)).toMatchObject({
      state: "running",
      attempts: attempt,
      reason_code: "engine_answer_invalid",
    });
  }
  await transcribe(other);
  expect(await stepOf(other)).toMatchObject({ state: "failed", attempts: 4, reason_code: "engine_answer_invalid" });
  expect(await one("select count(*)::int as n from transcript_run")).toEqual({ n: 0 });
});

test("a lost recording is retried like in preparation; repeated errors of other kinds end the transcription", async () => {
  const id = await aCall();
  const { recording_key: key } = await one<{ recording_key: string }>(
    "select recording_key from call where id = $1",
    id,
  );
  await app.storage.delete(key);
  await expect(transcribe(id)).rejects.toMatchObject({ code: "recording_missing" });
  expect(await stepOf(id)).toMatchObject({ state: "running", reason_code: "recording_missing" });
  await abandonTranscription.perform(app, { workspaceId, callId: id });
  expect(await stepOf(id)).toMatchObject({ state: "failed", reason_code: "transcription_abandoned" });
  // The call itself is not affected.
  expect(await one("select status from call where id = $1", id)).toEqual({ status: "ready" });
});

test("a job that used up its retries is queued again as long as it got answers meanwhile", async () => {
  const id = await aCall();
  const run = () => openRun(app, { workspaceId, id });
  await admin.query("update call_step set attempts = 20 where call_id = $1 and step = 'transcribe'", [id]);
  const queued = (await jobsOf(id)).length;
  await (await run()).save(0, "left", { words: [], speechMs: 1 });
  await abandonTranscription.perform(app, { workspaceId, callId: id });
  expect(await stepOf(id)).toMatchObject({ state: "running" });
  expect(await jobsOf(id)).toHaveLength(queued + 1);
  // Sent, and not answered.
  await (await run()).sending(1);
  await abandonTranscription.perform(app, { workspaceId, callId: id });
  expect(await stepOf(id)).toMatchObject({ state: "failed", reason_code: "transcription_abandoned" });
  expect(await jobsOf(id)).toHaveLength(queued + 1);
});

test("when the quota of the day is used up, calls wait for the next day (UTC)", async () => {
  const first = await aCall();
  const second = await aCall();
  await admin.query("delete from transcription_usage");
  await turnOn({ transcription_minutes_per_day: 1 });
  await transcribe(first);
  const used = await one<{ calls: number; speech_ms: string }>("select calls, speech_ms from transcription_usage");
  expect(used.calls).toBe(1);
  expect(Number(used.speech_ms)).toBeGreaterThan(5_000);
  await admin.query("update transcription_usage set speech_ms = 60000");
  engine.received.length = 0;
  await transcribe(second);
  expect(engine.received).toEqual([]);
  expect(await stepOf(second)).toMatchObject({ state: "running", attempts: 0, reason_code: "quota_exceeded" });
  const later = (await jobsOf(second)).at(-1)?.start_after;
  expect(later?.toISOString()).toMatch(/T00:00:00\.000Z$/);
  expect((later?.getTime() ?? 0) - Date.now()).toBeLessThanOrEqual(24 * 3600_000);
  await admin.query("update transcription_usage set day = day - 1");
  await transcribe(second);
  expect(await stepOf(second)).toMatchObject({ state: "done" });
});

test("transcription that is turned off in the middle leaves nothing of what was heard", async () => {
  const id = await aCall();
  const dying = new AbortController();
  engine.next(says("Secret words"), () => dying.abort(new Error("killed")));
  await expect(transcribe(id, dying.signal)).rejects.toThrow("killed");
  const { key } = await one<{ key: string }>("select key_object as key from transcript_run where call_id = $1", id);
  await turnOn({ transcription: false });
  await transcribe(id);
  expect(await one("select count(*)::int as n from transcript_run where call_id = $1", id)).toEqual({ n: 0 });
  expect(await one("select count(*)::int as n from staged_object where key = $1", key)).toEqual({ n: 0 });
});

test("masking that is turned on in the middle applies to the call: its transcript is made again of the same answers", async () => {
  await turnOn({}, "off");
  const id = await aCall();
  engine.next(says("Hello there"), async (response, seconds) => {
    await turnOn({}, "text");
    says("it is 4929 1234 5678 9012 thanks")(response, seconds);
  });
  engine.received.length = 0;
  const before = await transcriptObjects();
  await expect(transcribe(id)).rejects.toThrow("the settings of transcription changed");
  expect(await one("select count(*)::int as n from transcript where call_id = $1", id)).toEqual({ n: 0 });
  // Only the key of the answers is left, not the transcript that is not masked.
  expect((await transcriptObjects()).length - before.length).toBe(1);
  await transcribe(id);
  expect((await transcriptOf(id)).masked).toEqual({ card_number: 1 });
  expect(engine.received).toHaveLength(2);
});

test("two workers with the same call keep each other's answers", async () => {
  const id = await aCall();
  const run = await (async () => {
    const dying = new AbortController();
    engine.next(says("Secret words"), () => dying.abort(new Error("killed")));
    await expect(transcribe(id, dying.signal)).rejects.toThrow("killed");
    return openRun(app, { workspaceId, id });
  })();
  // The other worker sends the first stretch again, and is killed.
  await run.sending(0);
  engine.received.length = 0;
  await transcribe(id);
  expect(engine.received).toHaveLength(1);
});

test("a call that was erased meanwhile leaves nothing", async () => {
  const id = await aCall();
  engine.next(async (response, seconds) => {
    await eraseCall(app, { ...caller, scopes: ["manage"] }, id);
    says("Hello there")(response, seconds);
  });
  await transcribe(id);
  expect(await one("select count(*)::int as n from transcript where call_id = $1", id)).toEqual({ n: 0 });
  // A run that begins after the erasure, too.
  await expect(openRun(app, { workspaceId, id })).rejects.toThrow(RunEnded);
  expect(await one("select count(*)::int as n from transcript_run where call_id = $1", id)).toEqual({ n: 0 });
});
