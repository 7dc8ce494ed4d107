import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { callImporter } from "../../testing/import-calls.ts";
import { aConversation } from "../../testing/sounds.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { prepareCall } from "../prepare/prepare-call.ts";
import { deleteOldPlaybackRecords } from "./delete-old-playback-records.ts";

const service = await openTestApp();
const { app, api, admin } = service;
const { workspaceId } = service.caller;
const key = await service.key("import", "read");
const importCall = await callImporter(service);

let ready = "";
let received = "";
beforeAll(async () => {
  ready = (await importCall({ file: aConversation({ left: [1, 3], right: [4, 7] }) })).id;
  received = (await importCall()).id;
  await prepareCall.perform(app, { workspaceId, callId: ready });
});

const ask = (path: string, headers: Record<string, string> = {}) =>
  api.inject({ url: `/calls/${path}`, headers: { "x-api-key": key, ...headers } });
const entries = async (callId: string) =>
  (
    await admin.query(
      "select action, actor_id from audit_entry where subject_type = 'call' and subject_id = $1 order by number",
      [callId],
    )
  ).rows;
const clearPlaybackRecords = () => admin.query("delete from listening");

test("concurrent and repeated requests add one audit entry", async () => {
  const ranges = Array.from({ length: 20 }, (_, n) =>
    ask(`${ready}/audio`, { range: `bytes=${n * 10}-${n * 10 + 9}` }),
  );
  for (const answer of await Promise.all(ranges)) expect(answer.statusCode).toBe(206);
  await ask(`${ready}/audio`);
  expect((await entries(ready)).map(({ action }) => action)).toEqual(["call.listened"]);
});

test("the original recording, another key and another 30 minutes each add an audit entry", async () => {
  const before = (await entries(ready)).length;
  await ask(`${ready}/audio?original=true`);
  await ask(`${ready}/audio?original=true`, { range: "bytes=0-3" });
  const other = await service.key("read");
  await ask(`${ready}/audio`, { "x-api-key": other });
  await admin.query("update listening set until = now() - interval '1 second'");
  await ask(`${ready}/audio`);
  await ask(`${ready}/audio`);
  const added = (await entries(ready)).slice(before);
  expect(added.map(({ action }) => action)).toEqual(["call.downloaded", "call.listened", "call.listened"]);
  expect(new Set(added.map(({ actor_id: actor }) => actor)).size).toBe(2);
});

test("rejected requests add no audit entry", async () => {
  await clearPlaybackRecords();
  const before = (await admin.query("select 1 from audit_entry")).rows.length;
  const head = await api.inject({ method: "HEAD", url: `/calls/${ready}/audio`, headers: { "x-api-key": key } });
  const statuses = [
    head.statusCode,
    (await ask(`${ready}/audio`, { range: "bytes=99999999-" })).statusCode,
    (await ask(`${received}/audio`)).statusCode,
    (await ask(`${randomUUID()}/audio`)).statusCode,
    (await ask("x/audio")).statusCode,
  ];
  expect(statuses).toEqual([405, 416, 409, 404, 404]);
  expect((await admin.query("select 1 from audit_entry")).rows).toHaveLength(before);
  expect((await admin.query("select 1 from listening")).rows).toEqual([]);
});

test("requests for lost audio add no audit entry", async () => {
  const { rows } = await admin.query("select playback_key from call where id = $1", [ready]);
  await clearPlaybackRecords();
  const before = await entries(ready);
  await admin.query("update call set playback_key = 'nowhere' where id = $1", [ready]);
  expect((await ask(`${ready}/audio`)).statusCode).toBe(410);
  await admin.query("update call set playback_key = $2 where id = $1", [ready, rows[0].playback_key]);
  expect(await entries(ready)).toEqual(before);
});

/** Makes new transactions read-only or writable, and waits until the service has reconnected. */
async function setWritable(writable: boolean): Promise<void> {
  const { rows } = await admin.query("select current_database() as name");
  await admin.query(`alter database ${rows[0].name} set default_transaction_read_only = ${writable ? "off" : "on"}`);
  await admin.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'hearback_service' and datname = $1",
    [rows[0].name],
  );
  while ((await ask(ready)).statusCode !== 200);
}

test("serves no audio if the audit entry cannot be written", async () => {
  await clearPlaybackRecords();
  await setWritable(false);
  try {
    const answer = await ask(`${ready}/audio`);
    expect([answer.statusCode, answer.json().code]).toEqual([503, "database_unavailable"]);
  } finally {
    await setWritable(true);
  }
  expect((await ask(`${ready}/audio`)).statusCode).toBe(200);
});

test("playback records are deleted after they expire and with their call", async () => {
  await clearPlaybackRecords();
  await ask(`${ready}/audio`);
  await deleteOldPlaybackRecords.perform(app, {});
  expect((await admin.query("select 1 from listening")).rows).toHaveLength(1);
  await admin.query("update listening set until = now() - interval '1 second'");
  await deleteOldPlaybackRecords.perform(app, {});
  expect((await admin.query("select 1 from listening")).rows).toEqual([]);
  await ask(`${ready}/audio`);
  await admin.query("delete from call_step");
  await admin.query("delete from call_metadata");
  await admin.query("delete from call where id = $1", [ready]);
  expect((await admin.query("select 1 from listening")).rows).toEqual([]);
});
