import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { openTestApp } from "../testing/test-app.ts";
import { createUpcomingEventPartitions } from "./create-event-partitions.ts";
import { emitEvent } from "./emit-event.ts";
import { readEventIds } from "./event-id.ts";
import { dropPartitionsBefore, removeEventsBefore } from "./remove-old-events.ts";
import { renewEventEpoch } from "./renew-event-epoch.ts";

const { app, api, key, admin, caller, anotherWorkspace } = await openTestApp();
const readKey = await key("read");
const { workspaceId } = caller;
const ids = await inWorkspace(app, workspaceId, (tx) => readEventIds(tx, workspaceId));

interface Page {
  readonly events: { readonly id: string; readonly type: string; readonly data: { readonly user_id?: string } }[];
  readonly next: string;
  readonly more: boolean;
}

const ask = (query: string, apiKey = readKey) =>
  api.inject({ method: "GET", url: `/events${query}`, headers: { "x-api-key": apiKey } });
const page = async (query: string): Promise<Page> => (await ask(query)).json();

const commit = (type: "user.created" | "webhook.test" = "user.created") =>
  inWorkspace(app, workspaceId, (tx) =>
    type === "user.created"
      ? emitEvent(tx, { workspaceId, type, data: { user_id: randomUUID(), role: "agent" } })
      : emitEvent(tx, { workspaceId, type, data: { webhook_id: randomUUID() } }),
  );
/** Adds an event and waits until it is readable: transactions of other tests in the cluster delay it. */
async function addEvent(type?: "user.created" | "webhook.test") {
  const position = await commit(type);
  await vi.waitFor(async () => {
    const { rows } = await admin.query("select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest");
    expect(rows[0].oldest).toBeGreaterThan(position.xid);
  }, 20_000);
  return position;
}

test("paging returns every event once, in order", async () => {
  // The events of the workspace's creation are readable once this one is.
  await addEvent();
  const { next: start } = await page("?cursor=latest");
  for (let count = 0; count < 7; count++) await addEvent();
  const ids: string[] = [];
  let after = start;
  for (let more = true; more; ) {
    const read = await page(`?cursor=${after}&limit=3`);
    ids.push(...read.events.map(({ id }) => id));
    ({ next: after, more } = read);
  }
  expect(ids).toHaveLength(7);
  expect(new Set(ids).size).toBe(7);
  expect(after).toBe(ids.at(-1));
  expect(await page(`?cursor=${after}`)).toEqual({ events: [], next: after, more: false });
});

test("an unknown parameter, such as a cursor under another name, is rejected", async () => {
  const answer = await api.inject({ url: "/events?after=latest", headers: { "x-api-key": await key("read") } });
  expect(answer.json()).toMatchObject({ status: 422, errors: [{ part: "after", code: "unknown_parameter" }] });
});

test("cursor=latest skips old events but not those of running transactions", async () => {
  const slow = await admin.connect();
  await slow.query("begin");
  await slow.query(
    "insert into event (workspace_id, type, data) values ($1, 'user.created', '{\"user_id\":\"slow\"}')",
    [workspaceId],
  );
  const { next } = await page("?cursor=latest");
  await commit();
  expect((await page(`?cursor=${next}`)).events, "newer events wait for older transactions").toEqual([]);
  await slow.query("commit");
  slow.release();
  const { events } = await vi.waitFor(async () => {
    const read = await page(`?cursor=${next}`);
    expect(read.events).toHaveLength(2);
    return read;
  }, 20_000);
  expect(events[0]?.data.user_id).toBe("slow");
});

test("filters by type, and the cursor skips other events", async () => {
  const { next: start } = await page("?cursor=latest");
  await addEvent();
  await addEvent("webhook.test");
  await addEvent();
  const read = await page(`?cursor=${start}&type=webhook.test`);
  expect(read.events.map(({ type }) => type)).toEqual(["webhook.test"]);
  expect(await page(`?cursor=${read.next}`)).toMatchObject({ events: [], more: false });
  expect((await page(`?cursor=${start}&type=webhook.test&type=user.created`)).events).toHaveLength(3);
  const first = await page(`?cursor=${start}&type=user.created&limit=1`);
  expect([first.events.length, first.more]).toEqual([1, true]);
  expect((await page(`?cursor=${first.next}&type=user.created&limit=1`)).events).toHaveLength(1);
});

test.each([
  ["?cursor=yesterday", "cursor"],
  ["?cursor=evt_1-2-3", "cursor"],
  [`?cursor=evt_${"0".repeat(32)}`, "cursor"],
  [`?cursor=${ids.toId({ epoch: 2 ** 31 - 1, xid: 1, seq: 1 })}`, "cursor"],
  [`?cursor=${"x".repeat(65)}`, "cursor"],
  ["?limit=0", "limit"],
  ["?limit=501", "limit"],
  ["?limit=many", "limit"],
  ["?limit=1&limit=2", "limit"],
  ["?type=call.exploded", "type"],
])("%s is rejected, and the error names the parameter", async (query, part) => {
  const answer = await ask(query);
  expect([answer.statusCode, answer.json().code]).toEqual([422, "fields_invalid"]);
  expect(answer.json().errors[0]).toMatchObject({ part });
});

test("reading events requires the read scope", async () => {
  expect((await ask("", await key("import"))).statusCode).toBe(403);
});

test("rejects a cursor with a future transaction of the current epoch", async () => {
  const { epoch } = await addEvent();
  const answer = await ask(`?cursor=${ids.toId({ epoch, xid: 2 ** 44 - 1, seq: 1 })}`);
  expect([answer.statusCode, answer.json().errors[0].code]).toEqual([422, "not_an_event_id"]);
});

test("rejects an event id of another workspace as a cursor", async () => {
  const other = (await anotherWorkspace()).workspaceId;
  const theirs = await inWorkspace(app, other, (tx) => readEventIds(tx, other));
  const position = await addEvent();
  const id = theirs.toId(position);
  expect(id).not.toBe(ids.toId(position));
  const answer = await ask(`?cursor=${id}`);
  expect([answer.statusCode, answer.json().errors[0].code]).toEqual([422, "not_an_event_id"]);
});

test("events of a month without a partition are stored and readable, and later move to their partition", async () => {
  const { next } = await page("?cursor=latest");
  const ahead = `(select max(substr(relname, 7)) from pg_class where relname ~ '^event_[0-9]{4}_[0-9]{2}$')`;
  const { rows } = await admin.query<{ name: string }>(`select 'event_' || ${ahead} as name`);
  const name = rows[0]?.name ?? "";
  await admin.query(`drop table ${name}`);
  await admin.query(
    `insert into event (workspace_id, type, data, created_at)
     values ($1, 'user.created', '{"user_id":"late"}', to_date($2, 'YYYY_MM') + interval '3 days')`,
    [workspaceId, name.slice("event_".length)],
  );
  await addEvent();
  expect((await page(`?cursor=${next}&limit=1`)).events.map(({ data }) => data.user_id)).toEqual(["late"]);
  const partition = () =>
    admin.query("select tableoid::regclass::text as name from event where data->>'user_id' = 'late'");
  expect((await partition()).rows).toEqual([{ name: "event_default" }]);
  await Promise.all([createUpcomingEventPartitions(app), createUpcomingEventPartitions(app)]);
  expect((await partition()).rows).toEqual([{ name }]);
  expect((await page(`?cursor=${next}`)).events).toHaveLength(2);
  await admin.query("delete from event where data->>'user_id' = 'late'");
});

test("a cursor older than the removed events gets cursor_expired, and expired partitions are dropped", async () => {
  const [first, second] = [await addEvent(), await addEvent()];
  await admin.query("update event set created_at = '2026-01-01T00:00:00Z'");
  await addEvent();
  expect((await page(`?cursor=${ids.toId(first)}`)).events).toHaveLength(2);

  const before = new Date("2026-03-01T00:00:00Z");
  expect(await removeEventsBefore(app, workspaceId, before)).toBeGreaterThan(1);
  expect(await removeEventsBefore(app, workspaceId, before)).toBe(0);
  const expectRemoved = async () => {
    const expired = await ask(`?cursor=${ids.toId(first)}`);
    expect([expired.statusCode, expired.json().code]).toEqual([410, "cursor_expired"]);
    expect((await page(`?cursor=${ids.toId(second)}`)).events).toHaveLength(1);
    const { events, next } = await page("");
    expect(events).toHaveLength(1);
    expect((await page(`?cursor=${next}`)).events).toHaveLength(0);
  };
  await expectRemoved();

  // Moves the rows to the partition of an old month, as on a long-running server.
  await admin.query(`
    create table event_2026_01 (like event including defaults, primary key (workspace_id, epoch, xid, seq));
    do $$ declare first text := 'event_' || to_char(now() at time zone 'UTC', 'YYYY_MM'); begin
      execute format('alter table event detach partition %I', first);
      execute format('with old as (delete from %I where created_at < ''2026-02-01T00:00Z'' returning *)
        insert into event_2026_01 select * from old', first);
      alter table event attach partition event_2026_01 for values from (minvalue) to ('2026-02-01T00:00Z');
      execute format('alter table event attach partition %I for values from (''2026-02-01T00:00Z'') to (%L)', first,
        (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC');
    end $$`);
  await expectRemoved();
  expect(
    await dropPartitionsBefore(app, new Date("2026-02-01T00:30:00Z")),
    "not right after the end of the month",
  ).toEqual([]);
  expect(await dropPartitionsBefore(app, before)).toEqual(["event_2026_01"]);
  expect(await dropPartitionsBefore(app, before)).toEqual([]);
  await expectRemoved();
});

test("a database server with another identifier, timeline or start time gets a new epoch, whose events sort last", async () => {
  for (const change of [
    "cluster = cluster + 1",
    "timeline = timeline + 1",
    "started_at = started_at - interval '1 second'",
  ]) {
    const before = await addEvent();
    await admin.query(`update event_epoch set ${change}`);
    const { next } = await page("?cursor=latest");
    expect((await page(`?cursor=${ids.toId(before)}`)).events, "an old cursor before the first event").toEqual([]);
    // Concurrent transactions find no epoch.
    const after = await Promise.all([addEvent(), addEvent(), addEvent(), addEvent()]);
    await Promise.all([renewEventEpoch(app), renewEventEpoch(app)]);
    expect(new Set(after.map(({ epoch }) => epoch)).size, change).toBe(1);
    expect(after[0]?.epoch).toBeGreaterThan(before.epoch);
    for (const cursor of [ids.toId(before), next]) {
      const { events } = await page(`?cursor=${cursor}`);
      expect(new Set(events.map(({ id }) => id))).toEqual(new Set(after.map(ids.toId)));
    }
  }
});
