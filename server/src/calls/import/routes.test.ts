import { expect, test } from "vitest";
import { aForm, type Part } from "../../testing/forms.ts";
import { aRecording } from "../../testing/sounds.ts";
import { openTestApp } from "../../testing/test-app.ts";

const { api, app, key, admin, storedFiles, log, agentEmail, campaignId } = await openTestApp({
  MAX_RECORDING_BYTES: "200000",
});
const apiKey = await key("import");
const fields = {
  campaign_id: campaignId,
  conversation_timestamp: "1714557600",
  agent_email: agentEmail,
  metadata:
    '[{"key":"site","value":"Lyon"},{"key":"site","value":"Lyon"},{"key":"client_phone","value":"+33123456789"}]',
};
const file = aRecording();

function post(parts: Record<string, string | Buffer>, headers: Record<string, string> = {}) {
  const form = aForm(...(Object.entries(parts) as Part[]));
  return api.inject({
    method: "POST",
    url: "/calls/audio",
    ...form,
    headers: { ...form.headers, "x-api-key": apiKey, ...headers },
  });
}

test.each([
  ["the fields before the file", { ...fields, file }],
  ["the file before the fields", { file, ...fields }],
])("imports a call with %s", async (_, parts) => {
  const answer = await post(parts);
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toMatchObject({
    status: "received",
    agent: { email: "ann@example.com", name: "Ann Lee" },
    conversation_timestamp: 1714557600,
    conversation_time: "2024-05-01T10:00:00.000Z",
    metadata: JSON.parse(fields.metadata),
    recording: { format: "wav", codec: "pcm_s16le", duration_ms: 1000, bytes: file.length },
  });
});

test("stores the same call once and reports the duplicate", async () => {
  const parts = { ...fields, file: aRecording({ seed: 7 }) };
  const first = (await post(parts)).json();
  const stored = await storedFiles();
  const again = (await post({ ...parts, metadata: "[]" })).json();
  expect([first.duplicate, again.duplicate, again.id]).toEqual([false, true, first.id]);
  expect(again.metadata).toEqual(first.metadata);
  expect(await storedFiles()).toEqual(stored);
});

test("queues the preparation together with the call", async () => {
  const { id } = (await post({ ...fields, file: aRecording({ seed: 8 }) })).json();
  const { rows } = await admin.query("select name from outgoing_job where payload->>'callId' = $1", [id]);
  expect(rows).toEqual([{ name: "call.prepare" }]);
});

test.each([
  ["an unknown agent", { agent_email: "bob@example.com" }, 404, "agent_not_found"],
  ["an unknown campaign", { campaign_id: "nope" }, 404, "campaign_not_found"],
  ["a user who is not an agent", { agent_email: "eve@example.com" }, 404, "user_not_agent"],
  ["metadata that is not JSON", { metadata: "{" }, 422, "fields_invalid"],
  ["metadata with a third member", { metadata: '[{"key":"a","value":"b","c":"d"}]' }, 422, "fields_invalid"],
  ["metadata with a NUL character", { metadata: '[{"key":"a","value":"\\u0000"}]' }, 422, "fields_invalid"],
  ["metadata with half a surrogate pair", { metadata: '[{"key":"a","value":"\\ud800"}]' }, 422, "fields_invalid"],
  ["a metadata part of more than 64 KiB", { metadata: `[${" ".repeat(65536)}]` }, 422, "fields_invalid"],
  ["a recording that is text", { file: Buffer.from("hello, this is no sound") }, 422, "recording_not_audio"],
  ["a recording cut short", { file: file.subarray(0, 9000) }, 422, "recording_truncated"],
  ["an empty recording", { file: Buffer.alloc(0) }, 422, "recording_empty"],
  ["a recording larger than the limit", { file: aRecording({ seconds: 20 }) }, 413, "recording_too_large"],
])("rejects %s and stores nothing", async (_, wrong, status, code) => {
  await admin.query(`insert into app_user select workspace_id, gen_random_uuid(), 'eve@example.com', 'eve@example.com', 'Eve', 'reviewer', 'active', 'not_requested'
    from app_user limit 1 on conflict do nothing`);
  const before = await storedFiles();
  for (const order of [
    { file, ...fields, ...wrong },
    { ...fields, file, ...wrong },
  ]) {
    const answer = await post(order as Record<string, string | Buffer>);
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
  }
  expect(await storedFiles()).toEqual(before);
  expect((await admin.query("select * from staged_object")).rows).toEqual([]);
});

test.each([
  ["audio", "file", { ...fields, audio: file }],
  ["agentEmail", "agent_email", { ...fields, agent_email: undefined, agentEmail: "ann@example.com", file }],
  ["started_at", "conversation_timestamp", { ...fields, conversation_timestamp: undefined, started_at: "5", file }],
])("says that the unknown part %s was probably meant as %s", async (sent, meant, parts) => {
  const given = Object.entries(parts).filter((part): part is [string, string | Buffer] => part[1] !== undefined);
  const problem = (await post(Object.fromEntries(given))).json();
  expect(problem).toMatchObject({ code: "part_missing", errors: [{ part: meant, code: "missing" }] });
  expect(problem.detail).toContain(`Did you mean "${meant}" instead of "${sent}"?`);
});

test("lists missing and invalid parts at once", async () => {
  const problem = (await post({ campaign_id: campaignId, conversation_timestamp: "0", metadata: "{" })).json();
  expect(problem).toMatchObject({
    status: 400,
    code: "part_missing",
    errors: [
      { part: "file", code: "missing" },
      { part: "agent_email", code: "missing" },
      { part: "conversation_timestamp", code: "out_of_range" },
      { part: "metadata" },
    ],
  });
});

test("warns about unknown parts", async () => {
  const answer = await post({ ...fields, colour: "blue", file: aRecording({ seed: 9 }) });
  expect(answer.json().warnings).toEqual([expect.objectContaining({ code: "unknown_part", part: "colour" })]);
});

test("creates the partitions of a month for its first call", async () => {
  const answer = await post({ ...fields, conversation_timestamp: "1000000000", file: aRecording({ seed: 10 }) });
  expect(answer.statusCode).toBe(200);
  const { rows } = await admin.query("select to_regclass('call_2001_09') is not null as created");
  expect(rows).toEqual([{ created: true }]);
});

test("stores metadata values too long for an index row", async () => {
  const value = "é".repeat(1024);
  const metadata = JSON.stringify([{ key: "k".repeat(128), value }]);
  const answer = await post({ ...fields, metadata, file: aRecording({ seed: 11 }) });
  expect(answer.statusCode).toBe(200);
  expect(answer.json().metadata[0].value).toBe(value);
});

test("logs no email address, metadata value or API key", async () => {
  await post({ ...fields, file: aRecording({ seed: 12 }) });
  await post({ ...fields, agent_email: "nobody@example.com", file: aRecording({ seed: 12 }) });
  for (const secret of [apiKey, "+33123456789", "ann@example.com", "nobody@example.com"]) {
    expect(log()).not.toContain(secret);
  }
});

test("counts imports by outcome", async () => {
  const text = await app.metrics.registry.metrics();
  expect(text).toMatch(/hearback_imports_total\{outcome="imported"\} [1-9]/);
  expect(text).toMatch(/hearback_imports_total\{outcome="agent_not_found"\} [1-9]/);
});
