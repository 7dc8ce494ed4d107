import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EventClient, eventClient } from "../support/http/event-client.ts";
import { createAgent, type Service } from "../support/http/service.ts";
import { random, scale, seed } from "../support/run-scale.ts";
import { openReceiver, type Receiver } from "../support/servers/webhook-receiver.ts";
import { type ApiProcess, openStack, type Stack } from "../support/stack/stack.ts";
import { say, until } from "../support/waiting.ts";

const kills = scale(1, 3, 25);
const chance = random();

let stack: Stack;
let api: ApiProcess;
let client: EventClient;
let service: Service;
let receiver: Receiver;

beforeAll(async () => {
  stack = await openStack(undefined, { WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32", WEBHOOK_RETRY_FACTOR: "0.001" });
  api = await stack.startApi();
  client = await eventClient(stack, api.baseUrl);
  service = { baseUrl: api.baseUrl, apiKey: client.apiKey, campaignId: stack.campaignId, agentEmail: stack.agentEmail };
  receiver = await openReceiver((nth) => (nth % 3 === 0 ? 500 : 200));
}, 120_000);
afterAll(async () => {
  await receiver?.close();
  await stack?.stop();
});

test(`a worker killed during deliveries (${kills}x) loses no event`, {
  timeout: 1_800_000,
}, async () => {
  say(`seed ${seed}`);
  const { id } = await client.createWebhook(receiver.url);
  let created = 0;
  let writing = true;
  const writer = (async () => {
    while (writing) {
      await createAgent(service);
      created++;
      await sleep(10);
    }
  })();

  for (let kill = 0; kill < kills; kill++) {
    const worker = await stack.startWorker();
    const before = receiver.received.length;
    await until("deliveries arrive", 60_000, () => receiver.received.length > before + 3, 5);
    await sleep(chance() * 500);
    await worker.kill();
  }
  writing = false;
  await writer;
  const last = await stack.startWorker();
  const began = Date.now();
  await until("every event arrived", 300_000, () => receiver.taken().size >= created, 100);
  const count = (states: string) =>
    stack.adminDb
      .query<{ n: number }>(`select count(*)::int as n from webhook_delivery where endpoint_id = $1 and ${states}`, [
        id,
      ])
      .then(({ rows }) => rows[0]?.n);
  await until("every delivery is settled", 120_000, async () => (await count("state = 'pending'")) === 0, 100);
  const settledMs = Date.now() - began;
  const attempts = receiver.received.length;
  say(`${kills} kills, ${created} events, ${attempts} attempts, all settled ${settledMs} ms after the last start`);
  expect(await count("state = 'delivered'")).toBe(created);
  const { rows } = await stack.adminDb.query(
    "select event_xid, event_seq from webhook_delivery where endpoint_id = $1 group by 1, 2 having count(*) > 1",
    [id],
  );
  expect(rows, "one delivery for each event").toEqual([]);
  expect(receiver.taken().size).toBe(created);
  await last.stop();
});
