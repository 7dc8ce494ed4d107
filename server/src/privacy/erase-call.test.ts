import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { prepareCall } from "../calls/prepare/prepare-call.ts";
import { startStep } from "../calls/prepare/prepare-step.ts";
import { resetPreparation } from "../calls/prepare/reset-preparation.ts";
import { createCampaign } from "../campaigns/create-campaign.ts";
import { operatorIn } from "../platform/actor.ts";
import { callImporter } from "../testing/import-calls.ts";
import { erasureRaces } from "../testing/run-scale.ts";
import { openTestApp } from "../testing/test-app.ts";
import { aTurn, storeTestTranscript } from "../testing/transcripts.ts";

const service = await openTestApp();
const { app, api, caller, admin, storedFiles } = service;
const { workspaceId } = caller;
const importCall = await callImporter(service);
const headers = { "x-api-key": await service.key("manage", "read") };
const ask = (method: "GET" | "POST" | "DELETE", url: string, payload?: object, more = headers) =>
  api.inject({ method, url, headers: more, ...(payload && { payload }) });
const erase = (id: string) => ask("DELETE", `/calls/${id}`);
const count = async (table: string, where = "true", values: unknown[] = []) =>
  (await admin.query(`select count(*)::int as n from ${table} where ${where}`, values)).rows[0].n as number;
const objects = async () => (await storedFiles()).filter((key) => !key.startsWith("erasures/"));

test("only the id of an erased call remains", async () => {
  const phone = "+33199990001";
  const { id } = await importCall({ metadata: [{ key: "phone", value: phone }] });
  await prepareCall.perform(app, { workspaceId, callId: id });
  expect((await objects()).length).toBe(3);
  const answer = await erase(id);
  expect([answer.statusCode, answer.body]).toEqual([204, ""]);
  expect(await objects()).toEqual([]);
  for (const table of ["call", "call_metadata", "call_step", "staged_object"]) expect(await count(table)).toBe(0);
  expect(await count("erased_call", "id = $1", [id])).toBe(1);
  expect(await count("event", "type = 'call.erased' and data->>'call_id' = $1", [id])).toBe(1);
  const { rows } = await admin.query("select * from audit_entry where subject_id = $1", [id]);
  expect(rows).toMatchObject([{ action: "call.erased", actor_type: "key" }]);
  const [shown] = (await ask("GET", "/erasures")).json().erasures;
  expect(shown).toMatchObject({ kind: "call", state: "done", call_id: id, found: 1, erased: 1, held: 0 });
  const certificate = (await ask("GET", `/erasures/${shown.id}/certificate`)).json();
  expect(certificate.audit).toEqual({ number: Number(rows[0].number), hash: rows[0].hash.toString("hex") });
  expect(JSON.stringify(certificate)).not.toContain(phone);
});

test("objects that were replaced are deleted with the call, although the sweeper would keep them for reads in progress", async () => {
  const { id } = await importCall();
  await prepareCall.perform(app, { workspaceId, callId: id });
  const { rows } = await admin.query("select playback_key from call where id = $1", [id]);
  expect(await resetPreparation(app, { workspaceId, id }, rows[0].playback_key)).toBe(true);
  await prepareCall.perform(app, { workspaceId, callId: id });
  expect((await objects()).length).toBe(5);
  expect((await erase(id)).statusCode).toBe(204);
  expect([await objects(), await count("staged_object")]).toEqual([[], 0]);
});

test("the words of an erased call are gone, also those of a transcription that has begun", async () => {
  const { id } = await importCall();
  const { objectKey } = await storeTestTranscript(service, id, [aTurn("left", 0, "Hello Mister Nguyen")]);
  const keyObject = `transcripts/${workspaceId}/2026-05-01/${randomUUID()}`;
  await admin.query("insert into transcript_run (workspace_id, call_id, key_object) values ($1, $2, $3)", [
    workspaceId,
    id,
    keyObject,
  ]);
  await admin.query("insert into transcript_stretch (workspace_id, call_id, number) values ($1, $2, 0)", [
    workspaceId,
    id,
  ]);
  const upload = app.storage.create(keyObject, workspaceId);
  await upload.write(Buffer.from("key"));
  await upload.finish();
  expect(await objects()).toEqual(expect.arrayContaining([objectKey, keyObject]));
  expect((await erase(id)).statusCode).toBe(204);
  expect((await objects()).filter((key) => key.startsWith("transcripts/"))).toEqual([]);
  for (const table of ["transcript", "transcript_run", "transcript_stretch"]) expect(await count(table)).toBe(0);
});

test("an erased call and an unknown call get the same response", async () => {
  const { id } = await importCall();
  await erase(id);
  const [erased, random] = [await erase(id), await erase(randomUUID())];
  const plain = (answer: typeof erased) => answer.body.replace(answer.json().request_id, "");
  expect([erased.statusCode, plain(erased)]).toEqual([404, plain(random)]);
});

test("importing an erased call returns the status erased and stores nothing", async () => {
  const metadata = [{ key: "phone", value: "+33199990002" }];
  const call = await importCall({ seed: 7, metadata });
  await erase(call.id);
  const before = await objects();
  const again = await importCall({ seed: 7, metadata });
  expect(again).toMatchObject({ id: call.id, status: "erased", duplicate: true, metadata: [], created_at: null });
  expect(again.recording).toEqual(call.recording);
  expect(again.agent).toEqual(call.agent);
  expect(again.warnings).toMatchObject([{ code: "call_erased" }]);
  expect(await objects()).toEqual(before);
  expect(await count("call", "id = $1", [call.id])).toBe(0);
  expect(await count("outgoing_job", "name = 'call.prepare' and payload->>'callId' = $1", [call.id])).toBe(1);
});

test.each(["call", "agent", "campaign"] as const)(
  "a legal hold on its %s protects a call from erasure",
  async (type) => {
    const call = await importCall();
    const id = { call: call.id, agent: call.agent.id, campaign: call.campaign_id }[type];
    const hold = (await ask("POST", "/holds", { [`${type}_id`]: id, reason: "Case 1" })).json();
    const rejected = await erase(call.id);
    expect([rejected.statusCode, rejected.json().code]).toEqual([409, "on_hold"]);
    expect(await count("call", "id = $1", [call.id])).toBe(1);
    expect((await ask("DELETE", `/holds/${hold.id}`)).statusCode).toBe(204);
    expect((await erase(call.id)).statusCode).toBe(204);
    const { holds } = (await ask("GET", "/holds?state=all")).json();
    // The reason of a hold on the call is deleted with the call; other reasons stay.
    expect(holds[0]).toMatchObject({ id: hold.id, active: false, reason: type === "call" ? "" : "Case 1" });
  },
);

test("a key restricted to other campaigns gets 404 for the call", async () => {
  await createCampaign(app, operatorIn(workspaceId), { id: "other", name: "Other" });
  const key = await service.key("manage");
  await admin.query("update api_key set campaign_ids = '{other}' where scopes = '{manage}'");
  const [ours, others] = [await importCall({ campaignId: "other" }), await importCall()];
  const as = { "x-api-key": key };
  expect((await ask("DELETE", `/calls/${others.id}`, undefined, as)).statusCode).toBe(404);
  expect((await ask("DELETE", `/calls/${ours.id}`, undefined, as)).statusCode).toBe(204);
  expect((await ask("GET", "/erasures", undefined, as)).statusCode).toBe(403);
});

test("an import that races with the erasure of its call never restores it", async () => {
  let erasedAnswers = 0;
  let erasureMs = 10;
  for (let round = 0; round < erasureRaces; round++) {
    const seed = 50_000 + round;
    const { id } = await importCall({ seed });
    const began = performance.now();
    // Spread over twice the duration of the previous erasure, so that imports run before, during and after this one.
    const [removed, ...imports] = await Promise.all([
      erase(id).finally(() => {
        erasureMs = performance.now() - began;
      }),
      ...[0, 0.5, 1, 2].map(async (later) => {
        await sleep(later * erasureMs);
        return importCall({ seed });
      }),
    ]);
    expect(removed.statusCode).toBe(204);
    for (const call of imports) expect([call.id, call.duplicate]).toEqual([id, true]);
    erasedAnswers += imports.filter(({ status }) => status === "erased").length;
    expect(await count("call", "id = $1", [id]), `round ${round}`).toBe(0);
  }
  expect(await count("staged_object")).toBe(0);
  expect(erasedAnswers).toBeGreaterThan(0);
  expect(erasedAnswers).toBeLessThan(erasureRaces * 4);
}, 120_000);

test("of concurrent erasures of the same call, one succeeds", async () => {
  const { id } = await importCall();
  const statuses = (await Promise.all([erase(id), erase(id), erase(id)])).map(({ statusCode }) => statusCode);
  expect(statuses.sort()).toEqual([204, 404, 404]);
});

test("a worker that prepares a call during its erasure leaves no objects and emits no event", async () => {
  for (let round = 0; round < 12; round++) {
    const { id } = await importCall();
    const preparing = prepareCall.perform(app, { workspaceId, callId: id });
    await new Promise((resolve) => setTimeout(resolve, round * 40));
    expect((await erase(id)).statusCode).toBe(204);
    await preparing;
    const { rows } = await admin.query("select type from event where data->>'call_id' = $1 order by xid, seq", [id]);
    expect(rows.at(-1)).toEqual({ type: "call.erased" });
    await prepareCall.perform(app, { workspaceId, callId: id });
    expect(await startStep(app, { workspaceId, id })).toBeUndefined();
  }
  const claimed = await admin.query("select recording_key, playback_key, drawing_key from call");
  const known = new Set(claimed.rows.flatMap(Object.values));
  expect((await objects()).filter((key) => !known.has(key))).toEqual([]);
  expect(await count("staged_object")).toBe(0);
}, 120_000);

test("a legal hold on an agent also covers calls that were theirs before a change", async () => {
  const call = await importCall();
  const invited = { email: "later@example.com", name: "Lou Ter", role: "agent", send_invite_email: false };
  const { id: laterId } = (await ask("POST", "/users/invite", invited)).json();
  const hold = (await ask("POST", "/holds", { agent_id: call.agent.id, reason: "Case 9" })).json();
  const moved = await api.inject({
    method: "PATCH",
    url: `/calls/${call.id}`,
    headers,
    payload: { agent_id: laterId },
  });
  expect(moved.json().agent.id).toBe(laterId);
  expect((await erase(call.id)).json().code).toBe("on_hold");
  await ask("DELETE", `/holds/${hold.id}`);
  expect((await erase(call.id)).statusCode).toBe(204);
});
