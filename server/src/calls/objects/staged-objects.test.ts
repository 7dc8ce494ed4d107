import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openTestApp } from "../../testing/test-app.ts";
import { newObjectKey } from "./object-key.ts";
import {
  claimObjects,
  discardObject,
  discardObjects,
  findUnstaged,
  markErasedObjects,
  restageAndDiscard,
  stageObjects,
  sweepObjects,
  wasSwept,
} from "./staged-objects.ts";

const { app, admin, caller, storedFiles } = await openTestApp();
const { db } = app;

async function store(): Promise<string> {
  const key = newObjectKey("recordings", caller.workspaceId);
  const upload = app.storage.create(key, caller.workspaceId);
  await upload.write(Buffer.from("x"));
  await upload.finish();
  return key;
}

const isStored = async (key: string) => (await storedFiles()).includes(key);

test("a claimed object can no longer be discarded", async () => {
  const key = await store();
  await stageObjects(db, [key, key]);
  await claimObjects(db, [key]);
  expect(await discardObject(app, key)).toBe(false);
  await discardObjects(app, [key]);
  await sweepObjects(app, { olderThanMs: -1_000 });
  expect(await isStored(key)).toBe(true);
});

test("an object that is marked for deletion can no longer be claimed", async () => {
  const [marked, staged] = [await store(), await store()];
  await stageObjects(db, [marked, staged]);
  await admin.query("update staged_object set condemned_at = now() where key = $1", [marked]);
  const error = await db
    .transaction()
    .execute((tx) => claimObjects(tx, [marked, staged]))
    .catch((error) => error);
  expect(wasSwept(error)).toBe(true);
  expect(await findUnstaged(db, [marked, staged])).toEqual([]);
});

test("an object that was stored after its sweep is staged again and deleted", async () => {
  const key = await store();
  expect(await discardObject(app, key)).toBe(false);
  await restageAndDiscard(app, [key]);
  expect([await isStored(key), await findUnstaged(db, [key])]).toEqual([false, [key]]);
});

test("the next sweep deletes the objects of an erased call whatever its minimum age", async () => {
  const [erased, uploading] = [await store(), await store()];
  await stageObjects(db, [uploading]);
  await markErasedObjects(db, [erased], randomUUID());
  await sweepObjects(app, { olderThanMs: 3_600_000 });
  expect([await isStored(erased), await isStored(uploading)]).toEqual([false, true]);
});
