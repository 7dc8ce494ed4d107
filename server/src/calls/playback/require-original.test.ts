import { expect, test } from "vitest";
import { auditOf, openJsonClient } from "../../testing/json-client.ts";
import { openPerson, openReviewTests } from "../../testing/reviews.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { aTurn, storeTestTranscript } from "../../testing/transcripts.ts";

const service = await openTestApp();
const { admin } = service;
const { importOf, reviewer, admin: administrator } = await openReviewTests(service);
const readKey = await service.key("read");
const ask = openJsonClient(service, readKey);

const setMasking = (masking: string) => admin.query("update campaign set masking = $1", [masking]);
const original = (id: string) => `/calls/${id}/audio?original=true`;

async function codesOf(id: string, key: string) {
  const asKey = await ask("GET", original(id), undefined, key);
  const asUser = await reviewer.ask("GET", original(id));
  return [asKey, asUser].map(({ status, body }) => (status === 200 ? 200 : body.code));
}

test("originals need a permission where the sound is masked, before and after it is", async () => {
  const { id } = await importOf();
  expect(await codesOf(id, readKey)).toEqual([200, 200]);
  await setMasking("text_and_sound");
  expect(await codesOf(id, readKey)).toEqual(["original_forbidden", "original_forbidden"]);
  await storeTestTranscript(service, id, [aTurn("left", 0, "it's [card_number]")], { muted: [[350, 1_050]] });
  await setMasking("off");
  expect(await codesOf(id, readKey)).toEqual(["original_forbidden", "original_forbidden"]);
  const other = await importOf();
  await storeTestTranscript(service, other.id, [aTurn("left", 0, "hello")]);
  expect(await codesOf(other.id, readKey)).toEqual([200, 200]);
});

test("users and keys with the permission hear originals, which the audit log records", async () => {
  const { id } = await importOf();
  await setMasking("text_and_sound");
  const key = await service.key("read", "listen_original");
  const entries = await auditOf(service, async () => {
    const changed = await administrator.ask("PATCH", `/users/${reviewer.id}`, { listens_to_originals: true });
    expect(changed.body).toMatchObject({ listens_to_originals: true });
    expect(await codesOf(id, key)).toEqual([200, 200]);
    expect(await codesOf(id, key)).toEqual([200, 200]);
  });
  expect(entries.map(({ action, data }) => [action, data])).toEqual([
    ["user.changed", { changed: ["listens_to_originals"], listens_to_originals: true }],
    ["call.downloaded", {}],
    ["call.downloaded", {}],
  ]);
  await administrator.ask("PATCH", `/users/${reviewer.id}`, { listens_to_originals: false });
  expect(await codesOf(id, key)).toEqual([200, "original_forbidden"]);
  // A scope that only adds to `read`.
  expect((await ask("GET", original(id), undefined, await service.key("listen_original"))).status).toBe(403);
});

test("an original that was erased is gone", async () => {
  const { id } = await importOf();
  await setMasking("text_and_sound");
  await admin.query("update call set original_erased_at = now() where id = $1", [id]);
  const key = await service.key("read", "listen_original");
  expect(await codesOf(id, key)).toEqual(["original_erased", "original_forbidden"]);
});

test("only administrators let users hear originals", async () => {
  const supervisor = await openPerson(service, "supervisor");
  expect(await supervisor.ask("PATCH", `/users/${supervisor.id}`, { listens_to_originals: true })).toMatchObject({
    status: 403,
    body: { code: "role_missing" },
  });
});
