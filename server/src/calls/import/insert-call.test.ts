import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { operatorIn } from "../../platform/actor.ts";
import { openDatabase, openPool } from "../../platform/database/database.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { inviteUser } from "../../users/invite-user.ts";
import { stageObjects } from "../objects/staged-objects.ts";
import { createCallPartition } from "./create-call-partition.ts";
import { findCampaignAndAgent } from "./find-campaign-and-agent.ts";
import { insertCall, type NewCall } from "./insert-call.ts";

const { app, admin, caller, campaignId, agentEmail } = await openTestApp();
const { workspaceId } = caller;
const happenedAt = new Date("2026-05-01T10:00:00Z");
const target = await findCampaignAndAgent(app, caller, campaignId, agentEmail);
await createCallPartition(app, workspaceId, happenedAt);

let calls = 0;
/** A call whose recording is staged. */
async function aCall(changes: Partial<NewCall> = {}): Promise<NewCall> {
  const id = `019de2f1-3600-8000-8000-${String(++calls).padStart(12, "0")}`;
  const key = `recordings/${workspaceId}/${randomUUID()}`;
  await stageObjects(app.db, [key]);
  const facts = {
    format: "wav",
    codec: null,
    channels: 1,
    sampleRate: 8000,
    durationMs: 1000,
    unfinished: false,
  } as const;
  const recording = { key, bytes: 16_044, sha256: Buffer.alloc(32, calls), ...facts };
  return { workspaceId, id, target, happenedAt, metadata: [{ key: "site", value: "Lyon" }], recording, ...changes };
}
const someCalls = (count: number) => Promise.all(Array.from({ length: count }, () => aCall()));

/** Calls that are inserted in one turn of the event loop are a batch. */
const insertTogether = (batch: readonly NewCall[]) => Promise.allSettled(batch.map((call) => insertCall(app.db, call)));
const outcomeOf = (settled: PromiseSettledResult<{ createdAt: Date | null }>) => {
  if (settled.status === "rejected") return settled.reason.code as string;
  return settled.value.createdAt ? "created" : "exists";
};
const count = async (query: string, ...values: unknown[]): Promise<number> =>
  (await admin.query(`select count(*)::int as n from ${query}`, values)).rows[0].n;
const transactionsOf = (batch: readonly NewCall[]) =>
  count(
    "(select distinct xmin::text from call where id = any($1)) as t",
    batch.map(({ id }) => id),
  );

test("calls that arrive together are one transaction, each with its metadata, job, event, counter and claim", async () => {
  const batch = await someCalls(20);
  expect((await insertTogether(batch)).map(outcomeOf)).toEqual(batch.map(() => "created"));
  expect(await transactionsOf(batch)).toBe(1);
  const ids = batch.map(({ id }) => id);
  expect(await count("call_metadata where call_id = any($1) and key = 'site'", ids)).toBe(20);
  expect(await count("outgoing_job where payload->>'callId' = any($1)", ids)).toBe(20);
  expect(await count("event where type = 'call.imported' and data->>'call_id' = any($1)", ids)).toBe(20);
  expect(await count("staged_object")).toBe(0);
  const { rows } = await admin.query("select sum(count)::int as sum from import_delta");
  expect(rows).toEqual([{ sum: 20 }]);
});

test("a batch has at most 64 calls, and further ones follow", async () => {
  const batch = await someCalls(130);
  expect((await insertTogether(batch)).map(outcomeOf)).toEqual(batch.map(() => "created"));
  expect(await transactionsOf(batch)).toBe(3);
});

test("the same call twice in a batch: one is created, with one job and one event", async () => {
  const [first, other] = await someCalls(2);
  if (!first || !other) throw new Error("no calls");
  const twice = await aCall({ id: first.id });
  const outcomes = (await insertTogether([first, other, twice])).map(outcomeOf);
  expect([outcomes[1], ...[outcomes[0], outcomes[2]].sort()]).toEqual(["created", "created", "exists"]);
  expect(await count("outgoing_job where payload->>'callId' = $1", first.id)).toBe(1);
  expect(await count("event where data->>'call_id' = $1", first.id)).toBe(1);
  // Only the recording of the call that was created is claimed.
  expect(await count("staged_object where key = any($1)", [first.recording.key, twice.recording.key])).toBe(1);
});

test("a failure of one call never touches the others of its batch", async () => {
  const good = await someCalls(4);
  const [stored, erased, swept] = await someCalls(3);
  if (!stored || !erased || !swept) throw new Error("no calls");
  await insertCall(app.db, stored);
  await admin.query("insert into erased_call (workspace_id, id) values ($1, $2)", [workspaceId, erased.id]);
  await admin.query("update staged_object set condemned_at = now() where key = $1", [swept.recording.key]);
  const noMonth = await aCall({ id: "01000000-0000-8000-8000-000000000001", happenedAt: new Date(1.1e12) });
  const gone = await inviteUser(app, operatorIn(workspaceId), {
    email: "gone@example.com",
    name: "Gone",
    role: "agent",
    sendInvitation: false,
  });
  const noAgent = await aCall({ target: { ...target, agent: { ...target.agent, id: gone.id } } });
  await admin.query("delete from app_user where id = $1", [gone.id]);
  const repeated = await aCall({ id: stored.id });
  const batch = [erased, ...good.slice(0, 2), swept, repeated, noMonth, noAgent, ...good.slice(2)];
  const outcomes = (await insertTogether(batch)).map(outcomeOf);
  expect(outcomes).toEqual(["HB002", "created", "created", "HB001", "exists", "23514", "23503", "created", "created"]);
  expect(await count("call where id = any($1)", [erased.id, swept.id, noAgent.id])).toBe(0);
  expect(
    await count(
      "staged_object where key = any($1)",
      good.map(({ recording }) => recording.key),
    ),
  ).toBe(0);
});

test("a call that waits for a lock does not keep the others of its batch waiting", async () => {
  const [waiting, ...others] = await someCalls(5);
  if (!waiting) throw new Error("no call");
  const other = await admin.connect();
  const lock =
    "insert into call (workspace_id, id, campaign_id, agent_id, happened_at, metadata, recording_key, recording_bytes, sha256, format) values ($1, $2, $3, $4, $5, '[]', 'k', 1, $6, 'wav')";
  await other.query("begin");
  await other.query(lock, [workspaceId, waiting.id, campaignId, target.agent.id, happenedAt, Buffer.alloc(32)]);
  const first = insertCall(app.db, waiting);
  const rest = await insertTogether(others);
  expect(rest.map(outcomeOf)).toEqual(others.map(() => "created"));
  await other.query("rollback");
  other.release();
  expect((await first).createdAt).not.toBeNull();
});

test("two processes insert the same calls in opposite orders without waiting for each other", async () => {
  const other = openDatabase(openPool({ ...app.config.database, onError: () => {} }));
  for (let round = 0; round < 10; round++) {
    const calls = await someCalls(64);
    const twins = await Promise.all(calls.map(({ id }) => aCall({ id })));
    const inserted = await Promise.all([
      ...calls.map((call) => insertCall(app.db, call)),
      ...twins.reverse().map((call) => insertCall(other, call)),
    ]);
    expect(inserted.filter(({ createdAt }) => createdAt)).toHaveLength(64);
    // One of the batches waited for the other; neither was repeated.
    expect(await transactionsOf(calls)).toBe(1);
  }
  await other.destroy();
});

test("when the outcome of a batch is unknown, nothing is repeated", async () => {
  const batch = await someCalls(5);
  // The connection is lost while the statement runs: the client cannot know whether it is committed.
  await admin.query(
    `create function cut() returns trigger language plpgsql as $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
     create trigger cut after insert on call for each row when (new.sha256 = '\\x${"ab".repeat(32)}') execute function cut()`,
  );
  const [first, ...others] = batch;
  if (!first) throw new Error("no call");
  const cutting = { ...first, recording: { ...first.recording, sha256: Buffer.alloc(32, 0xab) } };
  const outcomes = (await insertTogether([cutting, ...others])).map(outcomeOf);
  await admin.query("drop trigger cut on call; drop function cut()");
  // No call was inserted alone afterwards.
  expect(outcomes).toEqual(batch.map(() => "57P01"));
  expect(
    await count(
      "call where id = any($1)",
      batch.map(({ id }) => id),
    ),
  ).toBe(0);
});
