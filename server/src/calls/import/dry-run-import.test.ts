import { expect, test } from "vitest";
import { operatorIn } from "../../platform/actor.ts";
import { aForm, type Part } from "../../testing/forms.ts";
import { aRecording } from "../../testing/sounds.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { inviteUser } from "../../users/invite-user.ts";

const { api, app, admin, caller, key, storedFiles, agentEmail, campaignId } = await openTestApp({
  MAX_RECORDING_BYTES: "2000000",
});
const apiKey = await key("import");
const file = aRecording();
await inviteUser(app, operatorIn(caller.workspaceId), {
  ...{ email: "rita@example.com", name: "Rita Wolf", role: "reviewer", sendInvitation: false },
});
const fields = {
  campaign_id: campaignId,
  conversation_timestamp: "1714557600",
  agent_email: agentEmail,
  metadata: '[{"key":"site","value":"Lyon"}]',
};

function post(parts: Record<string, string | Buffer>, query = "", headers: Record<string, string> = {}) {
  const form = aForm(...(Object.entries(parts) as Part[]));
  const request = { method: "POST", url: `/calls/audio${query}`, payload: form.payload } as const;
  return api.inject({ ...request, headers: { ...form.headers, "x-api-key": apiKey, ...headers } });
}

/** Row counts and objects that an import could change. */
async function snapshot() {
  const tables = ["call", "call_metadata", "staged_object", "outgoing_job", "event", "audit_entry"];
  const counts = await Promise.all(
    tables.map(async (table) => (await admin.query(`select count(*)::int as n from ${table}`)).rows[0].n),
  );
  return { files: await storedFiles(), counts };
}

const withoutTime = ({ created_at: _, ...call }: Record<string, unknown>) => call;

test.each([
  ["the fields before the file", (recording: Buffer) => ({ ...fields, file: recording })],
  ["the file before the fields", (recording: Buffer) => ({ file: recording, ...fields })],
])("a dry run with %s returns what the import would return and stores nothing", async (_, order) => {
  // Larger than the storage backend's buffer, so a real import would have stored something.
  const parts = order(aRecording({ seconds: 110, seed: Math.floor(Math.random() * 2 ** 31) }));
  const before = await snapshot();
  const dry = await post(parts, "?dry_run=true");
  expect(dry.statusCode).toBe(200);
  expect(await snapshot()).toEqual(before);

  const real = (await post(parts, "?dry_run=false")).json();
  expect(withoutTime(dry.json())).toEqual({ ...withoutTime(real), dry_run: true });
  expect(real).not.toHaveProperty("dry_run");

  const after = await snapshot();
  const again = (await post(parts, "?dry_run=true")).json();
  expect(again).toMatchObject({ dry_run: true, duplicate: true, id: real.id, created_at: real.created_at });
  expect(await snapshot()).toEqual(after);
});

test.each([
  ["a required part missing", { agent_email: undefined }, 400, "part_missing"],
  ["an unknown agent", { agent_email: "bob@example.com" }, 404, "agent_not_found"],
  ["a user who is not an agent", { agent_email: "rita@example.com" }, 404, "user_not_agent"],
  ["an unknown campaign", { campaign_id: "nope" }, 404, "campaign_not_found"],
  ["milliseconds", { conversation_timestamp: "1714557600000" }, 422, "fields_invalid"],
  ["metadata that is not JSON", { metadata: "{" }, 422, "fields_invalid"],
  ["a recording that is text", { file: Buffer.from("hello, this is no sound") }, 422, "recording_not_audio"],
  ["a recording cut short", { file: file.subarray(0, 9000) }, 422, "recording_truncated"],
  ["an empty recording", { file: Buffer.alloc(0) }, 422, "recording_empty"],
  ["a recording larger than the limit", { file: aRecording({ seconds: 130 }) }, 413, "recording_too_large"],
])("a dry run rejects %s like the import does", async (_, wrong, status, code) => {
  const before = await snapshot();
  for (const order of [
    { file, ...fields, ...wrong },
    { ...fields, file, ...wrong },
  ]) {
    const sent = Object.entries(order).filter((part): part is [string, string | Buffer] => part[1] !== undefined);
    const parts = Object.fromEntries(sent);
    const [dry, real] = [await post(parts, "?dry_run=true"), await post(parts)];
    const { request_id: _dry, ...problem } = dry.json();
    const { request_id: _real, ...expected } = real.json();
    expect([dry.statusCode, problem.code, problem]).toEqual([status, code, expected]);
  }
  expect(await snapshot()).toEqual(before);
});

test.each([
  ["?dry_run=yes", "dry_run"],
  ["?dry_run=", "dry_run"],
  ["?dry_run=true&dry_run=true", "dry_run"],
  ["?dryrun=true", "dryrun"],
])("the query %s is rejected for any order of parts, and nothing is stored", async (query, part) => {
  const before = await snapshot();
  for (const parts of [
    { file, ...fields },
    { ...fields, file },
  ]) {
    const answer = await post(parts, query);
    expect([answer.statusCode, answer.json().code, answer.json().errors[0].part]).toEqual([
      422,
      "fields_invalid",
      part,
    ]);
  }
  // A malformed form is reported first; invalid values are reported together.
  expect((await post({ ...fields, agent_email: "bob", file }, query)).json().errors).toHaveLength(2);
  expect((await post(fields, query)).statusCode).toBe(400);
  expect(await snapshot()).toEqual(before);
});

test("the metric counts dry runs separately", async () => {
  const text = await app.metrics.registry.metrics();
  expect(text).toMatch(/hearback_imports_total\{outcome="dry_run"\} [1-9]/);
});
