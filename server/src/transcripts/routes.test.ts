import { expect, test } from "vitest";
import { auditOf, openJsonClient } from "../testing/json-client.ts";
import { openReviewTests } from "../testing/reviews.ts";
import { openTestApp } from "../testing/test-app.ts";
import { aTurn, configureTranscriber, storeTestTranscript } from "../testing/transcripts.ts";
import { startTranscriptions } from "./recognise/start-transcriptions.ts";

const service = await openTestApp();
const { admin, api, caller } = service;
const { agent, reviewer, supervisor, importOf } = await openReviewTests(service);
const readKey = await service.key("read");
const ask = openJsonClient(service, readKey);
configureTranscriber(service);

const setUp = (settings: object, language: string | null = "en") =>
  admin.query(
    "with campaigns as (update campaign set transcription_language = $2, masking = 'text') update workspace set settings = $1",
    [JSON.stringify(settings), language],
  );
await setUp({ transcription: true });

async function transcribed(...turns: Parameters<typeof aTurn>[]) {
  const { id } = await importOf();
  const said: typeof turns = turns.length > 0 ? turns : [["left", 0, "Hello Mister Nguyn"]];
  const transcript = await storeTestTranscript(
    service,
    id,
    said.map((turn) => aTurn(...turn)),
  );
  return {
    id: id as string,
    path: `/calls/${id}/transcript`,
    transcriptId: transcript.id,
    objectKey: transcript.objectKey,
  };
}

test("a transcript is read as JSON, as subtitles and as text", async () => {
  const call = await transcribed(["left", 0, "Hello there"], ["right", 2_000, "It's [card_number] thanks"]);
  const { status, body } = await ask("GET", call.path);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id: call.transcriptId,
    call_id: call.id,
    language: "en",
    masked: { card_number: 1 },
    sound_masked: false,
    turns: [
      { side: "left", channel: "left", start_ms: 0, words: [{ text: "Hello", probability: 0.9 }, { text: "there" }] },
      { side: "right", words: [{ text: "It's" }, { text: "", mask: "card_number" }, { text: "thanks" }] },
    ],
  });
  const text = "[00:00:00] Left: Hello there\n[00:00:02] Right: It's [card number] thanks\n";
  expect((await ask("GET", `${call.path}?format=text`)).body).toBe(text);
  const asked = await api.inject({ url: call.path, headers: { "x-api-key": readKey, accept: "text/plain" } });
  expect([asked.body, asked.headers["content-type"]]).toEqual([text, "text/plain; charset=utf-8"]);
  expect((await ask("GET", `${call.path}?format=vtt`)).body).toMatch(/^WEBVTT\n\n00:00:00\.000 --> .*\n<v Left>Hello/);
  expect(await ask("GET", `${call.path}?format=pdf`)).toMatchObject({ status: 422 });
});

test("the agent's side has the agent's name if their channel is known", async () => {
  const call = await transcribed(["left", 0, "Hello"], ["right", 1_000, "Hi"]);
  await admin.query("update call set agent_channel = 'right' where id = $1", [call.id]);
  const { body } = await ask("GET", `${call.path}?format=text`);
  const { rows } = await admin.query("select name from app_user where id = $1", [agent.id]);
  expect(body).toBe(`[00:00:00] Customer: Hello\n[00:00:01] ${rows[0].name}: Hi\n`);
});

test("agents read transcripts of their own calls only", async () => {
  const own = await transcribed();
  expect((await agent.ask("GET", own.path)).status).toBe(200);
  await admin.query("update call set agent_id = (select id from app_user where email = $1) where id = $2", [
    service.agentEmail,
    own.id,
  ]);
  expect((await agent.ask("GET", own.path)).body).toMatchObject({ code: "call_not_found" });
  expect((await agent.ask("PATCH", own.path, { transcript_id: own.transcriptId, corrections: [] })).status).toBe(403);
});

test("reading is audited once per caller, call and 30 minutes", async () => {
  const call = await transcribed();
  const entries = await auditOf(service, async () => {
    await ask("GET", call.path);
    await ask("GET", `${call.path}?format=vtt`);
    await reviewer.ask("GET", call.path);
  });
  expect(entries).toMatchObject([
    { action: "call.transcript_read", actor_type: "key", subject_id: call.id },
    { action: "call.transcript_read", actor_type: "user", subject_id: call.id },
  ]);
});

test("the 404 of a call without a transcript says why", async () => {
  const { id } = await importOf();
  const why = async () => (await ask("GET", `/calls/${id}/transcript`)).body;
  expect(await why()).toMatchObject({ code: "transcript_not_found", detail: expect.stringMatching(/being prepared/) });
  await admin.query("update call set status = 'ready' where id = $1", [id]);
  expect((await why()).detail).toMatch(/while transcription was off/);
  await setUp({ transcription: true }, null);
  expect((await why()).detail).toMatch(/off in its campaign/);
  await setUp({ transcription: false });
  expect((await why()).detail).toMatch(/off in this workspace/);
  await setUp({ transcription: true });
  await supervisor.ask("POST", `/calls/${id}/transcribe`);
  expect((await why()).detail).toMatch(/waits to be transcribed/);
  await admin.query("update call_step set ended_at = null where step = 'transcribe' and call_id = $1", [id]);
  expect((await why()).detail).toMatch(/being transcribed now/);
  await admin.query(
    "update call_step set state = 'failed', reason_detail = 'The engine is away.' where step = 'transcribe' and call_id = $1",
    [id],
  );
  expect((await why()).detail).toMatch(/failed: The engine is away\. Retry with/);
  expect((await ask("GET", "/calls/7d9f3f5e-6c0b-4d6e-9b0e-0f6a3b1f2c4d/transcript")).body).toMatchObject({
    code: "call_not_found",
  });
});

test("a transcript whose object is lost can be requested again", async () => {
  const call = await transcribed();
  await service.app.storage.delete(call.objectKey);
  expect((await ask("GET", call.path)).body).toMatchObject({
    code: "transcript_not_found",
    detail: expect.stringMatching(/missing from the object store/),
  });
});

const correct = (
  { path, transcriptId }: { path: string; transcriptId: string },
  ...corrections: { turn: number; word: number; text: string | null }[]
) => reviewer.ask("PATCH", path, { transcript_id: transcriptId, corrections });

test("a correction shows who made it, and can be taken back", async () => {
  const call = await transcribed();
  const entries = await auditOf(service, async () => {
    const { status, body } = await correct(call, { turn: 0, word: 2, text: "Nguyen" });
    expect(status).toBe(200);
    expect(body.turns[0].words[2]).toMatchObject({
      text: "Nguyen",
      probability: null,
      correction: { original: "Nguyn", by: { type: "user", id: reviewer.id }, at: expect.any(String) },
    });
  });
  expect(entries[0]).toMatchObject({
    action: "call.transcript_corrected",
    subject_id: call.id,
    data: { transcript_id: call.transcriptId, words: 1 },
  });
  expect(JSON.stringify(entries)).not.toContain("Nguyen");
  expect((await ask("GET", `${call.path}?format=text`)).body).toContain("Hello Mister Nguyen");
  const back = await correct(call, { turn: 0, word: 2, text: null });
  expect(back.body.turns[0].words[2]).toEqual({ text: "Nguyn", start_ms: 1_000, end_ms: 1_400, probability: 0.9 });
  const { rows } = await admin.query("select number, text from transcript_correction where call_id = $1 order by 1", [
    call.id,
  ]);
  expect(rows).toEqual([
    { number: 1, text: "Nguyen" },
    { number: 2, text: null },
  ]);
});

test("corrections name words that exist, once, and no masked parts", async () => {
  const call = await transcribed(["left", 0, "My card [card_number]"]);
  const { status, body } = await correct(
    call,
    { turn: 0, word: 9, text: "a" },
    { turn: 0, word: 2, text: "b" },
    { turn: 0, word: 0, text: "Your" },
    { turn: 0, word: 0, text: "Our" },
  );
  expect([status, body.errors.map(({ code }: { code: string }) => code)]).toEqual([
    422,
    ["not_found", "masked", "repeated"],
  ]);
  expect((await correct(call)).status).toBe(422);
  expect((await correct({ ...call, transcriptId: call.id }, { turn: 0, word: 0, text: "a" })).body).toMatchObject({
    code: "transcript_changed",
  });
});

test("a correction cannot bring a card number back, at once or word by word", async () => {
  const call = await transcribed(["right", 0, "it is a b c d okay"]);
  const whole = await correct(call, { turn: 0, word: 2, text: "4929 1234 5678 9012" });
  expect(whole).toMatchObject({ status: 422, body: { errors: [{ code: "sensitive" }] } });
  const spoken = ["four nine two nine one two three four", "five six seven eight nine oh one two"];
  const halves = spoken.map((text, index) => ({ turn: 0, word: 2 + index, text }));
  expect((await correct(call, ...halves)).body).toMatchObject({
    errors: [{ code: "sensitive" }, { code: "sensitive" }],
  });
  expect((await correct(call, { turn: 0, word: 2, text: "4929" })).status).toBe(200);
  expect((await correct(call, { turn: 0, word: 3, text: "1234" })).status).toBe(200);
  expect((await correct(call, { turn: 0, word: 4, text: "5678" })).body).toMatchObject({
    errors: [{ part: "corrections", code: "sensitive" }],
  });
  const beside = await transcribed(["right", 0, "it is [card_number] and on the back it says hello"]);
  expect((await correct(beside, { turn: 0, word: 9, text: "seven three seven" })).body).toMatchObject({
    errors: [{ code: "sensitive" }],
  });
  expect((await correct(beside, { turn: 0, word: 9, text: "Visa" })).status).toBe(200);
  await admin.query("update campaign set masking = 'off'");
  expect((await correct(call, { turn: 0, word: 4, text: "5678" })).status).toBe(200);
  await admin.query("update campaign set masking = 'text'");
});

test("a correction has at most ten words", async () => {
  const call = await transcribed(["right", 0, "it is late"]);
  const { status, body } = await correct(call, { turn: 0, word: 2, text: "a ".repeat(11).trim() });
  expect([status, body.errors[0].detail]).toEqual([422, expect.stringContaining("at most 10 words")]);
  expect((await correct(call, { turn: 0, word: 2, text: "a ".repeat(10).trim() })).status).toBe(200);
});

test("digits of other scripts, between other words or split over 200 corrections, are card numbers in corrections as well", async () => {
  const call = await transcribed(["right", 0, "word ".repeat(200).trim()]);
  const first = (text: string) => correct(call, { turn: 0, word: 0, text });
  for (const text of ["我的卡号是4929123456789012谢谢", "٤٩٢٩ ١٢٣٤ ٥٦٧٨ ٩٠١٢", "4929 order 1234 order 5678 order 9012"])
    expect([text, (await first(text)).body]).toMatchObject([text, { errors: [{ code: "sensitive" }] }]);
  const digits = Array.from({ length: 200 }, (_, word) => ({ turn: 0, word, text: `€${word % 10}` }));
  expect((await correct(call, ...digits)).body.errors).toHaveLength(200);
});

test("corrections of two people at once are both kept", async () => {
  const call = await transcribed();
  const answers = await Promise.all(
    ["Ng", "Nguyen", "Nguyễn"].map((text) => correct(call, { turn: 0, word: 2, text })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { rows } = await admin.query("select count(*)::int from transcript_correction where call_id = $1", [call.id]);
  expect(rows[0].count).toBe(3);
});

test("a call is queued to be transcribed, once", async () => {
  const { id } = await importOf();
  const request = () => supervisor.ask("POST", `/calls/${id}/transcribe`);
  expect(await request()).toMatchObject({ status: 409, body: { code: "call_not_ready" } });
  await admin.query("update call set status = 'ready' where id = $1", [id]);
  const entries = await auditOf(service, async () => {
    expect(await request()).toMatchObject({
      status: 202,
      body: { id, steps: [{ step: "prepare" }, { step: "transcribe", state: "waiting", attempts: 0 }] },
    });
    expect((await request()).status).toBe(202);
  });
  expect(entries).toMatchObject([{ action: "call.transcription_requested", subject_id: id }]);
  const queued = await admin.query(
    "select payload from outgoing_job where name = 'call.transcribe' and payload @> $1",
    [JSON.stringify({ callId: id })],
  );
  expect(queued.rows).toHaveLength(1);
  expect((await reviewer.ask("POST", `/calls/${id}/transcribe`)).status).toBe(403);
});

test("a call that waits for the next day is queued again once the quota was raised, not before", async () => {
  const { id } = await importOf();
  await admin.query("update call set status = 'ready' where id = $1", [id]);
  const count = async () =>
    (await admin.query("select from outgoing_job where name = 'call.transcribe' and payload->>'callId' = $1", [id]))
      .rowCount;
  const request = () => supervisor.ask("POST", `/calls/${id}/transcribe`);
  const start = () => startTranscriptions(service.app, { workspaceId: service.caller.workspaceId, failed: false });
  await setUp({ transcription: true, transcription_minutes_per_day: 1 });
  await request();
  await admin.query(
    `insert into transcription_usage (workspace_id, day, calls, speech_ms) values ($1, (now() at time zone 'UTC')::date, 1, 60000)
      on conflict (workspace_id, day) do update set speech_ms = 60000`,
    [service.caller.workspaceId],
  );
  const wait = () => admin.query("update call_step set reason_code = 'quota_exceeded' where call_id = $1", [id]);
  await wait();
  await request();
  await start();
  expect(await count()).toBe(1);
  await setUp({ transcription: true, transcription_minutes_per_day: 2 });
  await request();
  expect(await count()).toBe(2);
  await wait();
  await start();
  expect(await count()).toBe(3);
  await admin.query("delete from transcription_usage");
  await setUp({ transcription: true, transcription_minutes_per_day: null });
});

test("requests are refused while transcription is off or has no engine", async () => {
  const call = await transcribed();
  const request = async () => (await supervisor.ask("POST", `/calls/${call.id}/transcribe`)).body.code;
  await setUp({ transcription: false });
  expect(await request()).toBe("transcription_off");
  await setUp({ transcription: true }, null);
  expect(await request()).toBe("transcription_off");
  await setUp({ transcription: true });
  Object.assign(service.app.config, { transcriber: undefined });
  expect(await request()).toBe("transcription_not_configured");
  configureTranscriber(service);
  await admin.query("update call set original_erased_at = now() where id = $1", [call.id]);
  expect(await request()).toBe("original_erased");
});

test("usage is listed by day with the quota", async () => {
  await setUp({ transcription: true, transcription_minutes_per_day: 90 });
  await admin.query(
    `insert into transcription_usage (workspace_id, day, calls, speech_ms)
      select $1, (now() at time zone 'UTC')::date - n, 2, 90600 from unnest(array[0, 1, 40]) as n`,
    [caller.workspaceId],
  );
  const { body } = await supervisor.ask("GET", "/transcription/usage");
  expect(body).toMatchObject({ available: true, quota_minutes: 90 });
  expect(body.days.map(({ minutes, calls }: Record<string, number>) => [minutes, calls])).toEqual([
    [1.51, 2],
    [1.51, 2],
  ]);
  expect((await supervisor.ask("GET", "/transcription/usage?days=41")).body.days).toHaveLength(3);
  expect((await reviewer.ask("GET", "/transcription/usage")).status).toBe(403);
});
