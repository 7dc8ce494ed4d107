import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { ObjectMissing } from "../../platform/storage/types.ts";
import { callImporter } from "../../testing/import-calls.ts";
import { aRecording } from "../../testing/sounds.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { findCall } from "../call/find-call.ts";
import { openRecordingReceiver } from "../objects/receive-recording.ts";
import { sweepObjects } from "../objects/staged-objects.ts";
import { prepareCall } from "../prepare/prepare-call.ts";
import { verifyRecordings } from "../prepare/verify-recordings.ts";
import { findCampaignAndAgent } from "./find-campaign-and-agent.ts";
import { importCall } from "./import-call.ts";

const service = await openTestApp({ RECORDING_RETRY_SECONDS: "0" });
const { app, api, admin, caller, campaignId, agentEmail, storedFiles } = service;
const { workspaceId } = caller;
const post = await callImporter(service);
const headers = { "x-api-key": await service.key("import", "read", "manage") };
const at = new Date("2026-05-01T10:00:00Z");
let seed = 1;

/** All imports use the same conversation time, so sending the same file twice is the same call. */
const aFile = () => aRecording({ seconds: 2, seed: seed++ });
const send = (file: Buffer) => post({ file, at });
const stored = (id: string) => inWorkspace(app, workspaceId, (tx) => findCall(tx, workspaceId, id));
const prepare = (callId: string, on: App = app) => prepareCall.perform(on, { workspaceId, callId });
const audio = async (id: string) => (await api.inject({ url: `/calls/${id}/audio?original=true`, headers })).statusCode;
const warningCodes = ({ warnings }: { warnings: { code: string }[] }) => warnings.map(({ code }) => code);

async function overwrite(key: string, bytes: Buffer): Promise<void> {
  await app.storage.delete(key);
  const upload = app.storage.create(key, "nobody");
  await upload.write(bytes);
  await upload.finish();
}

async function lookUp(file: Buffer) {
  const sha256 = createHash("sha256").update(file).digest("hex");
  const fingerprint = {
    sha256,
    conversation_timestamp: at.getTime() / 1000,
    agent_email: agentEmail,
    campaign_id: campaignId,
  };
  const answer = await api.inject({
    method: "POST",
    url: "/calls/lookup",
    headers,
    payload: { fingerprints: [fingerprint] },
  });
  return answer.json().calls[0];
}

async function expectNothingLeftOver(): Promise<void> {
  await sweepObjects(app, { olderThanMs: -1_000 });
  const { rows } = await admin.query("select recording_key, playback_key, drawing_key from call");
  const named = rows.flatMap((row) => Object.values(row)).filter((key) => key !== null);
  expect((await storedFiles()).filter((key) => !key.startsWith("erasures/")).sort()).toEqual(named.sort());
}

test("importing a ready call again restores its lost recording", async () => {
  const file = aFile();
  const { id } = await send(file);
  await prepare(id);
  const before = await stored(id);
  await app.storage.delete(before.recordingKey);
  expect(await audio(id)).toBe(410);

  const again = await send(file);
  expect([again.id, again.duplicate, again.status, warningCodes(again)]).toEqual([
    id,
    true,
    "received",
    ["recording_restored"],
  ]);
  await prepare(id);
  expect(await stored(id)).toMatchObject({ status: "ready", campaignId, agentId: before.agentId });
  expect(await audio(id)).toBe(200);
  const { rows } = await admin.query("select payload from outgoing_job where payload->>'callId' = $1", [id]);
  expect(rows).toHaveLength(2);
  await expectNothingLeftOver();
});

test("importing a call again replaces its corrupt recording; until then, lookup reports it as lost", async () => {
  const file = aFile();
  const { id } = await send(file);
  await overwrite((await stored(id)).recordingKey, Buffer.alloc(file.length, 7));
  await prepare(id);
  expect(await stored(id)).toMatchObject({ failureCode: "recording_corrupt" });
  expect(await lookUp(file)).toEqual({ status: "missing", id, reason: "recording_lost" });

  expect(await send(file)).toMatchObject({ id, status: "received", duplicate: true });
  expect(await lookUp(file)).toEqual({ status: "present", id });
  await prepare(id);
  expect(await stored(id)).toMatchObject({ status: "ready", failureCode: null });
  await expectNothingLeftOver();
});

test("lookup reports recordings that verify found damaged, and importing them again restores them", async () => {
  const file = aFile();
  const { id } = await send(file);
  await prepare(id);
  const { recordingKey } = await stored(id);
  await overwrite(recordingKey, Buffer.from(file).fill(9, 500, 501));
  expect(await lookUp(file)).toEqual({ status: "present", id });
  expect((await verifyRecordings(app, {})).damaged).toMatchObject([{ callId: id, problem: "differs" }]);
  expect(await lookUp(file)).toEqual({ status: "missing", id, reason: "recording_lost" });
  // Restored from a backup: the next run clears the damage flag.
  await overwrite(recordingKey, file);
  await verifyRecordings(app, {});
  expect(await lookUp(file)).toEqual({ status: "present", id });

  await overwrite(recordingKey, Buffer.from(file).fill(9, 500, 501));
  await verifyRecordings(app, {});
  expect(warningCodes(await send(file))).toEqual(["recording_restored"]);
  expect((await verifyRecordings(app, {})).damaged).toEqual([]);
  await prepare(id);
  await expectNothingLeftOver();
});

test("a duplicate import does not replace an intact recording", async () => {
  const file = aFile();
  const { id } = await send(file);
  await prepare(id);
  const before = await stored(id);
  expect(await send(file)).toMatchObject({ id, duplicate: true, status: "ready", warnings: [] });
  expect(await stored(id)).toEqual(before);
  await expectNothingLeftOver();
});

test("concurrent imports of a lost recording replace it once", async () => {
  const file = aFile();
  const { id } = await send(file);
  await app.storage.delete((await stored(id)).recordingKey);
  const answers = await Promise.all(Array.from({ length: 8 }, () => send(file)));
  expect(answers.every((answer) => answer.id === id && answer.duplicate)).toBe(true);
  expect(answers.filter((answer) => warningCodes(answer).length > 0)).toHaveLength(1);
  await prepare(id);
  expect(await stored(id)).toMatchObject({ status: "ready" });
  await expectNothingLeftOver();
});

/** Calls the importer directly, with the given storage. */
async function importWith(storage: App["storage"], file: Buffer) {
  const withStorage = { ...app, storage };
  const recording = openRecordingReceiver(withStorage)(workspaceId);
  await recording.write(file);
  const target = await findCampaignAndAgent(app, caller, campaignId, agentEmail);
  return importCall(withStorage, caller, { target, happenedAt: at, metadata: [], recording });
}

test("a call that is erased while its recording is replaced stays erased", async () => {
  const file = aFile();
  const { id } = await send(file);
  await app.storage.delete((await stored(id)).recordingKey);
  const size = async () => {
    expect((await api.inject({ method: "DELETE", url: `/calls/${id}`, headers })).statusCode).toBe(204);
    return undefined;
  };
  expect(await importWith({ ...app.storage, size }, file)).toMatchObject({ erased: true, restored: false });
  expect((await admin.query("select from call where id = $1", [id])).rows).toEqual([]);
  await expectNothingLeftOver();
});

test("a worker that was reading the lost recording does not fail the restored call", async () => {
  const file = aFile();
  const { id } = await send(file);
  await app.storage.delete((await stored(id)).recordingKey);
  const get = async (key: string) => {
    await send(file);
    throw new ObjectMissing(key);
  };
  await prepare(id, { ...app, storage: { ...app.storage, get } });
  expect(await stored(id)).toMatchObject({ status: "received", failureCode: null });
  await prepare(id);
  expect(await stored(id)).toMatchObject({ status: "ready" });
  await expectNothingLeftOver();
});
