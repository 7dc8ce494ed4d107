import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EventClient, type EventPage, eventClient } from "../support/http/event-client.ts";
import { createAgent, type Service } from "../support/http/service.ts";
import { scale } from "../support/run-scale.ts";
import { openReceiver, type Received, type Receiver } from "../support/servers/webhook-receiver.ts";
import { placesOf } from "../support/stack/dumps.ts";
import { type ApiProcess, openStack, type Stack } from "../support/stack/stack.ts";
import { inParallel, say, until } from "../support/waiting.ts";

/*
 * docs/webhooks.md: webhooks are delivered at least once, signed.
 */

let stack: Stack;
let api: ApiProcess;
let client: EventClient;
let service: Service;
const receivers: Receiver[] = [];

beforeAll(async () => {
  // Retry delays in ms instead of s.
  stack = await openStack(undefined, { WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8", WEBHOOK_RETRY_FACTOR: "0.001" });
  api = await stack.startApi();
  client = await eventClient(stack, api.baseUrl);
  service = { baseUrl: api.baseUrl, apiKey: client.apiKey, campaignId: stack.campaignId, agentEmail: stack.agentEmail };
  await stack.startWorker();
}, 120_000);
afterAll(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()));
  await stack?.stop();
});

async function receiver(...options: Parameters<typeof openReceiver>): Promise<Receiver> {
  const made = await openReceiver(...options);
  receivers.push(made);
  return made;
}

const verify = ({ headers, body }: Received, secret: string) =>
  new Verifier(secret).verify(body, headers as Record<string, string>) as { id: string; type: string; data: object };

const latest = async () => (await client.ask<EventPage>("GET", "/events?cursor=latest")).body.next;

/** All events, or those after a cursor. */
async function eventsAfter(cursor?: string): Promise<EventPage["events"]> {
  const events: EventPage["events"][number][] = [];
  let after = cursor ? `&cursor=${cursor}` : "";
  for (;;) {
    const { body } = await client.ask<EventPage>("GET", `/events?limit=500${after}`);
    events.push(...body.events);
    if (!body.more) return events;
    after = `&cursor=${body.next}`;
  }
}

/** Waits for `count` events after a cursor. Events become readable when no older transaction is running. */
const readable = (count: number, cursor: string) =>
  until("all events are readable", 120_000, async () => {
    const found = await eventsAfter(cursor);
    return found.length >= count ? found : undefined;
  });

test("every event arrives with a valid signature at a receiver that fails 3 of 4 requests", {
  timeout: 600_000,
}, async () => {
  const count = scale(40, 100, 1_000);
  const failing = await receiver((_, nth) => [500, 503, 302][nth] ?? 200);
  // Otherwise earlier events, held back by an open transaction, could reach the new webhook.
  const { rows: before } = await stack.adminDb.query("select from event");
  await until("earlier events are readable", 120_000, async () => (await eventsAfter()).length === before.length);
  const { id, secret } = await client.createWebhook(failing.url);
  const cursor = await latest();
  await inParallel(count, 8, async () => void (await createAgent(service)));
  const events = await readable(count, cursor);
  expect(events).toHaveLength(count);
  const began = Date.now();
  await until("all arrived", 500_000, () => failing.taken().size >= count, 100);
  const took = Date.now() - began;

  const byId = new Map(events.map((event) => [event.id, event]));
  for (const received of failing.received) {
    const event = verify(received, secret);
    expect(received.headers["webhook-id"]).toBe(event.id);
    expect(byId.get(event.id), "every attempt has the id of /events").toMatchObject({
      type: event.type,
      data: event.data,
    });
    expect(received.headers["content-type"]).toBe("application/json");
  }
  expect(failing.taken()).toEqual(new Set(byId.keys()));
  await until("all are settled", 60_000, async () => {
    const { body } = await client.ask<{ deliveries: unknown[] }>("GET", `/webhooks/${id}/deliveries?state=pending`);
    return body.deliveries.length === 0;
  });
  const attempts = failing.received.length;
  say(`${count} events in ${attempts} attempts (${(attempts / count).toFixed(2)} each), the last after ${took} ms`);
  await client.ask("DELETE", `/webhooks/${id}`);
});

test("during a secret rotation both secrets verify, afterwards only the new one", async () => {
  const quiet = await receiver();
  const first = await client.createWebhook(quiet.url);
  const test = () => client.ask("POST", `/webhooks/${first.id}/test`);
  const arrived = (count: number) => until(`${count} test events arrive`, 30_000, () => quiet.received.length >= count);
  await test();
  await arrived(1);
  const second = (await client.ask<{ secret: string }>("POST", `/webhooks/${first.id}/rotate-secret`)).body;
  await test();
  await arrived(2);
  const third = (
    await client.ask<{ secret: string }>("POST", `/webhooks/${first.id}/rotate-secret`, { overlap_hours: 0 })
  ).body;
  await test();
  await arrived(3);
  const [one, two, three] = quiet.received as [Received, Received, Received];
  verify(one, first.secret);
  verify(two, first.secret);
  verify(two, second.secret);
  verify(three, third.secret);
  expect(() => verify(one, second.secret)).toThrow();
  expect(() => verify(three, second.secret)).toThrow();
  expect(() => verify({ ...two, body: two.body.replace("webhook.test", "webhook.tost") }, second.secret)).toThrow();
});

test("a database dump contains no webhook secret", async () => {
  const { id, secret } = await client.createWebhook("https://example.com/hooks");
  const dumped = await placesOf([secret, id], { databaseUrl: stack.env.DATABASE_URL });
  expect(dumped).toEqual([`${id}: dump`]);
});

test("a test event goes only to its webhook", async () => {
  const [mine, other] = [await receiver(), await receiver()];
  const [{ id }] = [await client.createWebhook(mine.url), await client.createWebhook(other.url)];
  const { event_id: eventId } = (await client.ask<{ event_id: string }>("POST", `/webhooks/${id}/test`)).body;
  await createAgent(service);
  await until("both received the agent event", 30_000, () => other.taken().size === 1 && mine.taken().size === 2);
  expect([...mine.taken()]).toContain(eventId);
  expect([...other.taken()]).not.toContain(eventId);
});

test("410 disables the webhook and cancels pending deliveries; a replay sends them later", async () => {
  let gone = true;
  const moving = await receiver(() => (gone ? 410 : 200));
  const { id } = await client.createWebhook(moving.url, { types: ["user.created"] });
  const from = new Date().toISOString();
  const cursor = await latest();
  for (let count = 0; count < 5; count++) await createAgent(service);
  const webhook = () => client.ask<{ enabled: boolean; disabled: { reason: string } }>("GET", `/webhooks/${id}`);
  await until("the webhook is disabled", 30_000, async () => !(await webhook()).body.enabled);
  expect((await webhook()).body.disabled.reason).toBe("gone");
  for (const { state } of await client.deliveries(id)) expect(["failed", "cancelled"]).toContain(state);
  expect((await client.ask("POST", `/webhooks/${id}/replay`, { from })).status).toBe(409);

  gone = false;
  await client.ask("PATCH", `/webhooks/${id}`, { enabled: true });
  const events = await eventsAfter(cursor);
  const one = await client.ask("POST", `/webhooks/${id}/replay`, { event_id: events[0]?.id });
  expect([one.status, one.body]).toEqual([202, { queued: 1, next: null }]);
  await until("the replayed event arrives", 30_000, () => moving.taken().size === 1);
  expect([...moving.taken()]).toEqual([events[0]?.id]);

  const range = { after: events[0]?.id, until: events[4]?.id };
  expect((await client.ask("POST", `/webhooks/${id}/replay`, range)).body).toEqual({ queued: 4, next: null });
  await until("the replayed range arrives", 30_000, () => moving.taken().size === 5);
  expect(moving.taken()).toEqual(new Set(events.map((event) => event.id)));
  const times = { from, to: new Date(Date.now() + 1_000).toISOString() };
  expect((await client.ask<{ queued: number }>("POST", `/webhooks/${id}/replay`, times)).body.queued).toBe(5);
});

test("a redirect is not followed", async () => {
  const target = await receiver();
  const redirecting = await receiver(() => ({ status: 307, headers: { location: target.url } }));
  const { id } = await client.createWebhook(redirecting.url);
  await client.ask("POST", `/webhooks/${id}/test`);
  await until("three attempts", 30_000, () => redirecting.received.length >= 3);
  expect(target.received).toEqual([]);
  expect((await client.deliveries(id))[0]?.attempts[0]).toMatchObject({ status: 307, error: "status_307" });
  await client.ask("DELETE", `/webhooks/${id}`);
});

test("Retry-After is respected", async () => {
  const busy = await receiver((nth) => (nth === 0 ? { status: 429, headers: { "retry-after": "3" } } : 200));
  const { id } = await client.createWebhook(busy.url);
  await client.ask("POST", `/webhooks/${id}/test`);
  await until("it arrives", 30_000, () => busy.taken().size === 1);
  const [first, second] = busy.received as [Received, Received];
  expect(second.at - first.at).toBeGreaterThanOrEqual(2_900);
});

test("dead and slow receivers do not delay another", { timeout: 360_000 }, async () => {
  /** Delivery time of 30 events to one receiver, next to six others. */
  async function besideSix(others: () => Promise<Receiver>): Promise<number> {
    const webhooks: string[] = [];
    const create = async ({ url }: Receiver) => webhooks.push((await client.createWebhook(url)).id);
    for (let count = 0; count < 6; count++) await create(await others());
    const alive = await receiver();
    await create(alive);
    const cursor = await latest();
    await inParallel(30, 8, async () => void (await createAgent(service)));
    await readable(30, cursor);
    const began = Date.now();
    await until("the live receiver has all events", 120_000, () => alive.taken().size >= 30);
    const took = Date.now() - began;
    for (const webhook of webhooks) await client.ask("DELETE", `/webhooks/${webhook}`);
    return took;
  }
  const beside = { quick: await besideSix(() => receiver()), dead: await besideSix(() => receiver(() => "nothing")) };
  say(`30 events next to 6 fast receivers: ${beside.quick} ms, next to 6 dead receivers: ${beside.dead} ms`);
  // The delivery timeout is 15 s. For a change: six dead receivers with 30 events each would take minutes.
  expect(beside.dead - beside.quick).toBeLessThan(scale(60_000, 14_000, 14_000));
});

test("the server command matches the API", async () => {
  const quiet = await receiver();
  const workspace = ["--workspace", stack.workspaceId, "--json"];
  const webhook = <T>(...args: string[]) => stack.command<T>("webhook", ...args, ...workspace);
  const { id } = await webhook<{ id: string; secret: string }>("create", "--url", quiet.url);
  expect(await webhook<{ id: string }[]>("list")).toContainEqual(expect.objectContaining({ id, enabled: true }));
  const { event_id: eventId } = await webhook<{ event_id: string }>("test", id);
  await until("the test event arrives", 30_000, () => quiet.taken().has(eventId));
  expect(await webhook("deliveries", id)).toMatchObject({ deliveries: [{ event_id: eventId }], next: null });
  expect(await webhook("disable", id)).toMatchObject({ enabled: false });
  expect(await webhook("enable", id)).toMatchObject({ enabled: true });
  expect(await webhook("replay", id, "--event", eventId)).toEqual({ queued: 1, next: null });
  await until("it arrives again", 30_000, () => quiet.received.length === 2);
  expect(await webhook("rotate-secret", id)).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
  expect(await webhook("delete", id)).toEqual({ id, deleted: true });
  await expect(webhook("test", id)).rejects.toThrow(/There is no webhook/);
});
