import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { callImporter } from "../../testing/import-calls.ts";
import { aRecording } from "../../testing/sounds.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { findCall } from "../call/find-call.ts";
import { prepareCall } from "./prepare-call.ts";

const service = await openTestApp();
const { app, admin, caller } = service;
const { workspaceId } = caller;
const importCall = await callImporter(service);

const stored = (id: string) => inWorkspace(app, workspaceId, (tx) => findCall(tx, workspaceId, id));
const prepare = (callId: string, on: App = app, signal?: AbortSignal) =>
  prepareCall.perform(on, { workspaceId, callId }, signal);

async function overwrite(id: string, bytes: Buffer): Promise<void> {
  const { recordingKey } = await stored(id);
  await app.storage.delete(recordingKey);
  const upload = app.storage.create(recordingKey, "nobody");
  for (let at = 0; at < bytes.length; at += 65_536) await upload.write(bytes.subarray(at, at + 65_536));
  await upload.finish();
}

/** Backdates the first failed attempt. */
const backdate = (id: string, seconds: number) =>
  admin.query("update call_step set reason_since = now() - make_interval(secs => $2) where call_id = $1", [
    id,
    seconds,
  ]);

async function reasonOf(id: string): Promise<string | null> {
  const { rows } = await admin.query("select reason_code from call_step where call_id = $1", [id]);
  return rows[0].reason_code;
}

let at = 1.7e12;
/** 640 kB: 40 s of 8 kHz mono. */
const good = aRecording({ seconds: 40, seed: 7 });
const changed = (change: (bytes: Buffer) => Buffer) => change(Buffer.from(good));

test.each([
  ["300,000 bytes overwritten", changed((bytes) => bytes.fill(0x55, 1_000, 301_000))],
  ["one bit flipped", changed((bytes) => bytes.fill((bytes[5_000] ?? 0) ^ 1, 5_000, 5_001))],
  ["the end missing", good.subarray(0, good.length - 2)],
  ["two bytes too many", Buffer.concat([good, Buffer.alloc(2)])],
])("a stored recording with %s is retried, then the call fails", async (_, wrong) => {
  at += 1_000;
  const { id } = await importCall({ file: good, at: new Date(at) });
  await overwrite(id, wrong);
  await expect(prepare(id)).rejects.toMatchObject({ code: "recording_corrupt" });
  expect([(await stored(id)).status, await reasonOf(id)]).toEqual(["received", "recording_corrupt"]);
  await backdate(id, 179);
  await expect(prepare(id)).rejects.toMatchObject({ code: "recording_corrupt" });
  await backdate(id, 181);
  await prepare(id);
  expect(await stored(id)).toMatchObject({ status: "failed", failureCode: "recording_corrupt" });
});

test("a call becomes ready once the object store returns the right recording again", async () => {
  const { id } = await importCall({ file: good, at: new Date(1.71e12) });
  await overwrite(id, good.subarray(0, 1_000));
  await expect(prepare(id)).rejects.toMatchObject({ code: "recording_corrupt" });
  await app.storage.delete((await stored(id)).recordingKey);
  await backdate(id, 1_000);
  // A different reason restarts the retry period.
  await expect(prepare(id)).rejects.toMatchObject({ code: "recording_missing" });
  expect([(await stored(id)).status, await reasonOf(id)]).toEqual(["received", "recording_missing"]);
  await overwrite(id, good);
  await prepare(id);
  expect(await stored(id)).toMatchObject({ status: "ready", failureCode: null });
  const shown = await app.metrics.registry.getSingleMetricAsString("hearback_recording_faults_total");
  expect(shown).toMatch(/code="recording_missing"\} 1$/m);
});

test("a call fails if its recording stays missing", async () => {
  const { id } = await importCall();
  await app.storage.delete((await stored(id)).recordingKey);
  await expect(prepare(id)).rejects.toMatchObject({ code: "recording_missing" });
  await backdate(id, 181);
  await prepare(id);
  expect(await stored(id)).toMatchObject({ status: "failed", failureCode: "recording_missing" });
});

test.each([
  ["does not respond", () => new Promise<never>(() => {})],
  [
    "stalls in the middle of the object",
    async () =>
      (async function* () {
        yield good.subarray(0, 1_000);
        await new Promise(() => {});
      })(),
  ],
])("a stopping worker does not wait for an object store that %s", async (_, get) => {
  const { id } = await importCall();
  const stopping = new AbortController();
  const done = prepare(id, { ...app, storage: { ...app.storage, get } }, stopping.signal).then(
    () => "done",
    (error: Error) => error.message,
  );
  await sleep(200);
  stopping.abort(new Error("the worker stops"));
  expect(await Promise.race([done, sleep(3_000, "still waiting")])).toBe("the worker stops");
  expect((await stored(id)).status).toBe("received");
});
