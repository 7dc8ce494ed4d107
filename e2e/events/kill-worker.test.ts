import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aReceiver, type EventClient, eventClient, type Receiver } from "../support/events.ts";
import { anAgent, type Service } from "../support/service.ts";
import { full, random, seed } from "../support/sizes.ts";
import { type ApiProcess, openStack, type Stack } from "../support/stack.ts";
import { say, until } from "../support/waiting.ts";

const kills = full ? 25 : 3;
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
  receiver = await aReceiver((nth) => (nth % 3 === 0 ? 500 : 200));
}, 120_000);
afterAll(async () => {
  await receiver?.close();
  await stack?.stop();
});

test(`a worker killed ${kills} times during deliveries loses none, and settles all`, {
  timeout: 1_800_000,
}, async () => {
  say(`seed ${seed}`);
  const { id } = await client.createWebhook(receiver.url);
  let created = 0;
  let writing = true;
  const writer = (async () => {
    while (writing) {
      await anAgent(service);
      created++;
      await sleep(10);
    }
  })();

  for (let kill = 0; kill < kills; kill++) {
    const worker = await stack.startWorker();
    const before = receiver.received.length;
    await until("it delivers", 60_000, () => receiver.received.length > before + 3, 5);
    await sleep(chance() * 500);
    await worker.kill();
  }
  writing = false;
  await writer;
  const last = await stack.startWorker();
  const began = Date.now();
  await until("every event has arrived", 300_000, () => receiver.taken().size >= created, 100);
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
