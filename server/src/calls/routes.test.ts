import { readFile } from "node:fs/promises";
import { type CallDetailBody, callWarningCodes, failureCodes } from "@hearback/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { changeCampaign } from "../campaigns/change-campaign.ts";
import { operatorIn } from "../platform/actor.ts";
import { aForm } from "../testing/forms.ts";
import { aConversation, aRecording } from "../testing/sounds.ts";
import { openTestApp } from "../testing/test-app.ts";
import { abandonCall, prepareCall } from "./prepare/prepare-call.ts";
import { startStep } from "./prepare/prepare-step.ts";
import { requeue } from "./prepare/requeue-stranded-calls.ts";

const service = await openTestApp({ RECORDING_RETRY_SECONDS: "0" });
const { app, api, caller, campaignId, agentEmail, admin } = service;
const { workspaceId } = caller;
const headers = { "x-api-key": await service.key("import", "read", "manage") };
let time = 1_714_557_600;

async function imported(file: Buffer): Promise<string> {
  const form = aForm(
    ["campaign_id", campaignId],
    ["conversation_timestamp", String(time++)],
    ["agent_email", agentEmail],
    ["file", file],
  );
  const request = { method: "POST", url: "/calls/audio", payload: form.payload } as const;
  return (await api.inject({ ...request, headers: { ...headers, ...form.headers } })).json().id;
}
const prepare = (callId: string) => prepareCall.perform(app, { workspaceId, callId });
const get = (url: string, more: Record<string, string> = {}) => api.inject({ url, headers: { ...headers, ...more } });
const detail = async (id: string) => (await get(`/calls/${id}`)).json() as CallDetailBody;
const patch = (id: string, payload: object) => api.inject({ method: "PATCH", url: `/calls/${id}`, headers, payload });
const retry = (id: string) => api.inject({ method: "POST", url: `/calls/${id}/prepare`, headers });
const events = async (callId: string) =>
  (await admin.query("select type from event where data->>'call_id' = $1 order by seq", [callId])).rows.map(
    ({ type }) => type,
  );

const recording = aConversation({ left: [1, 3], right: [4, 7] });
let ready = "";
beforeAll(async () => {
  ready = await imported(recording);
  await prepare(ready);
});

describe("a call that is ready", () => {
  test("returns talk time per side", async () => {
    const { status, audio, steps, recording: facts } = await detail(ready);
    expect([status, facts.duration_ms, facts.channels]).toEqual(["ready", 8000, 2]);
    expect(audio).toMatchObject({ layout: "dual", overtalk_ms: 0 });
    const [left, right] = audio?.sides ?? [];
    expect([left?.side, right?.side]).toEqual(["left", "right"]);
    expect(Math.abs((left?.talk_ms ?? 0) - 2000)).toBeLessThan(50);
    expect(Math.abs((right?.talk_ms ?? 0) - 3000)).toBeLessThan(50);
    expect(Math.abs((audio?.silence_ms ?? 0) - 3000)).toBeLessThan(100);
    expect(steps).toMatchObject([{ step: "prepare", state: "done", attempts: 1 }]);
    expect(await events(ready)).toEqual(["call.imported", "call.ready"]);
  });

  test("names its sides once the campaign or the call sets the agent's channel", async () => {
    const names = async () => (await detail(ready)).audio?.sides.map(({ side }) => side);
    await changeCampaign(app, operatorIn(workspaceId), campaignId, { agentChannel: "left" });
    expect(await names()).toEqual(["agent", "customer"]);
    expect((await patch(ready, { agent_channel: "right" })).json().agent_channel).toEqual({
      value: "right",
      from: "call",
    });
    expect(await names()).toEqual(["customer", "agent"]);
    expect((await get(`/calls/${ready}/speech`)).json().sides[1]).toMatchObject({ side: "agent", channel: "right" });
    await patch(ready, { agent_channel: "unknown" });
    expect(await names()).toEqual(["left", "right"]);
    await patch(ready, { agent_channel: null });
    expect(await names()).toEqual(["agent", "customer"]);
    expect((await events(ready)).filter((type) => type === "call.changed")).toHaveLength(3);
    await changeCampaign(app, operatorIn(workspaceId), campaignId, { agentChannel: null });
  });

  test.each([
    [{}, 400],
    [{ agent_channel: "up" }, 422],
    [{ agent_channel: "left", more: 1 }, 422],
  ])("rejects the change %j", async (body, status) => {
    expect((await patch(ready, body)).statusCode).toBe(status);
  });

  test("serves the audio whole or in ranges, and the original recording unchanged", async () => {
    const whole = await get(`/calls/${ready}/audio`);
    expect([whole.statusCode, whole.headers["content-type"]]).toEqual([200, "audio/mp4"]);
    expect(whole.rawPayload.subarray(4, 8).toString()).toBe("ftyp");
    const part = await get(`/calls/${ready}/audio`, { range: "bytes=4-7" });
    expect([part.statusCode, part.body, part.headers["content-length"]]).toEqual([206, "ftyp", "4"]);
    expect(part.headers["content-range"]).toBe(`bytes 4-7/${whole.rawPayload.length}`);
    const beyond = await get(`/calls/${ready}/audio`, { range: "bytes=99999999-" });
    expect([beyond.statusCode, beyond.json().code]).toEqual([416, "range_not_satisfiable"]);
    const original = await get(`/calls/${ready}/audio?original=true`);
    expect(original.rawPayload.equals(recording)).toBe(true);
  });

  test("has a waveform with 50 points per second and channel", async () => {
    const { rawPayload } = await get(`/calls/${ready}/waveform`);
    expect(rawPayload).toHaveLength(24 + 8 * 50 * 2 * 2);
  });

  test("is prepared once even if the job runs again, and cannot be retried", async () => {
    await prepare(ready);
    expect((await events(ready)).filter((type) => type === "call.ready")).toHaveLength(1);
    const answer = await retry(ready);
    expect([answer.statusCode, answer.json().code]).toEqual([409, "call_ready"]);
  });
});

test.each([
  ["both speaking at the same time", { left: [1, 3], right: [1, 3] }, "dual", []],
  ["no speech on the right", { left: [1, 3], right: [0, 0] }, "one_silent", ["side_silent"]],
  ["no speech at all", { left: [0, 0], right: [0, 0] }, "dual", ["nothing_but_silence"]],
] as const)("a recording with %s", async (_, hums, layout, warnings) => {
  const id = await imported(aConversation(hums));
  await prepare(id);
  const call = await detail(id);
  expect([call.audio?.layout, call.warnings.map(({ code }) => code)]).toEqual([layout, warnings]);
});

test("a mono recording has one mixed side", async () => {
  const id = await imported(aRecording({ seconds: 2 }));
  await prepare(id);
  expect((await detail(id)).audio).toMatchObject({
    layout: "mono",
    overtalk_ms: null,
    sides: [{ side: "mixed", channel: "both" }],
  });
});

test("a waiting call reports its state, and a warning if it waits too long", async () => {
  const id = await imported(aConversation({ left: [1, 2], right: [3, 4] }));
  expect(await detail(id)).toMatchObject({ status: "received", audio: null, steps: [{ state: "waiting" }] });
  const early = await get(`/calls/${id}/audio`);
  expect([early.statusCode, early.json().code]).toEqual([409, "call_not_ready"]);
  await admin.query("update call set created_at = now() - interval '20 minutes' where id = $1", [id]);
  expect((await detail(id)).warnings).toMatchObject([{ code: "preparation_delayed" }]);
  await admin.query("update call set created_at = now() where id = $1", [id]);
});

test("a failed call reports the reason, emits one event and can be retried", async () => {
  const id = await imported(aConversation({ left: [2, 3], right: [5, 6] }));
  const { rows } = await admin.query("select recording_key from call where id = $1", [id]);
  await app.storage.delete(rows[0].recording_key);
  await prepare(id);
  await prepare(id);
  const failed = await detail(id);
  expect(failed).toMatchObject({ status: "failed", failure: { code: "recording_missing" } });
  expect(failed.steps).toMatchObject([{ state: "failed", reason: { code: "recording_missing" } }]);
  expect((await get(`/calls/${id}/audio`)).json().code).toBe("call_failed");

  const upload = app.storage.create(rows[0].recording_key, "nobody");
  await upload.write(aConversation({ left: [2, 3], right: [5, 6] }).subarray(0, 200_000));
  await upload.write(aConversation({ left: [2, 3], right: [5, 6] }).subarray(200_000));
  await upload.finish();
  const answer = await retry(id);
  expect([answer.statusCode, answer.json().status]).toEqual([202, "received"]);
  await prepare(id);
  expect(await detail(id)).toMatchObject({ status: "ready" });
  expect(await events(id)).toEqual(["call.imported", "call.failed", "call.ready"]);
});

test("a call fails after its last retry unless preparation was requested again", async () => {
  const id = await imported(aConversation({ left: [1, 2], right: [5, 6] }, 9));
  await abandonCall.perform(app, { workspaceId, callId: id });
  expect(await detail(id)).toMatchObject({ status: "received" });
  await startStep(app, { workspaceId, id });
  await abandonCall.perform(app, { workspaceId, callId: id });
  expect(await detail(id)).toMatchObject({ status: "failed", failure: { code: "preparation_abandoned" } });
  await retry(id);
  await abandonCall.perform(app, { workspaceId, callId: id });
  expect(await detail(id)).toMatchObject({ status: "received", warnings: [], steps: [{ state: "waiting" }] });
});

const jobsOf = async (callId: string) =>
  (await admin.query("select 1 from outgoing_job where payload->>'callId' = $1", [callId])).rows.length;

test("a call that has a job gets no second one; a call that lost its job gets a new one", async () => {
  const id = await imported(aConversation({ left: [1, 2], right: [5, 6] }, 10));
  expect((await retry(id)).statusCode).toBe(202);
  expect(await jobsOf(id)).toBe(1);
  await admin.query("delete from outgoing_job");
  expect(await requeue(app)).toBe(0);
  await admin.query("update call set created_at = now() - interval '2 hours' where id = $1", [id]);
  expect(await requeue(app)).toBe(1);
  expect(await jobsOf(id)).toBe(1);
});

test.each(["not-an-id", "019a8557-5400-8c9f-8d0e-0f6a3b1f2c4d"])("returns 404 for the call id %s", async (id) => {
  for (const answer of [await get(`/calls/${id}`), await retry(id), await patch(id, { agent_channel: "left" })]) {
    expect([answer.statusCode, answer.json().code]).toEqual([404, "call_not_found"]);
  }
});

test("docs/calls.md documents every failure and every warning", async () => {
  const page = await readFile(new URL("../../../docs/calls.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| `(\w+)`/gm)].map(([, code]) => code);
  expect([...failureCodes, ...callWarningCodes].filter((code) => !rows.includes(code))).toEqual([]);
});
