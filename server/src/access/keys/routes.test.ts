import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openApi } from "../../api.ts";
import { setKeyLimits } from "../../limits/set-limits.ts";
import { operator } from "../../platform/actor.ts";
import { auditOf, openJsonClient } from "../../testing/json-client.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { openLastUsedTracker } from "../track-last-used.ts";
import { createApiKey } from "./create-api-key.ts";
import { revokeApiKey } from "./revoke-api-key.ts";

const service = await openTestApp();
const { app, key, caller, admin, campaignId } = service;
const ask = openJsonClient(service, await key("import", "read", "manage"));
const make = async (more: object = {}) => (await ask("POST", "/keys", { name: "a", scopes: ["read"], ...more })).body;
interface Page {
  readonly keys: readonly { readonly id: string }[];
  readonly next: string | null;
}
const tomorrow = () => new Date(Date.now() + 24 * 3_600_000).toISOString();
/** Response status with a key: 200 or 401. */
const opens = async (apiKey: string) => (await ask("GET", "/campaigns", undefined, apiKey)).status;

test("a created key works and is shown without its secret", async () => {
  const created = await ask("POST", "/keys", {
    name: "nightly",
    scopes: ["read", "import", "read"],
    campaign_ids: [campaignId],
    expires_at: tomorrow(),
  });
  expect(created.status).toBe(201);
  const { key: secret, ...shown } = created.body;
  expect(secret).toMatch(/^hb_c0_[0-9A-Za-z]{49}$/);
  expect(shown).toMatchObject({ name: "nightly", scopes: ["import", "read"], campaign_ids: [campaignId] });
  expect(shown).toMatchObject({ revoked_at: null, last_used_at: null, replaced_by: null });
  expect(await opens(secret)).toBe(200);
  expect((await ask("GET", `/keys/${shown.id}`)).body).toEqual(shown);
  const { rows } = await admin.query("select encode(hash, 'hex') as hash from api_key where id = $1", [shown.id]);
  const listed = JSON.stringify((await ask("GET", "/keys")).body);
  expect(listed).toContain(shown.id);
  for (const hidden of [secret, rows[0].hash, "hash"]) expect(listed).not.toContain(hidden);
});

test("keys are listed newest first, in pages, each once", async () => {
  // Created concurrently, so that their timestamps are close.
  await Promise.all(Array.from({ length: 7 }, () => make()));
  const ids: string[] = [];
  for (let next: string | null = ""; next !== null; ) {
    const page: Page = (await ask("GET", `/keys?limit=3${next && `&cursor=${next}`}`)).body;
    ids.push(...page.keys.map(({ id }) => id));
    next = page.next;
  }
  const { rows } = await admin.query("select id from api_key order by created_at desc, id desc");
  expect(ids).toEqual(rows.map(({ id }) => id));
});

test("name and expiry of a key can be changed, scopes and campaigns cannot", async () => {
  const { id } = await make();
  const end = tomorrow();
  const changed = (await ask("PATCH", `/keys/${id}`, { name: "b", expires_at: end })).body;
  expect(changed).toMatchObject({ name: "b", expires_at: end, scopes: ["read"] });
  expect((await ask("PATCH", `/keys/${id}`, { expires_at: null })).body.expires_at).toBeNull();
  for (const wider of [{ scopes: ["manage"] }, { campaign_ids: null }]) {
    expect((await ask("PATCH", `/keys/${id}`, wider)).status).toBe(422);
  }
});

test.each([
  ["POST", "/keys", {}, 400, "member_missing"],
  ["POST", "/keys", { name: "a", scopes: [] }, 422, "fields_invalid"],
  ["POST", "/keys", { name: "a", scopes: ["root"] }, 422, "fields_invalid"],
  ["POST", "/keys", { name: "a", scopes: "read" }, 422, "fields_invalid"],
  ["POST", "/keys", { name: "a", scopes: ["read"], campaign_ids: [] }, 422, "fields_invalid"],
  ["POST", "/keys", { name: "a", scopes: ["read"], expires_at: "2020-01-01T00:00:00Z" }, 422, "fields_invalid"],
  ["POST", "/keys", { name: "a", scopes: ["read"], expires_at: "tomorrow" }, 422, "fields_invalid"],
  ["POST", "/keys", { name: "a", scopes: ["read"], hash: "x" }, 422, "fields_invalid"],
  ["GET", `/keys/${randomUUID()}`, undefined, 404, "key_not_found"],
  ["GET", "/keys/x", undefined, 404, "key_not_found"],
  ["DELETE", `/keys/${randomUUID()}`, undefined, 404, "key_not_found"],
  ["PATCH", `/keys/${randomUUID()}`, {}, 404, "key_not_found"],
  ["POST", `/keys/${randomUUID()}/rotate`, {}, 404, "key_not_found"],
  ["POST", `/keys/${randomUUID()}/rotate`, { overlap_hours: 169 }, 422, "fields_invalid"],
  ["GET", `/keys?cursor=${randomUUID()}`, undefined, 422, "fields_invalid"],
] as const)("%s %s with %j returns %s %s", async (method, url, body, status, code) => {
  expect(await ask(method, url, body)).toMatchObject({ status, body: { code } });
});

test("unknown campaigns are listed in the error", async () => {
  const answer = await ask("POST", "/keys", { name: "a", scopes: ["read"], campaign_ids: [campaignId, "x-1", "x-2"] });
  expect(answer).toMatchObject({
    status: 422,
    body: { errors: [{ part: "campaign_ids", code: "campaign_not_found" }] },
  });
  expect(answer.body.detail).toContain('"x-1", "x-2"');
  expect(answer.body.detail).not.toContain(campaignId);
});

test("a restricted key cannot manage keys, even with every scope", async () => {
  const { id, key: restricted } = await make({ scopes: ["import", "read", "manage"], campaign_ids: [campaignId] });
  for (const [method, path, body] of [
    ["GET", "/keys", undefined],
    ["POST", "/keys", { name: "a", scopes: ["read"] }],
    ["DELETE", `/keys/${id}`, undefined],
    ["POST", `/keys/${id}/rotate`, {}],
  ] as const) {
    expect(await ask(method, path, body, restricted)).toMatchObject({ status: 403, body: { code: "key_restricted" } });
  }
});

test("a revoked key is refused within a second; revoking is idempotent", async () => {
  const { id, key: secret } = await make();
  expect(await opens(secret)).toBe(200);
  expect(await ask("DELETE", `/keys/${id}`)).toEqual({ status: 204, body: "" });
  await sleep(1000);
  expect(await opens(secret)).toBe(401);
  const ended = (await ask("GET", `/keys/${id}`)).body;
  expect((await ask("DELETE", `/keys/${id}`)).status).toBe(204);
  expect((await ask("GET", `/keys/${id}`)).body).toEqual(ended);
  expect(await ask("POST", `/keys/${id}/rotate`)).toMatchObject({ status: 409, body: { code: "key_ended" } });
  expect(await ask("PATCH", `/keys/${id}`, { expires_at: tomorrow() })).toMatchObject({ status: 409 });
});

test("a rotated key works alongside its replacement until the overlap ends", async () => {
  const old = await make({ scopes: ["read", "manage"], campaign_ids: [campaignId], name: "r" });
  await setKeyLimits(app, operator, { workspaceId: caller.workspaceId, keyId: old.id }, { uploadsAtOnce: 7 });
  const answer = await ask("POST", `/keys/${old.id}/rotate`);
  const { rows } = await admin.query("select uploads_at_once from api_key_limit where key_id = $1", [answer.body.id]);
  expect(rows).toEqual([{ uploads_at_once: 7 }]);
  expect(answer).toMatchObject({
    status: 201,
    body: { name: "r", scopes: ["read", "manage"], campaign_ids: [campaignId], expires_at: null },
  });
  expect([await opens(old.key), await opens(answer.body.key)]).toEqual([200, 200]);
  const replaced = (await ask("GET", `/keys/${old.id}`)).body;
  expect(replaced.replaced_by).toBe(answer.body.id);
  expect(Date.parse(replaced.expires_at) - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
  expect(await ask("POST", `/keys/${old.id}/rotate`)).toMatchObject({ status: 409, body: { code: "key_ended" } });

  const next = await ask("POST", `/keys/${answer.body.id}/rotate`, { overlap_hours: 0 });
  await sleep(600);
  expect([await opens(answer.body.key), await opens(next.body.key)]).toEqual([401, 200]);
});

test("rotation keeps the lifetime of a key unless an expiry is given", async () => {
  const old = await make({ expires_at: tomorrow() });
  const { body } = await ask("POST", `/keys/${old.id}/rotate`, { overlap_hours: 100 });
  expect(Math.abs(Date.parse(body.expires_at) - Date.parse(tomorrow()))).toBeLessThan(60_000);
  const replaced = (await ask("GET", `/keys/${old.id}`)).body;
  expect(replaced.expires_at, "the overlap makes no key live longer").toBe(old.expires_at);
  const forever = await ask("POST", `/keys/${body.id}/rotate`, { expires_at: null });
  expect(forever.body.expires_at).toBeNull();
});

test("only one of many concurrent rotations succeeds", async () => {
  const { id } = await make();
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask("POST", `/keys/${id}/rotate`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
});

test("concurrent requests cannot revoke the last manage key, but the command can", async () => {
  const by = await service.anotherWorkspace();
  const keys = await Promise.all([1, 2, 3].map(() => createApiKey(app, by, { name: "m", scopes: ["manage"] })));
  await createApiKey(app, by, { name: "read", scopes: ["read"] });
  const expiresAt = new Date(Date.now() + 50);
  await createApiKey(app, by, { name: "short", scopes: ["manage"], expiresAt });
  await sleep(60);
  const revoke = (id: string, keepLast: boolean) =>
    revokeApiKey(app, by, id, { keepLast }).then(
      () => "revoked",
      (error) => error.code,
    );
  const outcomes = await Promise.all(keys.map(({ id }) => revoke(id, true)));
  expect(outcomes.sort()).toEqual(["last_manage_key", "revoked", "revoked"]);
  const outcomesAgain = await Promise.all(keys.map(({ id }) => revoke(id, false)));
  expect(outcomesAgain).toEqual(["revoked", "revoked", "revoked"]);
});

test("a key can revoke itself unless it is the last manage key", async () => {
  const by = await service.anotherWorkspace();
  const only = await createApiKey(app, by, { name: "m", scopes: ["manage"] });
  expect(await ask("DELETE", `/keys/${only.id}`, undefined, only.key)).toMatchObject({
    status: 409,
    body: { code: "last_manage_key" },
  });
  const { body } = await ask("POST", `/keys/${only.id}/rotate`, {}, only.key);
  expect((await ask("DELETE", `/keys/${only.id}`, undefined, only.key)).status).toBe(204);
  expect((await ask("DELETE", `/keys/${body.id}`, undefined, body.key)).status).toBe(409);
});

test("each change adds one audit entry, and no-ops add none", async () => {
  let ids: string[] = [];
  const entries = await auditOf(service, async () => {
    const { id } = await make({ name: "secret words" });
    await ask("PATCH", `/keys/${id}`, { name: "b" });
    await ask("PATCH", `/keys/${id}`, { name: "b" });
    const { body } = await ask("POST", `/keys/${id}/rotate`);
    await ask("DELETE", `/keys/${id}`);
    await ask("DELETE", `/keys/${id}`);
    ids = [id, body.id];
  });
  expect(entries.map(({ action, subject_id, data }) => [action, subject_id, data])).toEqual([
    ["key.created", ids[0], { scopes: ["read"], campaign_ids: null }],
    ["key.changed", ids[0], { changed: ["name"] }],
    ["key.rotated", ids[0], { replaced_by: ids[1] }],
    ["key.revoked", ids[0], {}],
  ]);
});

test("the last use of a key is written on flush and on close", async () => {
  const created = await make();
  const lastUse = async () => (await ask("GET", `/keys/${created.id}`)).body.last_used_at;
  const api = await openApi(app);
  const began = Date.now();
  await openJsonClient({ api }, created.key)("GET", "/campaigns");
  expect(await lastUse()).toBeNull();
  await api.close();
  expect(Date.parse(await lastUse())).toBeGreaterThanOrEqual(began - 1);
});

test("an older use does not overwrite a newer one, and failed writes are retried", async () => {
  const created = await make();
  const keyCaller = { ...caller, keyId: created.id };
  const lastUse = async () => (await ask("GET", `/keys/${created.id}`)).body.last_used_at;
  const broken = { on: true };
  const use = openLastUsedTracker({
    ...app,
    get db() {
      if (broken.on) throw new Error("no database");
      return app.db;
    },
  });
  use.record(keyCaller);
  await use.flush();
  expect(await lastUse()).toBeNull();
  broken.on = false;
  await use.flush();
  expect(await lastUse()).not.toBeNull();
  await admin.query("update api_key set last_used_at = '2100-01-01' where id = $1", [created.id]);
  use.record(keyCaller);
  await use.close();
  expect(await lastUse()).toBe("2100-01-01T00:00:00.000Z");
});

test("a process of the previous release finds its keys, but no restricted ones", async () => {
  const [plain, restricted] = [await make(), await make({ campaign_ids: [campaignId] })];
  const found = async (id: string) => {
    const { rows } = await admin.query("select f.* from api_key k, identify_api_key(k.hash) f where k.id = $1", [id]);
    return rows.map((row) => Object.keys(row));
  };
  const columns = ["workspace_id", "id", "name", "hash", "scopes", "expires_at", "revoked_at", "created_at"];
  expect([await found(plain.id), await found(restricted.id)]).toEqual([[columns], []]);
});

test("a key cannot set an expiry on the last manage key", async () => {
  const by = await service.anotherWorkspace();
  const only = await createApiKey(app, by, { name: "m", scopes: ["manage"] });
  const soon = new Date(Date.now() + 60_000).toISOString();
  const refused = { status: 409, body: { code: "last_manage_key" } };
  expect(await ask("PATCH", `/keys/${only.id}`, { expires_at: soon }, only.key)).toMatchObject(refused);
  expect(await ask("POST", `/keys/${only.id}/rotate`, { expires_at: soon }, only.key)).toMatchObject(refused);
  await createApiKey(app, by, { name: "n", scopes: ["manage"] });
  expect((await ask("PATCH", `/keys/${only.id}`, { expires_at: soon }, only.key)).status).toBe(200);
});

test("a key cannot create, extend or rotate a key with more scopes or higher limits", async () => {
  const weak = await createApiKey(
    app,
    { workspaceId: caller.workspaceId, actor: operator },
    {
      name: "weak",
      scopes: ["manage"],
    },
  );
  const asWeak = (method: "POST" | "PATCH", url: string, body?: object) => ask(method, url, body, weak.key);
  const exceeds = { status: 403, body: { code: "key_exceeds_caller" } };
  expect(await asWeak("POST", "/keys", { name: "a", scopes: ["manage", "read"] })).toMatchObject(exceeds);
  expect(await asWeak("POST", "/keys", { name: "a", scopes: ["import"] })).toMatchObject(exceeds);

  const strong = await make({ scopes: ["read", "manage"], expires_at: tomorrow() });
  expect(await asWeak("POST", `/keys/${strong.id}/rotate`, {})).toMatchObject(exceeds);
  expect(await asWeak("PATCH", `/keys/${strong.id}`, { expires_at: null })).toMatchObject(exceeds);
  const earlier = new Date(Date.now() + 3_600_000).toISOString();
  expect((await asWeak("PATCH", `/keys/${strong.id}`, { name: "b", expires_at: earlier })).status).toBe(200);

  const whose = { workspaceId: caller.workspaceId, keyId: weak.id };
  await setKeyLimits(app, operator, whose, { requestsPerSecond: 50, uploadsAtOnce: 3 });
  const created = await asWeak("POST", "/keys", { name: "child", scopes: ["manage"] });
  const limits = "select requests_per_second, uploads_at_once from api_key_limit where key_id = $1";
  expect((await admin.query(limits, [created.body.id])).rows).toEqual([
    { requests_per_second: 50, uploads_at_once: 3 },
  ]);
  const free = await make({ scopes: ["manage"] });
  expect(await asWeak("POST", `/keys/${free.id}/rotate`, {})).toMatchObject(exceeds);
  expect((await asWeak("POST", `/keys/${created.body.id}/rotate`, {})).status).toBe(201);
  expect((await asWeak("POST", `/keys/${weak.id}/rotate`, {})).status).toBe(201);
});
