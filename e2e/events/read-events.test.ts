import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EventClient, type EventPage, eventClient } from "../support/http/event-client.ts";
import { followEvents } from "../support/http/follow-events.ts";
import { createAgent, type Service } from "../support/http/service.ts";
import { random, scale, seed } from "../support/run-scale.ts";
import { type ApiProcess, openStack, type Stack, unlimited } from "../support/stack/stack.ts";
import { inParallel, say, until } from "../support/waiting.ts";

const count = scale(600, 2_000, 10_000);
const writers = 16;
const chance = random();

let stack: Stack;
let api: ApiProcess;
let client: EventClient;
let service: Service;
beforeAll(async () => {
  stack = await openStack(undefined, unlimited);
  api = await stack.startApi();
  client = await eventClient(stack, api.baseUrl);
  service = { baseUrl: api.baseUrl, apiKey: client.apiKey, campaignId: stack.campaignId, agentEmail: stack.agentEmail };
}, 120_000);
afterAll(async () => {
  await stack?.stop();
});

/** Writes events in long transactions, some of which are rolled back. Returns the committed ids. */
async function writeSlowly(rounds: number): Promise<string[]> {
  const written: string[] = [];
  const db = new pg.Client({ connectionString: stack.env.DATABASE_URL });
  await db.connect();
  for (let round = 0; round < rounds; round++) {
    const ids = Array.from({ length: 1 + Math.floor(chance() * 4) }, () => randomUUID());
    await db.query("begin");
    await db.query("select set_config('hearback.workspace', $1, true)", [stack.workspaceId]);
    for (const id of ids) {
      await db.query("insert into event (workspace_id, type, data) values ($1, 'user.created', $2)", [
        stack.workspaceId,
        JSON.stringify({ user_id: id, role: "agent" }),
      ]);
      await sleep(chance() * 200);
    }
    if (chance() < 0.2) await db.query("rollback");
    else {
      await db.query("commit");
      written.push(...ids);
    }
    await sleep(chance() * 50);
  }
  await db.end();
  return written;
}

test(`${count} events of ${writers} writers and slow transactions: none missed, reordered or repeated`, {
  timeout: 900_000,
}, async () => {
  say(`seed ${seed}`);
  const cursor = (await client.ask<EventPage>("GET", "/events?cursor=latest")).body.next;
  const limit = () => 1 + Math.floor(chance() * 60);
  const readers = ["", "", "&type=user.created"].map((query) => followEvents(client, { cursor, query, limit }));
  const written: string[] = [];
  let busy = true;
  const slow = Array.from({ length: 6 }, async () => {
    while (busy) written.push(...(await writeSlowly(5)));
  });
  const began = Date.now();
  await inParallel(count, writers, async () => {
    written.push((await createAgent(service)).id);
  });
  busy = false;
  await Promise.all(slow);
  const took = Date.now() - began;
  await until("all transactions ended", 10_000, async () => {
    const { rows } = await stack.adminDb.query(
      "select from pg_stat_activity where backend_xid is not null and datname = current_database()",
    );
    return rows.length === 0;
  });
  await Promise.all(readers.map((reader) => reader.stop()));

  // Ids are opaque: compare with the order in the table.
  const { rows } = await stack.adminDb.query<{ id: string }>(
    "select data->>'user_id' as id from event where data ? 'user_id' order by epoch, xid, seq",
  );
  const expected = new Set(written);
  const ordered = rows.map(({ id }) => id).filter((id) => expected.has(id));
  say(`${written.length} events in ${took} ms, read in ${readers.map((reader) => reader.pages()).join(", ")} pages`);
  expect(ordered).toHaveLength(written.length);
  for (const { events, refusals } of readers) {
    const users = events.map(({ data }) => String(data.user_id));
    const read = new Set(users);
    const missed = written.filter((id) => !read.has(id));
    expect(missed).toEqual([]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    expect(users).toEqual(ordered);
    expect(refusals).toEqual([]);
  }
});
