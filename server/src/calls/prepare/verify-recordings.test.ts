import { cp, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openFilesystem } from "../../platform/storage/filesystem.ts";
import { aForm } from "../../testing/forms.ts";
import { aRecording } from "../../testing/sounds.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { restoreFromCopy } from "../objects/restore-object.ts";
import { prepareCall } from "./prepare-call.ts";
import { verifyRecordings } from "./verify-recordings.ts";

const { app, api, key, admin, caller, campaignId, agentEmail } = await openTestApp();
const apiKey = await key("import");

const { workspaceId } = caller;
const root = app.config.storage.kind === "filesystem" ? app.config.storage.root : "";

async function imported(seed: number): Promise<{ id: string; path: string }> {
  const form = aForm(
    ["campaign_id", campaignId],
    ["conversation_timestamp", "1714557600"],
    ["agent_email", agentEmail],
    ["file", aRecording({ seed })],
  );
  const answer = await api.inject({
    method: "POST",
    url: "/calls/audio",
    ...form,
    headers: { ...form.headers, "x-api-key": apiKey },
  });
  const { id } = answer.json();
  const { rows } = await admin.query("select recording_key from call where id = $1", [id]);
  return { id, path: join(root, rows[0].recording_key) };
}

test("finds a flipped byte and a missing file", async () => {
  const [good, flipped, lost] = [await imported(1), await imported(2), await imported(3)];
  expect(await verifyRecordings(app, {})).toMatchObject({ checked: 3, damaged: [] });

  const file = await open(flipped.path, "r+");
  await file.write(Buffer.from([0xff]), 0, 1, 500);
  await file.close();
  await rm(lost.path);
  const { checked, damaged } = await verifyRecordings(app, {});
  expect(checked).toBe(3);
  expect(Object.fromEntries(damaged.map(({ callId, problem }) => [callId, problem]))).toEqual({
    [flipped.id]: "differs",
    [lost.id]: "missing",
  });
  expect(damaged.map(({ callId }) => callId)).not.toContain(good.id);
});

async function prepared(seed: number) {
  const { id } = await imported(seed);
  await prepareCall.perform(app, { workspaceId, callId: id });
  return { id, ...(await keysOf(id)) };
}

interface Keys {
  readonly status: string;
  readonly recording_key: string;
  readonly playback_key: string | null;
  readonly drawing_key: string | null;
}

async function keysOf(id: string): Promise<Keys> {
  const { rows } = await admin.query(
    "select status, recording_key, playback_key, drawing_key from call where id = $1",
    [id],
  );
  return rows[0];
}

test("prepares calls again that lost their playback copy or waveform", async () => {
  await admin.query("delete from call");
  const [whole, silent, flat] = [await prepared(4), await prepared(5), await prepared(6)];
  await app.storage.delete(silent.playback_key ?? "");
  await app.storage.delete(flat.drawing_key ?? "");
  expect(await verifyRecordings(app, {})).toMatchObject({ checked: 3, restored: 0, preparedAgain: 2, damaged: [] });
  expect(await keysOf(whole.id)).toMatchObject({ status: "ready", playback_key: whole.playback_key });
  for (const { id } of [silent, flat]) {
    expect(await keysOf(id)).toMatchObject({ status: "received", playback_key: null, drawing_key: null });
    await prepareCall.perform(app, { workspaceId, callId: id });
  }
  expect(await verifyRecordings(app, {})).toMatchObject({ checked: 3, restored: 0, preparedAgain: 0, damaged: [] });
});

test("restores lost and damaged objects from a copy, and only those of existing calls", async () => {
  await admin.query("delete from call");
  const [lost, flipped, notCopied, erased] = [
    await prepared(7),
    await prepared(8),
    await prepared(9),
    await prepared(10),
  ];
  const copy = await mkdtemp(join(tmpdir(), "hearback-copy-"));
  await cp(root, copy, { recursive: true });
  await rm(join(copy, notCopied.recording_key));
  const file = await open(join(root, flipped.recording_key), "r+");
  await file.write(Buffer.from([0xff]), 0, 1, 500);
  await file.close();
  for (const key of [
    lost.recording_key,
    lost.playback_key,
    lost.drawing_key,
    notCopied.recording_key,
    erased.recording_key,
  ])
    await app.storage.delete(key ?? "");
  await admin.query("delete from call where id = $1", [erased.id]);
  const restore = restoreFromCopy(app, openFilesystem(copy));
  expect(await verifyRecordings(app, { restore })).toMatchObject({
    checked: 3,
    restored: 4,
    preparedAgain: 0,
    damaged: [{ workspaceId, callId: notCopied.id, problem: "missing" }],
  });
  expect(await app.storage.size(erased.recording_key)).toBeUndefined();
  await rm(copy, { recursive: true });
});

test("prepares calls again that failed while their recording was lost", async () => {
  await admin.query("delete from call");
  const { id } = await imported(11);
  await admin.query("update call set status = 'failed', failure_code = 'recording_missing' where id = $1", [id]);
  expect(await verifyRecordings(app, {})).toMatchObject({ checked: 1, preparedAgain: 1 });
  expect(await keysOf(id)).toMatchObject({ status: "received" });
});
