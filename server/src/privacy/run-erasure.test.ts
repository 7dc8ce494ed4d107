import { createHash } from "node:crypto";
import { type CallBody, emailKey } from "@hearback/contract";
import { expect, test } from "vitest";
import { openSignInThrottle } from "../access/throttle/sign-in-throttle.ts";
import { signInThrottles, throttleDigest } from "../access/throttle/sign-in-throttle-rules.ts";
import { actorOf, operatorIn } from "../platform/actor.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { callImporter } from "../testing/import-calls.ts";
import { openTestApp } from "../testing/test-app.ts";
import { createTestUser } from "../testing/users.ts";
import { inviteUser } from "../users/invite-user.ts";
import { findErasure } from "./erasure.ts";
import { createHold } from "./holds/create-hold.ts";
import { digestOf } from "./ids-digest.ts";
import { eraseRequested, runErasure } from "./run-erasure.ts";

const service = await openTestApp();
const { app, api, caller, admin, storedFiles } = service;
const { workspaceId } = caller;
const importCall = await callImporter(service);
const headers = { "x-api-key": await service.key("manage") };
const post = (url: string, payload: object) => api.inject({ method: "POST", url, headers, payload });
const find = (id: string) => inWorkspace(app, workspaceId, (tx) => findErasure(tx, workspaceId, id));
const callIds = async () => (await admin.query("select id from call")).rows.map(({ id }) => id as string).sort();
const ids = (calls: readonly CallBody[]) => calls.map(({ id }) => id).sort();
const run = (id: string) => eraseRequested.perform(app, { workspaceId, erasureId: id });

async function many(total: number, options: Parameters<typeof importCall>[0] = {}): Promise<CallBody[]> {
  const calls: CallBody[] = [];
  let count = total;
  const lane = async () => {
    while (count-- > 0) calls.push(await importCall(options));
  };
  await Promise.all(Array.from({ length: 10 }, lane));
  return calls;
}

async function anAgent(email: string) {
  return inviteUser(app, operatorIn(workspaceId), { email, name: "Zoë Quill", role: "agent", sendInvitation: false });
}

test("erasing an agent keeps the sign-in throttle for the same email address in another workspace", async () => {
  const email = "two.places@example.com";
  const { workspaceId: elsewhere } = await service.anotherWorkspace();
  await createTestUser(app, elsewhere, { email });
  const agent = await anAgent(email);
  const counts = signInThrottles(email, "10.0.0.2");
  await openSignInThrottle(app).take(counts);
  await run((await post("/erasures", { agent_id: agent.id })).json().id);
  expect((await admin.query("select from app_user where id = $1", [agent.id])).rowCount).toBe(0);
  expect((await admin.query("select from sign_in_guess where digest = $1", [counts.email])).rowCount).toBe(1);
});

test("an erasure by metadata erases exactly the calls with that entry", async () => {
  const phone = "+33123456789";
  const long = `${"x".repeat(300)}1`;
  const near = [
    { key: "phone", value: `${phone}0` },
    { key: "phone", value: phone.slice(0, -1) },
    { key: "phone", value: ` ${phone}` },
    { key: "Phone", value: phone },
    { key: "callback", value: phone },
    { key: "name", value: "ANN" },
    { key: "long", value: `${"x".repeat(300)}2` },
  ];
  const others = await Promise.all(near.map((entry) => importCall({ metadata: [entry] })));
  const hits = await many(7, {
    metadata: [
      { key: "site", value: "Lyon" },
      { key: "phone", value: phone },
    ],
  });
  hits.push(
    await importCall({
      metadata: [
        { key: "phone", value: phone },
        { key: "phone", value: phone },
      ],
    }),
  );
  const longHit = await importCall({ metadata: [{ key: "long", value: long }] });
  expect((await post("/erasures/preview", { metadata: { key: "long", value: long } })).json().calls).toBe(1);
  expect((await post("/erasures/preview", { metadata: { key: "name", value: "ann" } })).json().calls).toBe(0);

  const subject = { metadata: { key: "phone", value: phone } };
  const preview = (await post("/erasures/preview", subject)).json();
  const bytes = hits.reduce((sum, { recording }) => sum + recording.bytes, 0);
  expect(preview).toMatchObject({ calls: 8, held: 0, bytes, campaigns: [{ calls: 8, held: 0 }] });
  expect(preview.first_conversation).toBe("2026-05-01T10:00:00.000Z");
  const requested = await post("/erasures", subject);
  expect(requested.statusCode).toBe(202);
  await run(requested.json().id);
  expect(await callIds()).toEqual(ids([...others, longHit]));
  const done = await find(requested.json().id);
  expect(done).toMatchObject({ state: "done", found: 8, erased: 8, held: 0, metadataKey: null, metadataValue: null });
  const text = ids(hits).map((id) => `${id}\n`);
  expect(done.idsDigest).toEqual(createHash("sha256").update(text.join("")).digest());
  expect(done.idsDigest).toEqual(digestOf(ids(hits).toReversed()));
  expect((await admin.query("select 1 from erasure_call")).rows).toEqual([]);
  const { rows } = await admin.query(
    "select action, actor_type from audit_entry where subject_id = $1 order by number",
    [done.id],
  );
  expect(rows).toEqual([
    { action: "erasure.requested", actor_type: "key" },
    { action: "erasure.done", actor_type: "system" },
  ]);
});

test("an agent is erased with all calls; recreated, they have the same id and the calls stay erased", async () => {
  const agent = await anAgent("Zoe.Quill@example.com");
  const call = await importCall({ agentEmail: agent.email, seed: 9 });
  await many(4, { agentEmail: agent.email });
  await openSignInThrottle(app).take(signInThrottles(agent.email, "10.0.0.1"));
  const { id } = (await post("/erasures", { agent_id: agent.id })).json();
  await run(id);
  const counted = await admin.query("select from sign_in_guess where digest = $1", [
    throttleDigest("email", emailKey(agent.email)),
  ]);
  expect(counted.rowCount).toBe(0);
  expect(await find(id)).toMatchObject({ state: "done", erased: 5, held: 0, agentErased: true });
  const dump = await admin.query("select row_to_json(app_user)::text as text from app_user");
  expect(JSON.stringify(dump.rows)).not.toMatch(/Quill/i);
  const digest = createHash("sha256")
    .update(workspaceId + emailKey(agent.email))
    .digest();
  expect((await admin.query("select * from erased_agent where user_id = $1", [agent.id])).rows).toMatchObject([
    { digest },
  ]);
  await expect(importCall({ agentEmail: agent.email, seed: 9 })).rejects.toThrow(/agent_not_found/);

  expect((await anAgent(" zoe.quill@EXAMPLE.com")).id).toBe(agent.id);
  expect(await importCall({ agentEmail: agent.email, seed: 9 })).toMatchObject({ id: call.id, status: "erased" });
  expect(await importCall({ agentEmail: agent.email })).toMatchObject({ status: "received", agent: { id: agent.id } });
});

test("calls under legal hold are kept and counted, and their agent is kept", async () => {
  const agent = await anAgent("held@example.com");
  const calls = await many(6, { agentEmail: agent.email });
  const kept = calls.slice(2, 4);
  for (const call of kept) {
    const subject = { type: "call", id: call.id } as const;
    await createHold(app, { workspaceId, actor: actorOf(caller) }, { subject, reason: "Case 7" });
  }
  expect((await post("/erasures/preview", { agent_id: agent.id })).json()).toMatchObject({ calls: 6, held: 2 });
  const { id } = (await post("/erasures", { agent_id: agent.id })).json();
  await run(id);
  expect(await find(id)).toMatchObject({ state: "done", found: 6, erased: 4, held: 2, agentErased: false });
  expect((await callIds()).filter((id) => calls.some((call) => call.id === id))).toEqual(ids(kept));
  expect((await admin.query("select email from app_user where id = $1", [agent.id])).rows).toHaveLength(1);
});

test("an erasure that is interrupted and run concurrently counts each call once", async () => {
  const agent = await anAgent("stopped@example.com");
  await many(230, { agentEmail: agent.email });
  const { id } = (await post("/erasures", { agent_id: agent.id })).json();
  const ref = { workspaceId, id };
  const running = (await api.inject({ url: `/erasures/${id}/certificate`, headers })).json();
  expect(running.code).toBe("erasure_running");
  for (let stops = 0; stops < 2; stops++) {
    const stop = new AbortController();
    await expect(runErasure(app, ref, { signal: stop.signal, onProgress: () => stop.abort() })).rejects.toThrow();
    expect((await find(id)).erased).toBe(100 * (stops + 1));
  }
  await Promise.all([run(id), run(id), run(id)]);
  await run(id);
  expect(await find(id)).toMatchObject({ state: "done", found: 230, erased: 230, agentErased: true });
  const events = await admin.query(
    "select count(*)::int as n from event where type = 'call.erased' and data->>'agent_id' = $1",
    [agent.id],
  );
  expect(events.rows).toEqual([{ n: 230 }]);
  const claimed = new Set((await admin.query("select recording_key from call")).rows.map((row) => row.recording_key));
  const left = (await storedFiles()).filter((key) => !key.startsWith("erasures/") && !claimed.has(key));
  expect(left).toEqual([]);
}, 60_000);

test("of a concurrent hold and erasure of the same call, exactly one succeeds", async () => {
  const agent = await anAgent("racing@example.com");
  for (let round = 0; round < 15; round++) {
    const call = await importCall({ agentEmail: agent.email });
    const hold = post("/holds", { call_id: call.id, reason: "race" });
    const [held, erased] = await Promise.all([
      hold,
      api.inject({ method: "DELETE", url: `/calls/${call.id}`, headers }),
    ]);
    expect([
      [201, 409],
      [404, 204],
    ]).toContainEqual([held.statusCode, erased.statusCode]);
    expect((await callIds()).includes(call.id)).toBe(held.statusCode === 201);
  }
});

test("during the erasure of an agent, imports get 404 or their calls are erased too", async () => {
  const agent = await anAgent("busy@example.com");
  await many(20, { agentEmail: agent.email });
  const { id } = (await post("/erasures", { agent_id: agent.id })).json();
  const imports = Promise.allSettled(Array.from({ length: 40 }, () => importCall({ agentEmail: agent.email })));
  await run(id);
  for (const result of await imports) {
    if (result.status === "rejected") expect(String(result.reason)).toMatch(/404.*agent_not_found/);
  }
  expect((await admin.query("select 1 from call where agent_id = $1", [agent.id])).rows).toEqual([]);
  expect((await find(id)).agentErased).toBe(true);
});

test.each([
  ["nothing", {}, 422],
  ["two subjects", { call_id: crypto.randomUUID(), agent_id: crypto.randomUUID() }, 422],
  ["an unknown field", { agent: 1 }, 422],
  ["an unknown call", { call_id: crypto.randomUUID() }, 404],
  ["an unknown agent", { agent_id: crypto.randomUUID() }, 404],
])("rejects %s", async (_, body, status) => {
  expect((await post("/erasures", body)).statusCode).toBe(status);
  expect((await post("/erasures/preview", body)).statusCode).toBe(status);
});

test("an erasure by metadata finds values in the change history", async () => {
  const metadata = [{ key: "phone", value: "+33170000001" }];
  const call = await importCall({ metadata });
  const payload = { metadata: { remove: metadata, add: [{ key: "phone", value: "+33170000002" }] } };
  const changed = await api.inject({ method: "PATCH", url: `/calls/${call.id}`, headers, payload });
  expect(changed.statusCode, changed.body).toBe(200);
  const subject = { metadata: metadata[0] };
  expect((await post("/erasures/preview", subject)).json()).toMatchObject({ calls: 1 });
  const { id } = (await post("/erasures", subject)).json();
  await run(id);
  expect(await find(id)).toMatchObject({ state: "done", found: 1, erased: 1 });
  expect((await admin.query("select 1 from call_change where call_id = $1", [call.id])).rows).toEqual([]);
});
