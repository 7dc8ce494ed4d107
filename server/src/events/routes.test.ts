import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { openTestApp } from "../testing/test-app.ts";
import { announce } from "./announce.ts";
import { removeEventsBefore } from "./remove-old-events.ts";
import { renewEventEpoch } from "./renew-event-epoch.ts";

const { app, api, key, admin, caller } = await openTestApp();
const readKey = await key("read");
const { workspaceId } = caller;

interface Page {
  readonly events: { readonly id: string; readonly type: string; readonly data: { readonly user_id?: string } }[];
  readonly next: string;
  readonly more: boolean;
}

const ask = (query: string, apiKey = readKey) =>
  api.inject({ method: "GET", url: `/events${query}`, headers: { "x-api-key": apiKey } });
const page = async (query: string): Promise<Page> => (await ask(query)).json();

const happen = (type: "user.created" | "webhook.test" = "user.created") =>
  inWorkspace(app, workspaceId, (tx) =>
    type === "user.created"
      ? announce(tx, { workspaceId, type, data: { user_id: randomUUID(), role: "agent" } })
      : announce(tx, { workspaceId, type, data: { webhook_id: randomUUID() } }),
  );

test("events are read in pages, in order, each once", async () => {
  const { next: start } = await page("?after=latest");
  for (let count = 0; count < 7; count++) await happen();
  const ids: string[] = [];
  let after = start;
  for (let more = true; more; ) {
    const read = await page(`?after=${after}&limit=3`);
    ids.push(...read.events.map(({ id }) => id));
    ({ next: after, more } = read);
  }
  expect(ids).toHaveLength(7);
  expect(new Set(ids).size).toBe(7);
  expect(after).toBe(ids.at(-1));
  expect(await page(`?after=${after}`)).toEqual({ events: [], next: after, more: false });
});

test("latest begins now: nothing old, and nothing lost that was under way", async () => {
  const slow = await admin.connect();
  await slow.query("begin");
  await slow.query(
    "insert into event (workspace_id, type, data) values ($1, 'user.created', '{\"user_id\":\"slow\"}')",
    [workspaceId],
  );
  const { next } = await page("?after=latest");
  await happen();
  expect((await page(`?after=${next}`)).events, "what is newer waits for what is older").toEqual([]);
  await slow.query("commit");
  slow.release();
  const { events } = await page(`?after=${next}`);
  expect(events).toHaveLength(2);
  expect(events[0]?.data.user_id).toBe("slow");
});

test("types choose, and the cursor moves over the others", async () => {
  const { next: start } = await page("?after=latest");
  await happen();
  await happen("webhook.test");
  await happen();
  const read = await page(`?after=${start}&type=webhook.test`);
  expect(read.events.map(({ type }) => type)).toEqual(["webhook.test"]);
  expect(await page(`?after=${read.next}`)).toMatchObject({ events: [], more: false });
  expect((await page(`?after=${start}&type=webhook.test&type=user.created`)).events).toHaveLength(3);
  const first = await page(`?after=${start}&type=user.created&limit=1`);
  expect([first.events.length, first.more]).toEqual([1, true]);
  expect((await page(`?after=${first.next}&type=user.created&limit=1`)).events).toHaveLength(1);
});

test.each([
  ["?after=yesterday", "after"],
  ["?after=evt_1-2", "after"],
  ["?after=evt_9-1-1", "after"],
  ["?after=evt_1-9007199254740991-1", "after"],
  [`?after=${"x".repeat(65)}`, "after"],
  ["?limit=0", "limit"],
  ["?limit=501", "limit"],
  ["?limit=many", "limit"],
  ["?limit=1&limit=2", "limit"],
  ["?type=call.exploded", "type"],
])("%s is refused, naming what to send", async (query, part) => {
  const answer = await ask(query);
  expect([answer.statusCode, answer.json().code]).toEqual([422, "fields_invalid"]);
  expect(answer.json().errors[0]).toMatchObject({ part });
});

test("reading needs the scope read", async () => {
  expect((await ask("", await key("import"))).statusCode).toBe(403);
});

test("the primary key is used, by the service's role, under row-level security", async () => {
  const client = await admin.connect();
  await client.query("begin");
  await client.query("set local role hearback_service");
  await client.query("select set_config('hearback.workspace', $1, true)", [workspaceId]);
  await client.query("set local enable_seqscan = off");
  const { rows } = await client.query<{ "QUERY PLAN": string }>(
    `explain select epoch, xid, seq, type, data, created_at from event
     where workspace_id = $1 and (epoch, xid, seq) > (1::int, 2::bigint, 3::bigint)
       and (epoch < (select current_event_epoch())
         or xid < (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint))
     order by epoch, xid, seq limit 100`,
    [workspaceId],
  );
  await client.query("rollback");
  client.release();
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan).toMatch(/Index Scan using event_pkey/);
  expect(plan).toMatch(/Index Cond: .*ROW\(epoch, xid, seq\) > ROW\(1/);
  expect(plan).not.toMatch(/Sort/);
});

test("a reader whose cursor is older than what was removed is told so", async () => {
  const [first, second] = [await happen(), await happen()];
  await admin.query("update event set created_at = '2026-01-01T00:00:00Z'");
  await happen();
  const idOf = ({ epoch, xid, seq }: typeof first) => `evt_${epoch}-${xid}-${seq}`;
  expect((await page(`?after=${idOf(first)}`)).events).toHaveLength(2);

  const before = new Date("2026-03-01T00:00:00Z");
  expect(await removeEventsBefore(app, workspaceId, before)).toBeGreaterThan(1);
  expect(await removeEventsBefore(app, workspaceId, before)).toBe(0);
  const expired = await ask(`?after=${idOf(first)}`);
  expect([expired.statusCode, expired.json().code]).toEqual([410, "cursor_expired"]);
  expect((await page(`?after=${idOf(second)}`)).events).toHaveLength(1);
  expect((await page("")).events).toHaveLength(1);
});

test("another cluster begins another epoch, whose events come after the old ones", async () => {
  const before = await happen();
  await admin.query("update event_epoch set cluster = cluster + 1");
  await Promise.all([renewEventEpoch(app), renewEventEpoch(app)]);
  const after = await happen();
  expect(after.epoch).toBe(before.epoch + 1);
  const { events } = await page(`?after=evt_${before.epoch}-${before.xid}-${before.seq}`);
  expect(events.map(({ id }) => id)).toEqual([`evt_${after.epoch}-${after.xid}-${after.seq}`]);
});
