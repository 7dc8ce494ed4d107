import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { announce } from "../events/announce.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { auditOf } from "../testing/asking.ts";
import { openTestApp } from "../testing/test-app.ts";
import { deliverEvent } from "./deliver-event.ts";
import { followEvents } from "./follow-events.ts";
import { removeDeliveriesBefore } from "./remove-old-deliveries.ts";

const { app, api, key, admin, caller, log } = await openTestApp({ WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32" });
const manageKey = await key("manage");
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
const happen = () =>
  inWorkspace(app, workspaceId, (tx) =>
    announce(tx, { workspaceId, type: "user.created", data: { user_id: randomUUID(), role: "agent" } }),
  );
const deliveriesOf = async (id: string) => (await ask("GET", `/${id}/deliveries`)).json().deliveries;

test("a webhook is made, seen without its secret, changed and removed", async () => {
  const made = await ask("POST", "", { url, description: "Ours", types: ["call.ready", "call.ready"] });
  expect(made.statusCode).toBe(201);
  const { id, secret, ...shown } = made.json();
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

test("each change leaves one entry, and what changes nothing leaves none", async () => {
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
])("%j is answered with %s %s", async (body, status, code) => {
  const answer = await ask("POST", "", body);
  expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
});

test("only a key with the scope manage may", async () => {
  for (const scope of ["read", "import"] as const) {
    expect((await ask("GET", "", undefined, await key(scope))).statusCode).toBe(403);
  }
});

test("ids of nobody, and what is no id, are not there", async () => {
  for (const id of [randomUUID(), "x", "..%2f", "0".repeat(36)]) {
    for (const [method, path, body] of [
      ["GET", "", undefined],
      ["PATCH", "", {}],
      ["DELETE", "", undefined],
      ["POST", "/test", undefined],
      ["POST", "/rotate-secret", {}],
      ["POST", "/replay", { event_id: "evt_1-1-1" }],
      ["GET", "/deliveries", undefined],
    ] as const) {
      expect((await ask(method, `/${id}${path}`, body)).json()).toMatchObject({
        status: 404,
        code: "webhook_not_found",
      });
    }
  }
});

test("many workers make one delivery of each event for each endpoint that wants it", async () => {
  await happen();
  const [all, none] = [await create(), await create({ types: ["call.failed"] })];
  for (let count = 0; count < 30; count++) await happen();
  await Promise.all(Array.from({ length: 8 }, () => followEvents(app)));
  await followEvents(app);
  const deliveries = await deliveriesOf(all.id);
  expect(deliveries).toHaveLength(30);
  expect(new Set(deliveries.map((delivery: { event_id: string }) => delivery.event_id)).size).toBe(30);
  expect(await deliveriesOf(none.id)).toEqual([]);
  const { rows } = await admin.query("select 1 from outgoing_job where name = 'event.deliver'");
  expect(rows.length).toBeGreaterThanOrEqual(30);
});

test("a test goes to one endpoint and to no other", async () => {
  const [one, other] = [await create(), await create()];
  const answer = await ask("POST", `/${one.id}/test`);
  expect(answer.statusCode).toBe(202);
  await followEvents(app);
  expect(await deliveriesOf(one.id)).toMatchObject([{ type: "webhook.test", event_id: answer.json().event_id }]);
  expect(await deliveriesOf(other.id)).toEqual([]);
  const stolen = await ask("POST", `/${other.id}/replay`, { event_id: answer.json().event_id });
  expect(stolen.json()).toMatchObject({ status: 404, code: "event_not_found" });
});

test("disabling cancels what waits; enabling begins now; a range is replayed", async () => {
  const { id } = await create();
  const began = new Date();
  await happen();
  await followEvents(app);
  await ask("PATCH", `/${id}`, { enabled: false });
  await happen();
  await followEvents(app);
  expect((await deliveriesOf(id)).map((delivery: { state: string }) => delivery.state)).toEqual(["cancelled"]);
  expect((await ask("POST", `/${id}/test`)).json()).toMatchObject({ status: 409, code: "webhook_disabled" });
  await ask("PATCH", `/${id}`, { enabled: true });
  await followEvents(app);
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
  [{ event_id: "evt_1-2-3", from: "2026-01-01T00:00:00Z" }, "event_id"],
  [{ to: "2026-01-01T00:00:00Z" }, "from"],
  [{ from: "2026-01-01" }, "from"],
  [{ from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z" }, "to"],
  [{ after: "x" }, "after"],
  [{ after: "evt_1-2-3", until: "x" }, "until"],
])("a replay of %j is refused, naming %s", async (body, part) => {
  const { id } = (await ask("GET", "")).json().webhooks[0];
  const answer = (await ask("POST", `/${id}/replay`, body)).json();
  expect(answer).toMatchObject({ status: 422, code: "fields_invalid", errors: [{ part }] });
});

test("an attempt that is run twice counts once, and nothing of the URL or secret is logged", async () => {
  const { id, secret } = await create({ url: "http://127.0.0.1:1/?token=hidden-word" });
  await ask("POST", `/${id}/test`);
  const [{ id: deliveryId }] = await deliveriesOf(id);
  const job = { workspaceId, deliveryId, attempt: 0 };
  await Promise.all([deliverEvent.perform(app, job), deliverEvent.perform(app, job)]);
  await deliverEvent.perform(app, job);
  const [delivery] = await deliveriesOf(id);
  expect(delivery).toMatchObject({ state: "pending", attempts: [{ status: null, error: "econnrefused" }] });
  const { rows } = await admin.query<{ start_after: Date }>(
    "select start_after from outgoing_job where payload ->> 'deliveryId' = $1 and (payload ->> 'attempt')::int = 1",
    [deliveryId],
  );
  expect(rows.map((row) => row.start_after.toISOString())).toEqual([delivery.next_attempt_at]);
  expect(log()).not.toContain("hidden-word");
  expect(log()).not.toContain(secret);
});

test("the last attempt settles a delivery; three days of failure disable the endpoint", async () => {
  const { id } = await create({ url: "http://127.0.0.1:1/" });
  for (let count = 0; count < 2; count++) await ask("POST", `/${id}/test`);
  const [{ id: waiting }, { id: deliveryId }] = await deliveriesOf(id);
  await admin.query("update webhook_delivery set attempts = 12 where id = $1", [deliveryId]);
  await deliverEvent.perform(app, { workspaceId, deliveryId, attempt: 12 });
  expect((await deliveriesOf(id))[1]).toMatchObject({ state: "failed", next_attempt_at: null });
  expect((await ask("GET", `/${id}`)).json()).toMatchObject({ enabled: true, failing_since: expect.any(String) });

  await admin.query("update webhook_endpoint set failing_since = now() - interval '73 hours' where id = $1", [id]);
  await deliverEvent.perform(app, { workspaceId, deliveryId: waiting, attempt: 0 });
  expect((await ask("GET", `/${id}`)).json()).toMatchObject({ enabled: false, disabled: { reason: "failing" } });
  expect((await deliveriesOf(id))[0]).toMatchObject({ state: "cancelled", attempts: [{ error: "econnrefused" }] });
});

test("old deliveries are removed when they are settled", async () => {
  const { id } = await create();
  for (let count = 0; count < 3; count++) await ask("POST", `/${id}/test`);
  const [newest, settled] = await deliveriesOf(id);
  await admin.query("update webhook_delivery set state = 'delivered', settled_at = now() where id = $1", [settled.id]);
  const later = new Date(Date.now() + 60_000);
  expect(await removeDeliveriesBefore(app, workspaceId, new Date(Date.now() - 60_000))).toBe(0);
  expect(await removeDeliveriesBefore(app, workspaceId, later)).toBeGreaterThanOrEqual(1);
  const left = await deliveriesOf(id);
  expect(left).toHaveLength(2);
  expect(left[0].id).toBe(newest.id);
});

test("a workspace has fifty webhooks at most, however many ask at once", async () => {
  const answers = await Promise.all(Array.from({ length: 60 }, () => ask("POST", "", { url })));
  expect(answers.filter(({ statusCode }) => statusCode === 409).length).toBeGreaterThan(9);
  expect(answers.find(({ statusCode }) => statusCode === 409)?.json().code).toBe("webhook_limit_reached");
  const rows = await inWorkspace(app, workspaceId, (tx) => tx.selectFrom("webhookEndpoint").select("id").execute());
  expect(rows).toHaveLength(50);
});
