import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { exportEntries } from "./audit/export-entries.ts";
import { type CallSearch, exportCalls } from "./calls/search/export-calls.ts";
import { openListCursor } from "./events/list-cursor.ts";
import { operatorIn } from "./platform/actor.ts";
import { inWorkspace } from "./platform/database/in-workspace.ts";
import { exportReviews } from "./reviews/read/export-reviews.ts";
import { openJsonClient } from "./testing/json-client.ts";
import { openPlanTests } from "./testing/plans.ts";
import type { Person } from "./testing/reviews.ts";
import { openTestApp } from "./testing/test-app.ts";
import { fanOutEvents } from "./webhooks/deliver/fan-out-events.ts";

/*
 * Reads every list and every export of the API to its end, while the rows that were read are deleted or changed. No other
 * row may be missing.
 */

const service = await openTestApp({ WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32" });
const { admin, api, app, caller } = service;
const { workspaceId } = caller;
const tests = await openPlanTests(service);
const { agent, reviewer, supervisor, scorecardId, createPlan, addReady, draw, released, dispute } = tests;
const ask = openJsonClient(service, await service.key("read", "review", "manage"));
const asKey = (url: string) => ask("GET", url);

/** Runs a statement without triggers and foreign keys: rows without what they refer to. */
async function alone(statement: string): Promise<number> {
  const client = await admin.connect();
  try {
    await client.query("begin; set local session_replication_role = replica");
    const { rowCount } = await client.query(statement);
    await client.query("commit");
    return rowCount ?? 0;
  } finally {
    client.release();
  }
}

const copies = 7;

/** Copies a row. The columns are expressions of `n`, the number of the copy. */
async function copy(table: string, where: string, columns: Readonly<Record<string, string>> = newId, count = copies) {
  const changed = Object.entries(columns).map(([name, value]) => `'${name}', ${value}`);
  const copied = await alone(
    `insert into ${table} select (jsonb_populate_record(one.t, jsonb_build_object(${changed.join(", ")}))).*
      from (select t from ${table} as t where workspace_id = '${workspaceId}' and ${where} limit 1) as one, generate_series(1, ${count}) as n`,
  );
  expect(copied, table).toBe(count);
}

const newId = { id: "gen_random_uuid()" };
/** Not in the order of insertion, and with equal ones. */
const times = "now() - (n * 5 % 3) * interval '1 minute'";
const hash = "sha256(n::text::bytea)";

/** The body of a successful response. Fails otherwise. */
async function done<Body>(answer: Promise<{ status: number; body: Body }>): Promise<Body> {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body;
}

/** More than the first page of an export. */
const many = 60;
await addReady(Array(many).fill(agent.id));
const call = await tests.importOf();
for (const side of ["left", "right", "left", "right", "left", "right"])
  await done(ask("PATCH", `/calls/${call.id}`, { agent_channel: side }));

const review = await released();
const objection = (await done(dispute(review.id))).id;
const nth = "lpad(n::text, 8, '0') || '-0000-7000-8000-000000000000'";
const otherCall = `'${call.id.slice(0, -12)}' || lpad((n * 7 % 61)::text, 12, '0')`;
const otherReview = { id: nth, call_id: otherCall, released_at: times };
await copy("review", `id = '${review.id}'`, otherReview, many);
await copy("review_revision", `review_id = '${review.id}'`, { review_id: nth }, many);
await copy("review", `id = '${review.id}'`, { ...otherReview, ...newId, reviewer_id: "gen_random_uuid()" });
await copy("dispute", `id = '${objection}'`, { ...newId, review_id: nth });
await copy("dispute", `id = '${objection}'`, { ...newId, review_id: nth, state: "'resolved'", resolved_at: "now()" });
await copy("agent_score_sum", "true", { agent_id: "gen_random_uuid()" });

const planId = await createPlan();
await addReady(Array(3).fill(agent.id));
await draw(planId);
const otherAssignment = { ...newId, call_id: "gen_random_uuid()", place: "n + 10" };
const open = { due_at: times, ticket: `'\\x' || encode(${hash}, 'hex')` };
await copy("assignment", "state = 'open'", { ...otherAssignment, ...open });
await copy("assignment", "state = 'open'", { ...otherAssignment, state: "'done'", done_at: times });
await copy("assignment", "state = 'open'", { ...otherAssignment, state: "'skipped'", skip_reason: "'inaudible'" });
await copy("review_plan", "true");
await copy("review_draw", "true", { ...newId, number: "n + 10" });

await copy("app_user", `id = '${agent.id}'`, { ...newId, email_key: "n || '@copy.example'" });
await copy("campaign", "true", { id: "'copy-' || n" });
await copy("scorecard", "true");
await copy("scorecard_version", "true", { version: "n + 1" });
const { document } = await done(ask("GET", `/scorecards/${scorecardId}/versions/1`));
await done(ask("POST", `/scorecards/${scorecardId}/what-if`, { from: "2026-01-01T00:00:00Z", document }));
await copy("what_if", "true");
const calibration = {
  name: "May",
  scorecard_id: scorecardId,
  call_ids: [call.id],
  participant_ids: [reviewer.id, supervisor.id],
};
await done(supervisor.ask("POST", "/calibrations", calibration));
await copy("calibration", "true");
await done(ask("POST", "/holds", { call_id: call.id, reason: "Claim" }));
await copy("legal_hold", "true");
await done(ask("POST", "/erasures", { agent_id: (await tests.newAgent()).id }));
await copy("erasure", "true");
await copy("api_key", "true", { ...newId, hash, created_at: times });
await copy("session", `user_id = '${supervisor.id}'`, { ...newId, hash });
const webhook = (await done(ask("POST", "/webhooks", { url: "http://127.0.0.1:9/", types: ["call.imported"] }))).id;
await tests.importOf();
// Transactions of other tests in the cluster delay events.
while ((await fanOutEvents(app)) === 0) await sleep(10);
await copy("webhook_delivery", "true");

await alone(`update audit_head set number = 10000 where workspace_id = '${workspaceId}'`);
await copy("audit_entry", "true", { number: "n + 5000" }, many);

interface List {
  readonly url: string;
  /** Default: an API key. */
  readonly as?: Person;
  readonly table: string;
  /** What identifies a row. Default: `id`. */
  readonly key?: string;
  /** Deletes rows in another way than by their key. */
  readonly remove?: string;
  /** Changes a row, so that it is in another place or no longer in the list. */
  readonly change?: string;
  /** The parameter that takes the cursor. Default: `cursor`. */
  readonly parameter?: string;
}

const period = "from=2026-01-01&to=2026-12-31";
const unreleased = "state = 'submitted', released_at = null";

/** Every list, by the id of its operation. Several: it has several orders. */
const lists: Readonly<Record<string, readonly List[]>> = {
  listCalls: [{ url: "/calls?", table: "call", change: "status = 'failed'" }],
  listCallChanges: [{ url: `/calls/${call.id}/changes?`, table: "call_change", key: "number" }],
  listUsers: [{ url: "/users?", table: "app_user", change: "email_key = '~' || email_key" }],
  listCampaigns: [{ url: "/campaigns?", table: "campaign", change: "archived_at = now()" }],
  listScorecards: [{ url: "/scorecards?", table: "scorecard", change: "retired_at = now()" }],
  listScorecardVersions: [{ url: `/scorecards/${scorecardId}/versions?`, table: "scorecard_version", key: "version" }],
  listWhatIfs: [{ url: `/scorecards/${scorecardId}/what-if?`, table: "what_if" }],
  listReviews: [
    { url: "/reviews?", as: supervisor, table: "review", change: unreleased },
    { url: "/reviews?", as: agent, table: "review", change: unreleased },
    {
      url: "/reviews?called_from=2000-01-01&called_to=2100-01-01",
      as: supervisor,
      table: "review",
      change: "call_id = gen_random_uuid()",
    },
  ],
  listCalibrations: [{ url: "/calibrations?", as: supervisor, table: "calibration" }],
  listDisputes: [
    {
      url: "/disputes?state=open",
      as: supervisor,
      table: "dispute",
      change: "state = 'resolved', resolved_at = now()",
    },
    { url: "/disputes?state=resolved", as: supervisor, table: "dispute" },
  ],
  listPlans: [{ url: "/plans?", table: "review_plan", change: "ended_at = now()" }],
  listDraws: [{ url: "/draws?", table: "review_draw" }],
  listAssignments: [
    { url: "/assignments?state=open", table: "assignment", change: "state = 'done', done_at = now()" },
    { url: "/assignments?state=done", table: "assignment", change: "state = 'open', done_at = null" },
    { url: "/assignments?state=skipped", table: "assignment", change: "state = 'open', skip_reason = null" },
  ],
  listAgentScores: [{ url: `/scores/agents?${period}`, table: "agent_score_sum", key: "agent_id" }],
  listReviewerScores: [
    { url: `/scores/reviewers?${period}`, as: supervisor, table: "review", key: "reviewer_id", change: unreleased },
  ],
  listEvents: [{ url: "/events?", table: "event", remove: "seq in (select seq from event order by seq limit 1)" }],
  listWebhookDeliveries: [{ url: `/webhooks/${webhook}/deliveries?`, table: "webhook_delivery" }],
  listKeys: [{ url: "/keys?", as: tests.admin, table: "api_key", change: "revoked_at = now(), created_at = now()" }],
  listErasures: [{ url: "/erasures?", table: "erasure" }],
  listHolds: [{ url: "/holds?", table: "legal_hold", change: "released_at = now()" }],
  listAuditEntries: [
    { url: "/audit?", table: "audit_entry", key: "number", parameter: "before" },
    { url: "/audit?after=0", table: "audit_entry", key: "number", parameter: "after" },
  ],
  listSessions: [
    { url: `/sessions?user_id=${supervisor.id}`, as: tests.admin, table: "session", change: "ended_at = now()" },
  ],
};

interface Page {
  readonly ids: readonly (string | number)[];
  readonly next: string | number | null;
}

async function readPage({ url, as, key = "id", parameter = "cursor" }: List, next: Page["next"], limit: number) {
  const cursor = next === null ? "" : `&${parameter}=${encodeURIComponent(next)}`;
  const path = `${url}${url.endsWith("?") ? "" : "&"}limit=${limit}${cursor}`.replace(/after=0&(.*after=)/, "$1");
  const body = await done(as ? as.ask("GET", path) : asKey(path));
  const rows = Object.values(body).find(Array.isArray) ?? [];
  const ids = rows.map((row: Record<string, unknown>) => row[key]);
  return { ids, next: body.more === false ? null : body.next } as Page;
}

/** Reads a list to its end. `after` runs after every page, with its last row. */
async function readList(list: List, after?: (last: unknown) => Promise<unknown>, pageSize = 3) {
  const ids: unknown[] = [];
  let page: Page = { ids: [], next: null };
  do {
    page = await readPage(list, page.next, after ? pageSize : 100);
    ids.push(...page.ids);
    if (page.ids.length > 0) await after?.(page.ids.at(-1));
  } while (page.next !== null);
  return ids;
}

/** Runs `act` and puts back the rows of the table. */
async function restored(table: string, act: () => Promise<unknown>) {
  await alone(`create table saved as table ${table}`);
  await act();
  await alone(`delete from ${table}; insert into ${table} table saved; drop table saved`);
}

/** Deletes or changes, in turn, the last row that was read: the one at which the next page begins. */
function disturb({ table, key = "id", remove, change }: Pick<List, "table" | "key" | "remove" | "change">) {
  let turn = 0;
  return async (id: unknown) => {
    const where = `workspace_id = '${workspaceId}' and ${remove ?? `${key} = '${id}'`}`;
    const isChange = change !== undefined && turn++ % 2 === 0;
    const rows = await alone(
      isChange ? `update ${table} set ${change} where ${where}` : `delete from ${table} where ${where}`,
    );
    expect(rows, `${table} ${id}`).toBeGreaterThan(0);
  };
}

const options = { format: "jsonl", separator: ",", bom: false } as const;
const byOperator = { workspaceId, campaignIds: null, agentId: null, actor: operatorIn(workspaceId).actor };
const anyCall = { metadata: [] } as unknown as CallSearch;
const viewer = { workspaceId, campaignIds: null, userId: null, sees: "all", id: supervisor.id } as const;
const byDay = { calledFrom: "2000-01-01", calledTo: "2100-01-01" };
type Rows = "reviews" | "answers";
const reviewsOf = (rows: Rows, filter: object) => () =>
  exportReviews(app, viewer, { ...options, rows, filter, actor: byOperator.actor });

interface Export extends Pick<List, "table" | "key" | "change"> {
  readonly name: string;
  open(): Promise<AsyncGenerator<string>>;
}

/** Every export, by the id of its operation. */
const exports: Readonly<Record<string, readonly Export[]>> = {
  exportCalls: [
    {
      name: "calls",
      open: () => exportCalls(app, byOperator, { ...options, search: anyCall, metadataColumns: [] }),
      table: "call",
      change: "status = 'failed'",
    },
  ],
  exportReviews: [
    { name: "reviews", open: reviewsOf("reviews", {}), table: "review", change: unreleased },
    { name: "reviews of some days", open: reviewsOf("reviews", byDay), table: "review" },
    { name: "answers", open: reviewsOf("answers", byDay), table: "review" },
  ],
  exportAuditEntries: [
    {
      name: "entries",
      open: () => exportEntries(app, byOperator, { ...options, filter: {}, after: undefined }),
      table: "audit_entry",
      key: "number",
    },
  ],
};

/** Reads an export to its end. `after` runs after every page, with its last row. */
async function readExport({ open, key = "id" }: Export, after?: (last: unknown) => Promise<unknown>) {
  const ids: string[] = [];
  for await (const text of await open()) {
    const rows = text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    ids.push(...rows.map((row) => row.review_id ?? row[key]));
    if (rows.length > 0) await after?.(ids.at(-1));
  }
  return ids;
}

const hasCursor = (query: z.ZodObject | undefined) =>
  query !== undefined && ["cursor", "before"].some((name) => name in query.shape);
const isExport = (query: z.ZodObject | undefined) => query !== undefined && "separator" in query.shape;

test("every list and every export of the API is in this test", () => {
  const of = (isOne: (query: z.ZodObject | undefined) => boolean) =>
    api.documentedRoutes.filter(({ query }) => isOne(query)).map(({ id }) => id);
  expect(Object.keys(lists).toSorted()).toEqual(of(hasCursor).toSorted());
  expect(Object.keys(exports).toSorted()).toEqual(of(isExport).toSorted());
});

/** Reads undisturbed, then again with disturbances. */
async function expectComplete<Kind extends Pick<List, "table" | "key" | "remove" | "change">>(
  kind: Kind,
  rows: number,
  read: (kind: Kind, after?: (last: unknown) => Promise<unknown>, pageSize?: number) => Promise<unknown[]>,
) {
  const before = await read(kind);
  expect(before.length).toBeGreaterThan(rows);
  await restored(kind.table, async () => {
    const seen = await read(kind, disturb(kind), Math.ceil(before.length / 4));
    expect(before.filter((id) => !seen.includes(id))).toEqual([]);
  });
}

describe.each(Object.entries(lists))("%s", (_, orders) => {
  test.each(orders)("$url contains every row, whatever is deleted and changed while it is read", async (list) => {
    await expectComplete(list, 4, readList);
  });
});

describe.each(Object.entries(exports))("%s", (_, kinds) => {
  test.each(kinds)("the $name are complete, whatever is deleted and changed while they are exported", async (kind) => {
    await expectComplete(kind, 50, readExport);
  });
});

/** Lists whose cursors contain a sort key. */
const encrypted = ["/users?", "/reviews?", "/keys?", "/assignments?state=open", "/assignments?state=done"];

test.each(encrypted)("%s refuses a cursor that was changed, or is of another list", async (url) => {
  const cursorOf = async (url: string) => String((await readPage({ url, as: tests.admin, table: "" }, null, 1)).next);
  const cursor = await cursorOf(url);
  const tampered = `${cursor.at(0) === "A" ? "B" : "A"}${cursor.slice(1)}`;
  const ofOthers = await Promise.all(encrypted.filter((other) => other !== url).map(cursorOf));
  for (const wrong of [tampered, cursor.slice(4), randomUUID(), ...ofOthers]) {
    const answer = await tests.admin.ask("GET", `${url}&cursor=${wrong}`);
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ part: "cursor", code: "not_a_cursor" }] } });
  }
});

test("a cursor is of one workspace", async () => {
  const other = await service.anotherWorkspace();
  const cursorIn = (id: string) => inWorkspace(app, id, (tx) => openListCursor(tx, id, "users"));
  const [ours, theirs] = [await cursorIn(workspaceId), await cursorIn(other.workspaceId)];
  const cursor = theirs.write(["a"]) ?? "";
  expect(theirs.read(cursor)).toEqual(["a"]);
  expect(() => ours.read(cursor)).toThrow(/cursor must be/);
});
