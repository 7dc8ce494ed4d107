import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { emitEvent } from "../../events/emit-event.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { firstUuidV7Of, newUuidsV7 } from "../../platform/uuid-v7.ts";
import { auditOf } from "../../testing/json-client.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { attemptDelivery } from "../deliver/attempt-delivery.ts";
import { fanOutEvents } from "../deliver/fan-out-events.ts";
import { dropDeliveriesBefore } from "../deliver/remove-old-deliveries.ts";
import { deleteDeliveries } from "../queue/delete-deliveries.ts";

const { app, api, key, admin, caller, log } = await openTestApp({ WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32" });
const manageKey = await key("manage");
/** A well-formed event id that does not belong to this workspace. */
const anEventId = `evt_${"0".repeat(32)}`;
const { workspaceId } = caller;

const ask = (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: unknown, apiKey = manageKey) =>
  api.inject({
    method,
    url: `/webhooks${path}`,
    headers: { "x-api-key": apiKey, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });
const url = "https://example.com/hooks?token=hidden-word";
const create = async (more: object = {}) => (await ask("POST", "", { url, ...more })).json();
/** Adds an event and waits until it is readable: transactions of other test files on the same server delay it. */
async function addEvent() {
  const { xid } = await inWorkspace(app, workspaceId, (tx) =>
    emitEvent(tx, { workspaceId, type: "user.created", data: { user_id: randomUUID(), role: "agent" } }),
  );
  const settled = () => admin.query("select where $1::text::xid8 < pg_snapshot_xmin(pg_current_snapshot())", [xid]);
  while ((await settled()).rowCount === 0) await sleep(10);
}
const deliveriesOf = async (id: string) => (await ask("GET", `/${id}/deliveries`)).json().deliveries;

test("creates, retrieves, changes and deletes a webhook, and returns its secret only once", async () => {
  const created = await ask("POST", "", { url, description: "Ours", types: ["call.ready", "call.ready"] });
  expect(created.statusCode).toBe(201);
  const { id, secret, ...shown } = created.json();
  expect(secret).toMatch(/^whsec_/);
  expect(shown).toMatchObject({ url, description: "Ours", types: ["call.ready"], enabled: true, disabled: null });
  expect((await ask("GET", `/${id}`)).json()).toEqual({ id, ...shown });
  expect((await ask("GET", "")).json().webhooks).toContainEqual({ id, ...shown });
  const changed = await ask("PATCH", `/${id}`, { enabled: false, types: [], description: "" });
  expect(changed.json()).toMatchObject({ enabled: false, disabled: { reason: "by_request" }, types: [], url });
  const removed = await ask("DELETE", `/${id}`);
  expect([removed.statusCode, removed.body]).toEqual([204, ""]);
  expect((await ask("GET", `/${id}`)).json()).toMatchObject({ status: 404, code: "webhook_not_found" });
});

test("each change adds one audit entry; a change without effect adds none", async () => {
  let id = "";
  const entries = await auditOf({ admin }, async () => {
    ({ id } = await create({ description: "Ours" }));
    for (const change of [
      { description: "Theirs", enabled: true },
      { description: "Theirs" },
      { enabled: false },
      {},
    ]) {
      await ask("PATCH", `/${id}`, change);
    }
    await ask("POST", `/${id}/rotate-secret`);
    await ask("DELETE", `/${id}`);
  });
  expect(entries.map(({ action, subject_id, data }) => [action, subject_id, data])).toEqual([
    ["webhook.created", id, {}],
    ["webhook.changed", id, { changed: ["description"] }],
    ["webhook.changed", id, { changed: ["enabled"] }],
    ["webhook.secret_rotated", id, {}],
    ["webhook.deleted", id, {}],
  ]);
});

test.each([
  [{}, 400, "member_missing"],
  [{ url: "https://127.0.0.2/" }, 422, "fields_invalid"],
  [{ url: "https://0x7f000002/" }, 422, "fields_invalid"],
  [{ url: "http://example.com" }, 201, undefined],
  [{ url: "http://8.8.8.8" }, 422, "fields_invalid"],
  [{ url: 7 }, 422, "fields_invalid"],
  [{ url: `https://example.com/${"a".repeat(2000)}` }, 422, "fields_invalid"],
  [{ url, types: ["webhook.test"] }, 422, "fields_invalid"],
  [{ url, types: "call.ready" }, 422, "fields_invalid"],
  [{ url, description: "a\0" }, 422, "fields_invalid"],
  [{ url, secret: "mine" }, 422, "fields_invalid"],
])("creating %j returns %s %s", async (body, status, code) => {
  const answer = await ask("POST", "", body);
  expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
});

test("requires a key with the manage scope", async () => {
  for (const scope of ["read", "import"] as const) {
    expect((await ask("GET", "", undefined, await key(scope))).statusCode).toBe(403);
  }
});

test("unknown and malformed ids get webhook_not_found", async () => {
  for (const id of [randomUUID(), "x", "..%2f", "0".repeat(36)]) {
    for (const [method, path, body] of [
      ["GET", "", undefined],
      ["PATCH", "", {}],
      ["DELETE", "", undefined],
      ["POST", "/test", undefined],
      ["POST", "/rotate-secret", {}],
      ["POST", "/replay", { event_id: anEventId }],
      ["GET", "/deliveries", undefined],
    ] as const) {
      expect((await ask(method, `/${id}${path}`, body)).json()).toMatchObject({
        status: 404,
        code: "webhook_not_found",
      });
    }
  }
});

test("concurrent workers create one delivery per event and subscribed webhook", async () => {
  await addEvent();
  const [all, none] = [await create(), await create({ types: ["call.failed"] })];
  for (let count = 0; count < 30; count++) await addEvent();
  const both = [all.id, none.id];
  await admin.query("update webhook_follower set due_at = now() + interval '1 hour' where endpoint_id = any($1)", [
    both,
  ]);
  await Promise.all(Array.from({ length: 8 }, () => fanOutEvents(app)));
  await fanOutEvents(app);
  const deliveries = await deliveriesOf(all.id);
  expect(deliveries).toHaveLength(30);
  expect(new Set(deliveries.map((delivery: { event_id: string }) => delivery.event_id)).size).toBe(30);
  expect(await deliveriesOf(none.id)).toEqual([]);
  const { rows } = await admin.query(
    "select endpoint_id from webhook_follower where endpoint_id = any($1) and due_at <= now()",
    [both],
  );
  expect(rows).toEqual([{ endpoint_id: all.id }]);
});

test("a test event goes to one webhook only", async () => {
  const [one, other] = [await create(), await create()];
  const answer = await ask("POST", `/${one.id}/test`);
  expect(answer.statusCode).toBe(202);
  while ((await deliveriesOf(one.id)).length === 0) await fanOutEvents(app);
  expect(await deliveriesOf(one.id)).toMatchObject([{ type: "webhook.test", event_id: answer.json().event_id }]);
  expect(await deliveriesOf(other.id)).toEqual([]);
  const stolen = await ask("POST", `/${other.id}/replay`, { event_id: answer.json().event_id });
  expect(stolen.json()).toMatchObject({ status: 404, code: "event_not_found" });
});

test("disabling cancels pending deliveries, enabling starts from now, and a range can be replayed", async () => {
  const { id } = await create();
  const began = new Date();
  await addEvent();
  await fanOutEvents(app);
  await ask("PATCH", `/${id}`, { enabled: false });
  await addEvent();
  await fanOutEvents(app);
  expect((await deliveriesOf(id)).map((delivery: { state: string }) => delivery.state)).toEqual(["cancelled"]);
  expect((await ask("POST", `/${id}/test`)).json()).toMatchObject({ status: 409, code: "webhook_disabled" });
  await ask("PATCH", `/${id}`, { enabled: true });
  await fanOutEvents(app);
  expect(await deliveriesOf(id)).toHaveLength(1);
  const replayed = await ask("POST", `/${id}/replay`, { from: began.toISOString() });
  expect([replayed.statusCode, replayed.json()]).toEqual([202, { queued: 2, next: null }]);
  expect((await ask("GET", `/${id}/deliveries?state=pending`)).json().deliveries).toHaveLength(2);
  const first = (await ask("GET", `/${id}/deliveries?limit=2`)).json();
  const rest = (await ask("GET", `/${id}/deliveries?limit=2&cursor=${first.next}`)).json();
  expect([first.deliveries.length, rest.deliveries.length, rest.next]).toEqual([2, 1, null]);
});

test.each([
  [{}, "event_id"],
  [{ event_id: "evt_1-2" }, "event_id"],
  [{ event_id: anEventId, from: "2026-01-01T00:00:00Z" }, "event_id"],
  [{ to: "2026-01-01T00:00:00Z" }, "from"],
  [{ from: "2026-01-01" }, "from"],
  [{ from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z" }, "to"],
  [{ after: "x" }, "after"],
  [{ after: anEventId, until: "x" }, "until"],
  [{ after: anEventId }, "after"],
  [{ from: "2026-01-01T00:00:00Z", until: anEventId }, "until"],
])("rejects a replay of %j, naming %s", async (body, part) => {
  const { id } = (await ask("GET", "")).json().webhooks[0];
  const answer = (await ask("POST", `/${id}/replay`, body)).json();
  expect(answer).toMatchObject({ status: 422, code: "fields_invalid", errors: [{ part }] });
});

test("an attempt that runs twice counts once, and neither the URL nor the secret is logged", async () => {
  const { id, secret } = await create({ url: "http://127.0.0.1:1/?token=hidden-word" });
  await ask("POST", `/${id}/test`);
  const [{ id: deliveryId }] = await deliveriesOf(id);
  const job = { workspaceId, deliveryId, attempt: 0 };
  await Promise.all([attemptDelivery(app, job), attemptDelivery(app, job)]);
  await attemptDelivery(app, job);
  const [delivery] = await deliveriesOf(id);
  expect(delivery).toMatchObject({ state: "pending", attempts: [{ status: null, error: "econnrefused" }] });
  const { rows } = await admin.query<{ due_at: Date }>("select due_at from webhook_delivery where id = $1", [
    deliveryId,
  ]);
  expect(rows.map((row) => row.due_at.toISOString())).toEqual([delivery.next_attempt_at]);
  expect(Date.parse(delivery.next_attempt_at) - Date.now()).toBeGreaterThan(2_000);
  expect(log()).not.toContain("hidden-word");
  expect(log()).not.toContain(secret);
});

test("a delivery fails after its last attempt; three days of failures disable the webhook", async () => {
  const { id } = await create({ url: "http://127.0.0.1:1/" });
  for (let count = 0; count < 2; count++) await ask("POST", `/${id}/test`);
  const [{ id: waiting }, { id: deliveryId }] = await deliveriesOf(id);
  await admin.query("update webhook_delivery set attempts = 12 where id = $1", [deliveryId]);
  await attemptDelivery(app, { workspaceId, deliveryId, attempt: 12 });
  expect((await deliveriesOf(id))[1]).toMatchObject({ state: "failed", next_attempt_at: null });
  expect((await ask("GET", `/${id}`)).json()).toMatchObject({ enabled: true, failing_since: expect.any(String) });

  await admin.query("update webhook_endpoint set failing_since = now() - interval '73 hours' where id = $1", [id]);
  await attemptDelivery(app, { workspaceId, deliveryId: waiting, attempt: 0 });
  expect((await ask("GET", `/${id}`)).json()).toMatchObject({ enabled: false, disabled: { reason: "failing" } });
  expect((await deliveriesOf(id))[0]).toMatchObject({ state: "cancelled", attempts: [{ error: "econnrefused" }] });
});

test("drops old weekly partitions; deliveries without a partition go to the fallback and later move to their own", async () => {
  const { id } = await create();
  await ask("POST", `/${id}/test`);
  const kept = await deliveriesOf(id);
  const now = Date.now();
  const week = (n: number) => firstUuidV7Of(new Date(now + n * 7 * 24 * 3_600_000));
  await admin.query(`create table webhook_delivery_old (like webhook_delivery including all)`);
  const [first] = (
    await admin.query(
      "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'webhook_delivery'::regclass order by 1 limit 1",
    )
  ).rows;
  const { rows: bound } = await admin.query(
    "select pg_get_expr(relpartbound, oid) as text from pg_class where oid = $1::regclass",
    [first.name],
  );
  const until = /TO \('(.*)'\)/.exec(bound[0].text)?.[1];
  await admin.query(`alter table webhook_delivery detach partition ${first.name}`);
  await admin.query(
    `alter table webhook_delivery attach partition ${first.name} for values from ('${week(-3)}') to ('${until}')`,
  );
  await admin.query(
    `alter table webhook_delivery attach partition webhook_delivery_old for values from (minvalue) to ('${week(-3)}')`,
  );
  const copy = (newId: string) =>
    admin.query(
      "insert into webhook_delivery select (jsonb_populate_record(d, jsonb_build_object('id', $1::text))).* from webhook_delivery d where id = $2",
      [newId, kept[0].id],
    );
  await copy(newUuidsV7(1, new Date(now - 40 * 24 * 3_600_000))[0] ?? "");
  expect(await deliveriesOf(id)).toHaveLength(2);
  expect(await dropDeliveriesBefore(app, new Date(now - 30 * 24 * 3_600_000))).toBe(0);
  expect(await dropDeliveriesBefore(app, new Date(now - 20 * 24 * 3_600_000))).toBe(1);
  expect(await deliveriesOf(id)).toEqual(kept);
  await expect(dropDeliveriesBefore(app, new Date())).rejects.toThrow("kept for a day");

  const late = newUuidsV7(1, new Date(now + 60 * 24 * 3_600_000))[0] ?? "";
  await copy(late);
  const partitionOf = async () =>
    (await admin.query("select tableoid::regclass::text as name from webhook_delivery where id = $1", [late])).rows[0]
      .name;
  expect(await partitionOf()).toBe("webhook_delivery_other");
  await sql`select add_delivery_week(${new Date(now + 60 * 24 * 3_600_000)})`.execute(app.db);
  expect(await partitionOf()).toMatch(/^webhook_delivery_\d{8}$/);
  expect(await deliveriesOf(id)).toHaveLength(2);
  await admin.query("delete from webhook_delivery where id = $1", [late]);
});

test("the deliveries of a deleted webhook are deleted with it", async () => {
  const [gone, stays] = [await create(), await create()];
  for (const { id } of [gone, stays]) await ask("POST", `/${id}/test`);
  await ask("DELETE", `/${gone.id}`);
  for (const { id: endpointId } of [gone, stays]) await deleteDeliveries.perform(app, { workspaceId, endpointId });
  const { rows } = await admin.query("select endpoint_id from webhook_delivery where endpoint_id = any($1)", [
    [gone.id, stays.id],
  ]);
  expect(rows).toEqual([{ endpoint_id: stays.id }]);
  const { rows: jobs } = await admin.query("select payload from outgoing_job where name = 'webhook.delete-deliveries'");
  expect(jobs).toContainEqual({ payload: { workspaceId, endpointId: gone.id } });
});

test("concurrent requests cannot create more than 50 webhooks", async () => {
  const answers = await Promise.all(Array.from({ length: 60 }, () => ask("POST", "", { url })));
  expect(answers.filter(({ statusCode }) => statusCode === 409).length).toBeGreaterThan(9);
  expect(answers.find(({ statusCode }) => statusCode === 409)?.json().code).toBe("webhook_limit_reached");
  const rows = await inWorkspace(app, workspaceId, (tx) => tx.selectFrom("webhookEndpoint").select("id").execute());
  expect(rows).toHaveLength(50);
});
