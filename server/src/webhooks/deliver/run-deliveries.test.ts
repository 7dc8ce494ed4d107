import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { scale } from "@hearback/portable/testing/scale";
import { afterAll, expect, test } from "vitest";
import { operatorIn } from "../../platform/actor.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { waitingDeliveries } from "../../testing/run-scale.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { createWebhook } from "../endpoint/create-webhook.ts";
import { deleteWebhook } from "../endpoint/delete-webhook.ts";
import { testWebhook } from "../endpoint/test-webhook.ts";
import { claimDue, releaseLease, renewLeases } from "../queue/delivery-lease.ts";
import { findDueDeliveries } from "../queue/find-due-deliveries.ts";
import { queueDeliveries } from "../queue/queue-deliveries.ts";
import { runDeliveries } from "./run-deliveries.ts";

const { app, admin, caller } = await openTestApp({ WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32" });
const { workspaceId } = caller;
const by = operatorIn(workspaceId);

const servers: ReturnType<typeof createServer>[] = [];
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

/** Starts a receiver that records its requests. */
async function aReceiver(answer: RequestListener) {
  const received: { id: string; at: number }[] = [];
  const server = createServer((request, response) => {
    received.push({ id: String(request.headers["webhook-id"]), at: Date.now() });
    answer(request, response);
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { id } = await createWebhook(app, by, { url, description: "", types: ["call.failed"] });
  return { id, received };
}
const anEvent = { epoch: 1, xid: 1, seq: 1, type: "call.failed" };
const ok: RequestListener = (_, response) => void response.writeHead(204).end();

/** Inserts deliveries of one test event, due now. */
async function addDeliveries(endpointId: string, count: number): Promise<void> {
  const { deliveryId } = await testWebhook(app, workspaceId, endpointId);
  await admin.query("update webhook_delivery set event_type = 'call.failed' where id = $1", [deliveryId]);
  await admin.query(
    `insert into webhook_delivery
     select d.workspace_id, (left(d.id::text, 15) || substr(gen_random_uuid()::text, 16))::uuid, d.endpoint_id, d.event_epoch, d.event_xid, d.event_seq, d.event_type,
       d.state, d.attempts, d.due_at, d.log, d.created_at, d.settled_at
     from webhook_delivery d, generate_series(2, $2) where d.id = $1`,
    [deliveryId, count],
  );
}
const pending = async (endpointId: string) =>
  (
    await admin.query("select count(*)::int as n from webhook_delivery where endpoint_id = $1 and state = 'pending'", [
      endpointId,
    ])
  ).rows[0].n;
const attemptsOf = async (endpointId: string) =>
  (await admin.query("select sum(attempts)::int as n from webhook_delivery where endpoint_id = $1", [endpointId]))
    .rows[0].n;
async function until(condition: () => boolean | Promise<boolean>, ms = 60_000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error("timed out");
    await sleep(20);
  }
}
test("delivers all pending events, several in parallel", async () => {
  let most = 0;
  let underWay = 0;
  const receiver = await aReceiver(async (_, response) => {
    most = Math.max(most, ++underWay);
    await sleep(5);
    underWay--;
    response.writeHead(204).end();
  });
  await addDeliveries(receiver.id, 150);
  const workers = [runDeliveries(app), runDeliveries(app)];
  await until(async () => (await pending(receiver.id)) === 0);
  for (const worker of workers) await worker.stop();
  expect(receiver.received).toHaveLength(150);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(4);
  await deleteWebhook(app, by, receiver.id);
});

test("one worker at a time leases a webhook, and another takes over after the lease expires", async () => {
  const { id } = await aReceiver(ok);
  await testWebhook(app, workspaceId, id);
  const claim = (lease: string, running: string[] = []) => claimDue(app.db, { lease, limit: 10, running });
  const [dead, other] = [randomUUID(), randomUUID()];
  expect(await claim(dead)).toEqual([{ endpointId: id, workspaceId, lease: dead }]);
  expect(await claim(other)).toEqual([]);
  await admin.query("update webhook_follower set leased_until = now() where endpoint_id = $1", [id]);
  const [taken] = await claim(other);
  expect(taken?.lease).toBe(other);
  // The first worker is still alive, but can no longer release the lease.
  await releaseLease(app, { endpointId: id, workspaceId, lease: dead }, undefined);
  expect((await admin.query("select lease from webhook_follower where endpoint_id = $1", [id])).rows).toEqual([
    { lease: other },
  ]);
  await deleteWebhook(app, by, id);
});

test("renews a lease while another transaction locks another webhook", async () => {
  const lease = randomUUID();
  const ids = [(await aReceiver(ok)).id, (await aReceiver(ok)).id];
  expect(await claimDue(app.db, { lease, limit: 10, running: [] })).toHaveLength(2);
  await admin.query("update webhook_follower set leased_until = now() where endpoint_id = any($1)", [ids]);
  await inWorkspace(app, workspaceId, async (tx) => {
    await tx
      .selectFrom("webhookFollower")
      .selectAll()
      .where("endpointId", "=", ids[0] ?? "")
      .forUpdate()
      .execute();
    await renewLeases(app.db, lease, ids);
  });
  const [other] = await claimDue(app.db, { lease: randomUUID(), limit: 10, running: [] });
  expect(other?.endpointId).toBe(ids[0]);
  for (const id of ids) await deleteWebhook(app, by, id);
});

const dueInMs = async (endpointId: string) =>
  Number(
    (
      await admin.query(
        "select extract(epoch from due_at - now()) * 1000 as ms from webhook_follower where endpoint_id = $1",
        [endpointId],
      )
    ).rows[0].ms,
  );

test("a failing webhook gets new events after its pause, and requested deliveries immediately", async () => {
  const { id } = await aReceiver(ok);
  const write = (failingSince: Date | null, now: boolean) =>
    inWorkspace(app, workspaceId, async (tx) => {
      await tx
        .updateTable("webhookFollower")
        .set({ dueAt: new Date(Date.now() + 3_600_000) })
        .execute();
      await queueDeliveries(app, tx, { workspaceId, id, failingSince }, [anEvent], { now });
    });
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
  await write(ago(600), false);
  expect(await dueInMs(id)).toBeGreaterThan(5_000);
  expect(await dueInMs(id)).toBeLessThanOrEqual(10_500);
  await write(ago(600), true);
  expect(await dueInMs(id)).toBeLessThanOrEqual(0);
  await write(null, false);
  expect(await dueInMs(id)).toBeLessThanOrEqual(0);
  await deleteWebhook(app, by, id);
});

test("a test event ends the pause of the circuit breaker, but not the wait for a slot", async () => {
  const { id } = await aReceiver(ok);
  await testWebhook(app, workspaceId, id);
  for (const exceptTests of [true, false]) {
    await admin.query("update webhook_follower set due_at = now() where endpoint_id = $1", [id]);
    const [claim] = await claimDue(app.db, { lease: randomUUID(), limit: 1, running: [] });
    if (!claim) throw new Error("nothing was claimed");
    await releaseLease(app, claim, { ms: 60_000, exceptTests });
    expect((await dueInMs(id)) > 30_000).toBe(!exceptTests);
  }
  await deleteWebhook(app, by, id);
});

test("a delivery inserted while the lease is released is not lost", async () => {
  const { id } = await aReceiver(ok);
  const webhook = { workspaceId, id, failingSince: null };
  const claim = async () => (await claimDue(app.db, { lease: randomUUID(), limit: 1, running: [] }))[0];
  for (let round = 0; round < 5; round++) {
    await admin.query("update webhook_follower set due_at = now() where endpoint_id = $1", [id]);
    const claimed = await claim();
    if (!claimed) throw new Error("nothing was claimed");
    let released: Promise<void> | undefined;
    await inWorkspace(app, workspaceId, async (tx) => {
      await queueDeliveries(app, tx, webhook, [anEvent], { now: false });
      // The delivery is not visible to it yet.
      released = releaseLease(app, claimed, undefined);
      await sleep(50);
    });
    await released;
    const again = await claim();
    expect(again?.endpointId).toBe(id);
    if (again) await releaseLease(app, again, undefined);
    await admin.query("delete from webhook_delivery where endpoint_id = $1", [id]);
  }
  await deleteWebhook(app, by, id);
});

test("finding due deliveries uses an index in every partition", async () => {
  const { id } = await aReceiver(ok);
  await addDeliveries(id, 2_000);
  await admin.query("analyze webhook_delivery");
  const claim = { workspaceId, endpointId: id, lease: randomUUID() };
  expect((await findDueDeliveries(app, claim, []))?.deliveries).toHaveLength(50);
  const { rows } = await admin.query(
    `explain select id, attempts from webhook_delivery where workspace_id = '${workspaceId}' and endpoint_id = '${id}'
       and state = 'pending' and due_at <= now() order by due_at limit 50`,
  );
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan).toContain("Index Scan");
  expect(plan).not.toContain("Seq Scan");
  expect(plan).not.toContain("Sort  ");
  // Finding test events does not scan other pending deliveries.
  const { rows: tests } = await admin.query(
    `explain analyze select id from (select id, due_at from webhook_delivery where workspace_id = '${workspaceId}' and endpoint_id = '${id}'
       and state = 'pending' and due_at <= now() and event_type = 'webhook.test' offset 0) as tests order by due_at limit 50`,
  );
  expect(tests.map((row) => row["QUERY PLAN"]).join("\n")).not.toContain("Removed by Filter");
  await deleteWebhook(app, by, id);
});

test(`${waitingDeliveries} pending deliveries to a dead receiver cost less than one request per second and do not delay others`, {
  timeout: 300_000,
}, async () => {
  const seconds = scale(4, 5, 60);
  /** Median delay of test events to a responding receiver. */
  async function delays(): Promise<number> {
    const alive = await aReceiver(ok);
    const took: number[] = [];
    const end = Date.now() + seconds * 1000;
    while (Date.now() < end) {
      const began = Date.now();
      const before = alive.received.length;
      await testWebhook(app, workspaceId, alive.id);
      await until(() => alive.received.length > before);
      took.push((alive.received.at(-1)?.at ?? 0) - began);
      await sleep(50 + Math.random() * 100);
    }
    await deleteWebhook(app, by, alive.id);
    return took.toSorted((a, b) => a - b)[Math.floor(took.length / 2)] ?? 0;
  }
  const worker = runDeliveries(app);
  const alone = await delays();

  const refusing = await aReceiver((request) => void request.socket.destroy());
  const silent = await aReceiver(() => {});
  for (const { id } of [refusing, silent]) {
    await addDeliveries(id, waitingDeliveries);
    // Failing for an hour.
    await admin.query("update webhook_endpoint set failing_since = now() - interval '1 hour' where id = $1", [id]);
  }
  await until(() => refusing.received.length > 0 && silent.received.length > 0);
  const requests = () => refusing.received.length + silent.received.length;
  const before = { requests: requests(), attempts: await attemptsOf(refusing.id), began: Date.now() };
  const beside = await delays();
  const tookSeconds = (Date.now() - before.began) / 1000;
  const perSecond = (requests() - before.requests) / tookSeconds;
  const attempts = (await attemptsOf(refusing.id)) - before.attempts;
  // Test events are sent to a failing webhook immediately, so that users can check whether it works again.
  const tested = refusing.received.length;
  await testWebhook(app, workspaceId, refusing.id);
  await until(() => refusing.received.length > tested, 5_000);
  const { rows: jobs } = await admin.query("select from pgboss.job");
  process.stdout.write(
    `${waitingDeliveries} pending for each of two dead receivers: ${perSecond.toFixed(2)} requests per second over ${tookSeconds.toFixed(0)} s, ` +
      `${jobs.length} jobs; delay of another receiver ${alone} ms alone, ${beside} ms in parallel\n`,
  );
  expect(perSecond).toBeLessThan(1);
  expect(attempts).toBeLessThanOrEqual(tookSeconds);
  expect(jobs).toEqual([]);
  expect(beside).toBeLessThan(alone * 1.5 + 100);

  for (const { id } of [refusing, silent]) await deleteWebhook(app, by, id);
  for (const server of servers) server.closeAllConnections();
  await worker.stop();
});

test("a probe detects that a dead receiver is back, and all deliveries are sent", { timeout: 60_000 }, async () => {
  let dead = true;
  const receiver = await aReceiver((request, response) => {
    if (dead) request.socket.destroy();
    else ok(request, response);
  });
  await addDeliveries(receiver.id, 200);
  const worker = runDeliveries(app);
  await until(() => receiver.received.length >= 20);
  await sleep(1_000);
  // Twenty consecutive failures opened the circuit breaker.
  expect(receiver.received.length).toBeLessThanOrEqual(24);
  dead = false;
  await until(async () => (await pending(receiver.id)) <= 24, 30_000);
  await worker.stop();
  const { failingSince } = await inWorkspace(app, workspaceId, (tx) =>
    tx
      .selectFrom("webhookEndpoint")
      .select("failingSince")
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", receiver.id)
      .executeTakeFirstOrThrow(),
  );
  expect(failingSince).toBeNull();
});
