import { randomUUID } from "node:crypto";
import type { CallChangePageBody, CallDetailBody, Metadata } from "@hearback/contract";
import { expect, test } from "vitest";
import { operatorIn } from "../../platform/actor.ts";
import { aForm } from "../../testing/forms.ts";
import { aRecording } from "../../testing/sounds.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { inviteUser } from "../../users/invite-user.ts";

const { app, api, caller, campaignId, agentEmail, admin, log, key } = await openTestApp();
const { workspaceId } = caller;
const headers = { "x-api-key": await key("import", "read", "manage") };
const person = { name: "Bob Ray", sendInvitation: false } as const;
const bob = await inviteUser(app, operatorIn(workspaceId), { ...person, email: "bob@example.com", role: "agent" });
const eve = await inviteUser(app, operatorIn(workspaceId), { ...person, email: "eve@example.com", role: "reviewer" });

let seed = 1;
const lyon = { key: "site", value: "Lyon" };
const paris = { key: "site", value: "Paris" };
const phone = { key: "client_phone", value: "+33123456789" };

async function send(file: Buffer, metadata: Metadata = [lyon, phone, lyon, paris], email = agentEmail) {
  const form = aForm(
    ["campaign_id", campaignId],
    ["conversation_timestamp", "1714557600"],
    ["agent_email", email],
    ["metadata", JSON.stringify(metadata)],
    ["file", file],
  );
  const request = { method: "POST", url: "/calls/audio", payload: form.payload } as const;
  return (await api.inject({ ...request, headers: { ...headers, ...form.headers } })).json();
}
const imported = async (metadata?: Metadata): Promise<string> =>
  (await send(aRecording({ seed: seed++ }), metadata)).id;
const patch = (id: string, payload: object) => api.inject({ method: "PATCH", url: `/calls/${id}`, headers, payload });
const changesOf = async (id: string, query = ""): Promise<CallChangePageBody> =>
  (await api.inject({ url: `/calls/${id}/changes${query}`, headers })).json();
const rows = async (text: string, ...values: unknown[]) => (await admin.query(text, values)).rows;
const indexed = (id: string) => rows("select key, value from call_metadata where call_id = $1 order by key, value", id);
const events = (id: string) =>
  rows("select data from event where type = 'call.changed' and data->>'call_id' = $1 order by seq", id);
const entries = (id: string) =>
  rows("select data, actor_type from audit_entry where action = 'call.changed' and subject_id = $1", id);

test("changing the agent keeps the previous agent in the history", async () => {
  const file = aRecording({ seed: seed++ });
  const { id, agent: ann } = await send(file);
  const answer = await patch(id, { agent_email: "BOB@example.com " });
  expect([answer.statusCode, answer.json().agent]).toEqual([
    200,
    { id: bob.id, email: "bob@example.com", name: "Bob Ray" },
  ]);
  const { changes, next } = await changesOf(id);
  expect(next).toBeNull();
  expect(changes).toEqual([
    {
      number: 1,
      at: expect.any(String),
      actor: { type: "key", id: expect.any(String) },
      changed: { agent: { from: ann, to: { id: bob.id, email: bob.email, name: bob.name } } },
    },
  ]);
  expect(await events(id)).toEqual([
    { data: { call_id: id, campaign_id: campaignId, agent_id: bob.id, changed: ["agent"] } },
  ]);
  expect(await entries(id)).toEqual([{ data: { changed: ["agent"] }, actor_type: "key" }]);

  // Importing the original again finds the call and keeps the correction.
  const again = await send(file);
  expect([again.id, again.duplicate, again.agent.id]).toEqual([id, true, bob.id]);
  expect((await changesOf(id)).changes).toHaveLength(1);

  expect((await patch(id, { agent_id: ann.id })).json().agent).toEqual(ann);
  expect(await rows("select changed from call_change where call_id = $1 and number = 2", id)).toEqual([
    { changed: { agent: { from: bob.id, to: ann.id } } },
  ]);
});

test.each([
  ["adds at the end", { add: [paris] }, [lyon, phone, lyon, paris, paris]],
  ["removes every entry of a key", { remove: [{ key: "site" }] }, [phone]],
  ["removes one value of a key", { remove: [lyon] }, [phone, paris]],
  ["removes first", { remove: [{ key: "site" }], add: [lyon] }, [phone, lyon]],
  [
    "ignores entries to remove that do not exist",
    { remove: [{ key: "nope" }], add: [paris] },
    [lyon, phone, lyon, paris, paris],
  ],
])("metadata: %s", async (_, metadata, after) => {
  const id = await imported();
  const answer = await patch(id, { metadata });
  expect(answer.json().metadata).toEqual(after);
  const distinct = [...new Map(after.map((entry) => [`${entry.key} ${entry.value}`, entry])).values()];
  const byKey = (a: typeof lyon, b: typeof lyon) => (a.key + a.value < b.key + b.value ? -1 : 1);
  expect(await indexed(id)).toEqual(distinct.toSorted(byKey));
  const { changes } = await changesOf(id);
  expect(changes.map(({ changed }) => changed)).toEqual([
    { metadata: { from: [lyon, phone, lyon, paris], to: after } },
  ]);
});

test.each([
  ["the same agent", { agent_email: agentEmail }],
  ["the same channel", { agent_channel: null }],
  ["removing metadata that does not exist", { metadata: { remove: [{ key: "nope" }] } }],
  [
    "removing metadata and adding it back",
    { metadata: { remove: [lyon, phone, paris], add: [lyon, phone, lyon, paris] } },
  ],
])("%s changes nothing and records no change", async (_, body) => {
  const id = await imported();
  expect((await patch(id, body)).statusCode).toBe(200);
  expect([(await changesOf(id)).changes, await events(id), await entries(id)]).toEqual([[], [], []]);
});

const many = Array.from({ length: 98 }, (_, n) => ({ key: `k${n}`, value: "v" }));
test.each([
  ["nothing", {}, 400, "member_missing"],
  ["something unknown", { colour: "blue" }, 422, "fields_invalid"],
  ["both an agent email and an agent id", { agent_email: agentEmail, agent_id: bob.id }, 422, "fields_invalid"],
  ["an invalid agent email", { agent_email: "bob" }, 422, "fields_invalid"],
  ["an invalid agent id", { agent_id: "bob" }, 422, "fields_invalid"],
  ["an unknown agent", { agent_email: "nobody@example.com" }, 404, "agent_not_found"],
  ["an unknown id", { agent_id: randomUUID() }, 404, "agent_not_found"],
  ["a user who is not an agent", { agent_id: eve.id }, 404, "user_not_agent"],
  ["an unknown channel", { agent_channel: "up" }, 422, "fields_invalid"],
  ["an empty metadata change", { metadata: {} }, 422, "fields_invalid"],
  ["metadata as a list", { metadata: [lyon] }, 422, "fields_invalid"],
  ["metadata without a key", { metadata: { add: [{ value: "v" }] } }, 422, "fields_invalid"],
  ["metadata with a NUL character", { metadata: { add: [{ key: "a", value: "\0" }] } }, 422, "fields_invalid"],
  ["more than 100 entries", { metadata: { add: many } }, 422, "fields_invalid"],
])("%s is rejected and changes nothing", async (_, body, status, code) => {
  const id = await imported();
  const also = Object.keys(body).length === 0 || "agent_channel" in body ? {} : { agent_channel: "left" };
  const answer = await patch(id, { ...also, ...body });
  expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
  const call = (await api.inject({ url: `/calls/${id}`, headers })).json() as CallDetailBody;
  expect([call.agent.email, call.agent_channel.from, call.metadata]).toEqual([
    agentEmail,
    "campaign",
    [lyon, phone, lyon, paris],
  ]);
  expect((await changesOf(id)).changes).toEqual([]);
});

test("metadata is limited to 100 entries and 64 KiB", async () => {
  const id = await imported([lyon, phone]);
  expect((await patch(id, { metadata: { add: many } })).statusCode).toBe(200);
  const beyond = await patch(id, { metadata: { add: [lyon] } });
  expect([beyond.statusCode, beyond.json().errors[0]]).toMatchObject([422, { part: "metadata", code: "too_long" }]);
  const long = Array.from({ length: 40 }, (_, n) => ({ key: `k${n}`, value: "é".repeat(700) }));
  expect((await patch(id, { metadata: { remove: many.map(({ key }) => ({ key })), add: long } })).statusCode).toBe(200);
  expect((await patch(id, { metadata: { add: long.slice(0, 10) } })).json().errors[0].detail).toMatch(/bytes as JSON/);
});

test("concurrent changes are all applied", async () => {
  const id = await imported([]);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => patch(id, { metadata: { add: [{ key: "n", value: String(n) }] } })),
  );
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  const { metadata } = (await api.inject({ url: `/calls/${id}`, headers })).json() as CallDetailBody;
  expect(metadata.map(({ value }) => Number(value)).toSorted((a, b) => a - b)).toEqual([...Array(20).keys()]);
  expect(await indexed(id)).toHaveLength(20);
  const first = await changesOf(id, "?limit=15");
  expect(first.changes.map(({ number }) => number)).toEqual(Array.from({ length: 15 }, (_, n) => 20 - n));
  const rest = await changesOf(id, `?limit=15&cursor=${first.next}`);
  expect(rest.changes.map(({ number }) => number)).toEqual([5, 4, 3, 2, 1]);
  expect(rest.next).toBeNull();
  // Each change starts from the result of the previous one.
  const [newest, ...older] = [...first.changes, ...rest.changes].map(({ changed }) => changed.metadata);
  older.reduce((later, earlier) => {
    expect(later?.from).toEqual(earlier?.to);
    return earlier;
  }, newest);
  expect([(await events(id)).length, (await entries(id)).length]).toEqual([20, 20]);
});

test.each(["?limit=0", "?limit=101", "?cursor=x", "?colour=blue"])(
  "listing changes with %s is rejected",
  async (query) => {
    const answer = await api.inject({ url: `/calls/${await imported()}/changes${query}`, headers });
    expect([answer.statusCode, answer.json().code]).toEqual([422, "fields_invalid"]);
  },
);

test("the change history is deleted with its call", async () => {
  const id = await imported();
  await patch(id, { agent_channel: "left" });
  await admin.query("delete from call_metadata where call_id = $1", [id]);
  await admin.query("delete from call where id = $1", [id]);
  expect(await rows("select 1 from call_change where call_id = $1", id)).toEqual([]);
});

test("no log line, event or audit entry contains a value", async () => {
  const id = await imported();
  await patch(id, { agent_email: bob.email, metadata: { add: [{ key: "note", value: "a-secret-word" }] } });
  const recorded = JSON.stringify([await events(id), await entries(id)]);
  for (const value of ["a-secret-word", bob.email]) {
    for (const text of [recorded, log()]) expect(text).not.toContain(value);
  }
});

test("a key without the read scope changes a call and retries its preparation, but sees only id and status", async () => {
  const id = await imported();
  const manage = { "x-api-key": await key("manage") };
  const payload = { agent_email: "bob@example.com", metadata: { add: [{ key: "a", value: "b" }] } };
  const changed = await api.inject({ method: "PATCH", url: `/calls/${id}`, headers: manage, payload });
  expect([changed.statusCode, changed.json()]).toEqual([200, { id, status: "received" }]);
  // A change without effect returns no more than that either.
  const same = await api.inject({
    method: "PATCH",
    url: `/calls/${id}`,
    headers: manage,
    payload: { agent_id: bob.id },
  });
  expect([same.statusCode, same.json()]).toEqual([200, { id, status: "received" }]);
  for (const scope of ["manage", "import"] as const) {
    const request = {
      method: "POST",
      url: `/calls/${id}/prepare`,
      headers: { "x-api-key": await key(scope) },
    } as const;
    const answer = await api.inject(request);
    expect([answer.statusCode, answer.json()]).toEqual([202, { id, status: "received" }]);
  }
});
