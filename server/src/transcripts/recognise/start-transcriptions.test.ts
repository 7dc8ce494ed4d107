import { expect, test } from "vitest";
import { callImporter } from "../../testing/import-calls.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { requeueTranscriptions } from "./requeue-stranded-transcriptions.ts";
import { startTranscriptions } from "./start-transcriptions.ts";

const service = await openTestApp();
const { app, admin, caller } = service;
const { workspaceId } = caller;
const importCall = await callImporter(service);

const jobs = async () =>
  (
    await admin.query(
      "select payload->>'callId' as id from outgoing_job where name = 'call.transcribe' order by payload->>'callId'",
    )
  ).rows.map(({ id }) => id as string);

test("existing calls are transcribed on request: once, by campaign and time, or those that failed", async () => {
  const calls: string[] = [];
  for (const day of ["01", "02", "03", "04"])
    calls.push((await importCall({ at: new Date(`2026-05-${day}T10:00:00Z`) })).id);
  const [first = "", second = "", third = "", unprepared = ""] = calls;
  await admin.query("update call set status = 'ready' where id <> $1", [unprepared]);
  const start = (options = {}) => startTranscriptions(app, { workspaceId, failed: false, ...options });
  await expect(start()).rejects.toThrow("turned off");
  await admin.query(`update workspace set settings = settings || '{"transcription": true}'`);
  expect(await start()).toBe(0);
  await admin.query("update campaign set transcription_language = 'en'");
  expect(await start({ campaignId: "another" })).toBe(0);
  const onSecond = { from: new Date("2026-05-02T00:00:00Z"), to: new Date("2026-05-03T00:00:00Z") };
  expect(await start(onSecond)).toBe(1);
  expect(await jobs()).toEqual([second]);
  expect(await start()).toBe(2);
  expect(await start()).toBe(0);
  expect(await jobs()).toEqual([first, second, third]);
  await admin.query("update call_step set state = 'failed' where call_id = $1 and step = 'transcribe'", [third]);
  expect([await start({ failed: true }), await start({ failed: true })]).toEqual([1, 0]);
});

test("transcriptions that have lost their job are queued again", async () => {
  const before = await jobs();
  expect(await requeueTranscriptions(app)).toBe(0);
  await admin.query("delete from outgoing_job where payload->>'callId' = $1", [before[0]]);
  expect(await requeueTranscriptions(app)).toBe(0);
  await admin.query("update call_step set started_at = now() - interval '1 hour' where step = 'transcribe'");
  expect(await requeueTranscriptions(app)).toBe(1);
  expect(new Set(await jobs())).toEqual(new Set(before));
});
