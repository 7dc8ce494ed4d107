import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  aReceiver,
  type EventClient,
  type EventPage,
  eventClient,
  type Received,
  type Receiver,
} from "../support/events.ts";
import { anAgent, type Service } from "../support/service.ts";
import { full } from "../support/sizes.ts";
import { type ApiProcess, openStack, type Stack } from "../support/stack.ts";
import { inParallel, say, until } from "../support/waiting.ts";

/*
 * Promise 13, first half: webhooks arrive at least once, signed.
 */

let stack: Stack;
let api: ApiProcess;
let client: EventClient;
let service: Service;
const receivers: Receiver[] = [];

beforeAll(async () => {
  // Pauses of 5 ms instead of 5 s, and so on.
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

async function receiver(...options: Parameters<typeof aReceiver>): Promise<Receiver> {
  const made = await aReceiver(...options);
  receivers.push(made);
  return made;
}

const verify = ({ headers, body }: Received, secret: string) =>
  new Verifier(secret).verify(body, headers as Record<string, string>) as { id: string; type: string; data: object };

const latest = async () => (await client.ask<EventPage>("GET", "/events?after=latest")).body.next;

/** All of them, or those after a cursor. */
async function eventsAfter(cursor?: string): Promise<EventPage["events"]> {
  const events: EventPage["events"][number][] = [];
  let after = cursor ? `&after=${cursor}` : "";
  for (;;) {
    const { body } = await client.ask<EventPage>("GET", `/events?limit=500${after}`);
    events.push(...body.events);
    if (!body.more) return events;
    after = `&after=${body.next}`;
  }
}

/** So many events after a cursor: the last ones can be read as soon as no older transaction runs anywhere. */
const readable = (count: number, cursor: string) =>
  until("all can be read", 120_000, async () => {
    const found = await eventsAfter(cursor);
    return found.length >= count ? found : undefined;
  });

test("every event arrives, verified, at a receiver that fails 3 of 4 requests", { timeout: 600_000 }, async () => {
  const count = full ? 1_000 : 100;
  const failing = await receiver((_, nth) => [500, 503, 302][nth] ?? 200);
  // What happened before could else be held back by a transaction elsewhere, and be told to the new webhook, too.
  const { rows: before } = await stack.adminDb.query("select from event");
  await until("what happened before can be read", 120_000, async () => (await eventsAfter()).length === before.length);
  const { id, secret } = await client.createWebhook(failing.url);
  const cursor = await latest();
  await inParallel(count, 8, async () => void (await anAgent(service)));
  const events = await readable(count, cursor);
  expect(events).toHaveLength(count);
  const began = Date.now();
  await until("all have arrived", 500_000, () => failing.taken().size >= count, 100);
  const took = Date.now() - began;

  const byId = new Map(events.map((event) => [event.id, event]));
  for (const received of failing.received) {
    const told = verify(received, secret);
    expect(received.headers["webhook-id"]).toBe(told.id);
    expect(byId.get(told.id), "its id is that of /events, at every attempt").toMatchObject({
      type: told.type,
      data: told.data,
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

test("while a secret is replaced both verify what is sent, and afterwards the new one alone", async () => {
  const quiet = await receiver();
  const first = await client.createWebhook(quiet.url);
  const test = () => client.ask("POST", `/webhooks/${first.id}/test`);
  const arrived = (count: number) => until(`${count} tests arrive`, 30_000, () => quiet.received.length >= count);
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

test("a test event goes to the one that asked for it, and nowhere else", async () => {
  const [mine, other] = [await receiver(), await receiver()];
  const [{ id }] = [await client.createWebhook(mine.url), await client.createWebhook(other.url)];
  const { event_id: eventId } = (await client.ask<{ event_id: string }>("POST", `/webhooks/${id}/test`)).body;
  await anAgent(service);
  await until("both are told of the agent", 30_000, () => other.taken().size === 1 && mine.taken().size === 2);
  expect([...mine.taken()]).toContain(eventId);
  expect([...other.taken()]).not.toContain(eventId);
});

test("410 disables, cancels what waits, and a replay brings it when the receiver is back", async () => {
  let gone = true;
  const moving = await receiver(() => (gone ? 410 : 200));
  const { id } = await client.createWebhook(moving.url, { types: ["user.created"] });
  const from = new Date().toISOString();
  const cursor = await latest();
  for (let count = 0; count < 5; count++) await anAgent(service);
  const webhook = () => client.ask<{ enabled: boolean; disabled: { reason: string } }>("GET", `/webhooks/${id}`);
  await until("it is disabled", 30_000, async () => !(await webhook()).body.enabled);
  expect((await webhook()).body.disabled.reason).toBe("gone");
  for (const { state } of await client.deliveries(id)) expect(["failed", "cancelled"]).toContain(state);
  expect((await client.ask("POST", `/webhooks/${id}/replay`, { from })).status).toBe(409);

  gone = false;
  await client.ask("PATCH", `/webhooks/${id}`, { enabled: true });
  const events = await eventsAfter(cursor);
  const one = await client.ask("POST", `/webhooks/${id}/replay`, { event_id: events[0]?.id });
  expect([one.status, one.body]).toEqual([202, { queued: 1, next: null }]);
  await until("the one arrives", 30_000, () => moving.taken().size === 1);
  expect([...moving.taken()]).toEqual([events[0]?.id]);

  const range = { after: events[0]?.id, until: events[4]?.id };
  expect((await client.ask("POST", `/webhooks/${id}/replay`, range)).body).toEqual({ queued: 4, next: null });
  await until("the range arrives", 30_000, () => moving.taken().size === 5);
  expect(moving.taken()).toEqual(new Set(events.map((event) => event.id)));
  const times = { from, to: new Date(Date.now() + 1_000).toISOString() };
  expect((await client.ask<{ queued: number }>("POST", `/webhooks/${id}/replay`, times)).body.queued).toBe(5);
});

test("a redirect is not followed", async () => {
  const target = await receiver();
  const redirecting = await receiver(() => ({ status: 307, headers: { location: target.url } }));
  const { id } = await client.createWebhook(redirecting.url);
  await client.ask("POST", `/webhooks/${id}/test`);
  await until("it was tried thrice", 30_000, () => redirecting.received.length >= 3);
  expect(target.received).toEqual([]);
  expect((await client.deliveries(id))[0]?.attempts[0]).toMatchObject({ status: 307, error: "status_307" });
  await client.ask("DELETE", `/webhooks/${id}`);
});

test("Retry-After is waited for", async () => {
  const busy = await receiver((nth) => (nth === 0 ? { status: 429, headers: { "retry-after": "3" } } : 200));
  const { id } = await client.createWebhook(busy.url);
  await client.ask("POST", `/webhooks/${id}/test`);
  await until("it arrives", 30_000, () => busy.taken().size === 1);
  const [first, second] = busy.received as [Received, Received];
  expect(second.at - first.at).toBeGreaterThanOrEqual(2_900);
});

test("dead and slow receivers do not hold up another one", { timeout: 360_000 }, async () => {
  /** How long 30 events take to one receiver beside six others. */
  async function besideSix(others: () => Promise<Receiver>): Promise<number> {
    const webhooks: string[] = [];
    const create = async ({ url }: Receiver) => webhooks.push((await client.createWebhook(url)).id);
    for (let count = 0; count < 6; count++) await create(await others());
    const alive = await receiver();
    await create(alive);
    const cursor = await latest();
    await inParallel(30, 8, async () => void (await anAgent(service)));
    await readable(30, cursor);
    const began = Date.now();
    await until("the live one has everything", 120_000, () => alive.taken().size >= 30);
    const took = Date.now() - began;
    for (const webhook of webhooks) await client.ask("DELETE", `/webhooks/${webhook}`);
    return took;
  }
  const beside = { quick: await besideSix(() => receiver()), dead: await besideSix(() => receiver(() => "nothing")) };
  say(`30 events beside 6 that answer at once: ${beside.quick} ms, beside 6 that never answer: ${beside.dead} ms`);
  // Who waits for one that never answers waits for 15 s.
  expect(beside.dead - beside.quick).toBeLessThan(14_000);
});

test("the command does what the interface does", async () => {
  const quiet = await receiver();
  const workspace = ["--workspace", stack.workspaceId, "--json"];
  const webhook = <T>(...args: string[]) => stack.command<T>("webhook", ...args, ...workspace);
  const { id } = await webhook<{ id: string; secret: string }>("create", "--url", quiet.url);
  expect(await webhook<{ id: string }[]>("list")).toContainEqual(expect.objectContaining({ id, enabled: true }));
  const { event_id: eventId } = await webhook<{ event_id: string }>("test", id);
  await until("the test arrives", 30_000, () => quiet.taken().has(eventId));
  expect(await webhook("deliveries", id)).toMatchObject({ deliveries: [{ event_id: eventId }], next: null });
  expect(await webhook("disable", id)).toMatchObject({ enabled: false });
  expect(await webhook("enable", id)).toMatchObject({ enabled: true });
  expect(await webhook("replay", id, "--event", eventId)).toEqual({ queued: 1, next: null });
  await until("it arrives again", 30_000, () => quiet.received.length === 2);
  expect(await webhook("rotate-secret", id)).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
  expect(await webhook("delete", id)).toEqual({ id, deleted: true });
  await expect(webhook("test", id)).rejects.toThrow(/There is no webhook/);
});
