import { randomUUID } from "node:crypto";
import { expect, inject, test } from "vitest";
import type { App } from "../../platform/app.ts";
import { openStorage } from "../../platform/storage/storage.ts";
import { callImporter } from "../../testing/import-calls.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { prepareCall } from "../prepare/prepare-call.ts";
import { openBloomFilter } from "./bloom-filter.ts";
import { stageOrphans } from "./stage-orphans.ts";
import { sweepObjects } from "./staged-objects.ts";

const service = await openTestApp();
const { admin, caller } = service;
const { workspaceId } = caller;
const engines = inject("engines");
const s3 = openStorage({
  kind: "s3",
  bucket: engines.S3_BUCKET,
  region: engines.S3_REGION,
  endpoint: engines.S3_ENDPOINT,
  publicEndpoint: undefined,
  pathStyle: true,
  uploadMemoryBytes: 20 * 1024 * 1024,
  credentials: { accessKeyId: engines.S3_ACCESS_KEY_ID, secretAccessKey: engines.S3_SECRET_ACCESS_KEY },
});
const importCall = await callImporter(service);
/** Recent days only: every day since the first one is listed in the object store. */
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString().slice(0, 10);
const today = daysAgo(0);
const old = daysAgo(30);

async function put(app: App, key: string): Promise<string> {
  const upload = app.storage.create(key, "nobody");
  await upload.write(Buffer.from("x"));
  await upload.finish();
  return key;
}

/** Moves the objects of a call to keys of that day. */
async function moveTo(app: App, id: string, day: string): Promise<string[]> {
  const keys = ["recordings", "playback", "drawings"].map((kind) => `${kind}/${workspaceId}/${day}/${randomUUID()}`);
  await admin.query("update call set recording_key = $2, playback_key = $3, drawing_key = $4 where id = $1", [
    id,
    ...keys,
  ]);
  const transcriptKey = `transcripts/${workspaceId}/${day}/${randomUUID()}`;
  await admin.query(
    `insert into transcript (workspace_id, call_id, id, object_key, object_bytes, language, engine, model, version, words)
      values ($1, $2, $2, $3, 1, 'en', 'local', 'test', 1, '{}')
      on conflict (workspace_id, call_id) do update set object_key = excluded.object_key`,
    [workspaceId, id, transcriptKey],
  );
  const all = [...keys, transcriptKey];
  for (const key of all) await put(app, key);
  return all;
}

test.each([
  ["filesystem", service.app],
  ["s3", { ...service.app, storage: s3 }],
] as const)("on %s, stages and sweeps objects that no row references, and only those", async (_, app) => {
  const { id } = await importCall();
  const referenced = await moveTo(app, id, old);
  const orphan = (kind: string, day: string, workspace = workspaceId) =>
    put(app, `${kind}/${workspace}/${day}/${randomUUID()}`);
  const orphans = [
    ...[await orphan("recordings", old), await orphan("playback", daysAgo(27)), await orphan("drawings", daysAgo(5))],
    ...(await Promise.all(Array.from({ length: 5 }, () => orphan("recordings", daysAgo(23))))),
  ];
  const unknownWorkspace = randomUUID();
  const untouched = [
    ...[await orphan("recordings", daysAgo(31)), await orphan("recordings", today)],
    ...[
      await orphan("recordings", old, unknownWorkspace),
      await put(app, `erasures/${workspaceId}/${old}/${randomUUID()}`),
    ],
    await put(app, `recordings/${workspaceId}/${old}/not-one-of-ours`),
  ];
  const staged = await orphan("recordings", old);
  await admin.query("insert into staged_object (key) values ($1)", [staged]);

  const dry = await stageOrphans(app, { since: old, dryRun: true });
  expect(dry.orphans).toBe(orphans.length);
  expect(dry.unknownWorkspaces).toContain(unknownWorkspace);
  const count = async () => (await admin.query("select count(*)::int as n from staged_object")).rows[0].n;
  const before = await count();
  const swept = await stageOrphans(app, { since: old, dryRun: false });
  expect(swept.orphans).toBe(orphans.length);
  expect(swept.until && swept.until < today).toBe(true);
  // A second run stages nothing twice.
  expect(await stageOrphans(app, { since: old, dryRun: false })).toMatchObject({ orphans: 0 });
  expect(await count()).toBe(before + orphans.length);

  await sweepObjects(app, { olderThanMs: -1_000 });
  const exist = async (keys: readonly string[]) =>
    (await Promise.all(keys.map(app.storage.size))).map((size) => size !== undefined);
  expect(new Set(await exist([...referenced, ...untouched]))).toEqual(new Set([true]));
  expect(new Set(await exist([...orphans, staged]))).toEqual(new Set([false]));
});

test("keeps objects of a call that was prepared long after its import", async () => {
  const { app } = service;
  const { id } = await importCall({ at: new Date("2024-01-01T00:00:00Z") });
  await prepareCall.perform(app, { workspaceId, callId: id });
  await admin.query("update call set imported_on = '2024-01-01', created_at = '2024-01-01' where id = $1", [id]);
  await moveTo(app, id, daysAgo(16));
  expect(await stageOrphans(app, { since: daysAgo(20), dryRun: true })).toMatchObject({ listed: 4, orphans: 0 });
});

test("the Bloom filter has no false negatives and few false positives", () => {
  const filter = openBloomFilter(64 * 1024);
  const keys = () => Array.from({ length: 50_000 }, () => `recordings/a/b/${randomUUID()}`);
  const added = keys();
  for (const key of added) filter.add(key);
  expect(added.every(filter.has)).toBe(true);
  expect(keys().filter(filter.has).length).toBeLessThan(1_500);
});
