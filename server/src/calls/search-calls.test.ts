import type { CallPageBody, SearchCallsQuery } from "@hearback/contract";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { createCampaign } from "../campaigns/create-campaign.ts";
import { operatorIn } from "../platform/actor.ts";
import { type StoredCallFacts, storeCalls } from "../testing/stored-calls.ts";
import { openTestApp } from "../testing/test-app.ts";
import { inviteUser } from "../users/invite-user.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";

/*
 * What a search finds, compared with the same filters applied one by one to a list of everything there is.
 */

const { app, api, key, admin, caller } = await openTestApp();
const headers = { "x-api-key": await key("read") };
const { workspaceId } = caller;

const campaigns = ["support-fr", "sales", "billing"];
const emails = ["ann@example.com", "bob@example.com", "eve@example.com"];
const agents: { id: string; email: string }[] = [];
const start = Date.UTC(2025, 5, 20);
const minute = 60_000;
const spanMinutes = 40 * 24 * 60;
const durations = [null, 0, 4_000, 10_000, 10_001, 95_500, 600_000, 1_799_999, 1_800_000, 5_400_000];
const keys = ["site", "phone", "a]b[c", "metadata[x]"];
const values = ["Lyon", "Paris", "+33 1", "é&=", "", "x".repeat(700)];

type Listed = StoredCallFacts & { id: string };
let calls: Listed[] = [];

const entry = fc.record({ key: fc.constantFrom(...keys), value: fc.constantFrom(...values) });
const call = fc.record({
  campaign: fc.constantFrom(...campaigns),
  agent: fc.nat(2),
  minutes: fc.nat(spanMinutes),
  importedAfter: fc.oneof(fc.nat(60), fc.nat(200 * 24 * 60)),
  status: fc.constantFrom("received", "ready", "ready", "ready", "failed"),
  duration: fc.constantFrom(...durations),
  metadata: fc.array(entry, { maxLength: 4 }),
});

beforeAll(async () => {
  for (const id of campaigns.slice(1)) await createCampaign(app, operatorIn(workspaceId), { id, name: id });
  for (const email of emails.slice(1)) {
    await inviteUser(app, operatorIn(workspaceId), {
      email,
      name: "An Agent",
      role: "agent",
      sendInvitation: false,
    });
  }
  const found = await admin.query("select id, email from app_user order by email");
  agents.push(...found.rows);
  const stored = fc.sample(call, { numRuns: 400, seed: 4 }).map((drawn, seed) => ({
    ...{ workspaceId, campaignId: drawn.campaign, agentId: agents[drawn.agent]?.id ?? "", seed },
    happenedAt: new Date(start + drawn.minutes * minute),
    importedAt: new Date(start + (drawn.minutes + drawn.importedAfter) * minute),
    ...{ status: drawn.status as "ready", durationMs: drawn.duration, metadata: drawn.metadata },
  }));
  const ids = await storeCalls(admin, stored);
  calls = stored.map((one, index) => ({ ...one, id: ids[index] ?? "" })).sort((a, b) => (a.id < b.id ? 1 : -1));

  // Another workspace with calls of the same names.
  const other = await createWorkspace(app, "Other");
  await createCampaign(app, operatorIn(other.id), { id: "sales", name: "Sales" });
  const agent = await inviteUser(app, operatorIn(other.id), {
    ...{ email: "bob@example.com", name: "Bob", role: "agent", sendInvitation: false },
  });
  const theirs = stored.slice(0, 40).map((one) => ({ ...one, workspaceId: other.id, campaignId: "sales" }));
  await storeCalls(
    admin,
    theirs.map((one) => ({ ...one, agentId: agent.id })),
  );
}, 60_000);

const get = async (query: URLSearchParams | string): Promise<CallPageBody> => {
  const answer = await api.inject({ method: "GET", url: `/calls?${query}`, headers });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};

/** All pages of a search. */
async function all(query: URLSearchParams): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | null = ""; after !== null; ) {
    if (after) query.set("after", after);
    const page = await get(query);
    ids.push(...page.calls.map(({ id }) => id));
    after = page.next;
  }
  return ids;
}

type Filters = Partial<Omit<SearchCallsQuery, "limit" | "after" | "count">>;

function matches(one: Listed, filters: Filters): boolean {
  const email = agents.find(({ id }) => id === one.agentId)?.email ?? "";
  const seconds = one.durationMs === null ? Number.NaN : one.durationMs / 1000;
  const has = (wanted: string, value: string) =>
    one.metadata.some((entry) => entry.key === wanted && entry.value === value);
  const byKey = Map.groupBy(filters.metadata ?? [], (wanted) => wanted.key);
  return (
    (!filters.campaign || filters.campaign.includes(one.campaignId)) &&
    (!filters.agent || filters.agent.includes(one.agentId) || filters.agent.includes(email)) &&
    (!filters.from || one.happenedAt >= filters.from) &&
    (!filters.to || one.happenedAt < filters.to) &&
    (!filters.imported_from || one.importedAt >= filters.imported_from) &&
    (!filters.imported_to || one.importedAt < filters.imported_to) &&
    (!filters.status || filters.status.includes(one.status)) &&
    (filters.min_duration === undefined || seconds >= filters.min_duration) &&
    (filters.max_duration === undefined || seconds <= filters.max_duration) &&
    [...byKey].every(([wanted, entries]) => entries.some(({ value }) => has(wanted, value)))
  );
}

function toQuery(filters: Filters): URLSearchParams {
  const query = new URLSearchParams();
  const { metadata = [], ...others } = filters;
  for (const [name, value] of Object.entries(others)) {
    for (const one of [value].flat()) query.append(name, one instanceof Date ? one.toISOString() : String(one));
  }
  for (const { key: name, value } of metadata) query.append(`metadata[${name}]`, value);
  return query;
}

const expected = (filters: Filters) => calls.filter((one) => matches(one, filters)).map(({ id }) => id);

const at = (minutes: number) => new Date(start + minutes * minute);
const some = <T>(...items: T[]) => fc.uniqueArray(fc.constantFrom(...items), { minLength: 1, maxLength: 3 });
const moment = fc.nat(spanMinutes + 200 * 24 * 60).map(at);
const filters = fc
  .record(
    {
      campaign: some(...campaigns, "nowhere"),
      agent: fc.uniqueArray(fc.constantFrom(0, 1, 2, 3, 4), { minLength: 1, maxLength: 2 }),
      from: fc.nat(spanMinutes).map(at),
      to: fc.nat(spanMinutes).map(at),
      imported_from: moment,
      imported_to: moment,
      status: some("received", "ready", "failed"),
      min_duration: fc.constantFrom(0, 4, 95.5, 1800, 1801, 5400),
      max_duration: fc.constantFrom(0, 9.999, 10, 11, 600, 9999),
      metadata: fc.array(entry, { minLength: 1, maxLength: 3 }),
    },
    { requiredKeys: [] },
  )
  .map(({ agent, ...others }): Filters => {
    const named = agent?.map((index) => agents[index]?.id ?? emails[index - 3] ?? "");
    return { ...(others as Filters), ...(named && { agent: named }) };
  });

test("whatever is asked, in pages of any size, a search finds what matches: all of it, once, in order", async () => {
  await fc.assert(
    fc.asyncProperty(filters, fc.integer({ min: 1, max: 60 }), async (asked, limit) => {
      const query = toQuery(asked);
      query.set("limit", String(limit));
      expect(await all(query)).toEqual(expected(asked));
    }),
    { numRuns: 300 },
  );
}, 120_000);

describe("each filter", () => {
  const cases: [string, () => Filters][] = [
    ["nothing", () => ({})],
    ["a campaign", () => ({ campaign: ["sales"] })],
    ["several campaigns", () => ({ campaign: ["sales", "billing"] })],
    ["an agent by e-mail", () => ({ agent: ["bob@example.com"] })],
    ["an agent by id", () => ({ agent: [agents[2]?.id ?? ""] })],
    ["a time of conversation", () => ({ from: at(5_000), to: at(9_000) })],
    ["a day of import", () => ({ imported_from: at(24 * 60), imported_to: at(48 * 60) })],
    ["months of import", () => ({ imported_from: at(24 * 60), imported_to: at(90 * 24 * 60) })],
    ["a status", () => ({ status: ["failed"] })],
    ["long calls", () => ({ min_duration: 1800 })],
    ["short calls", () => ({ max_duration: 10 })],
    ["calls of a middling length", () => ({ min_duration: 60, max_duration: 700 })],
    ["an entry", () => ({ metadata: [{ key: "site", value: "Lyon" }] })],
    ["an entry with brackets in its key", () => ({ metadata: [{ key: "a]b[c", value: "é&=" }] })],
    ["a value too long for an index", () => ({ metadata: [{ key: "site", value: "x".repeat(700) }] })],
    ["any of two values", () => ({ metadata: ["Lyon", "Paris"].map((value) => ({ key: "site", value })) })],
    ["two entries at once", () => ({ metadata: ["site", "phone"].map((name) => ({ key: name, value: "Lyon" })) })],
  ];
  test.each(cases)("%s", async (_, make) => {
    const asked = make();
    const found = await all(toQuery(asked));
    expect(found).toEqual(expected(asked));
    expect(found.length).toBeGreaterThan(0);
  });
});

test("a call is told as it is elsewhere", async () => {
  const { calls: found } = await get("limit=3&status=failed&campaign=sales");
  const one = calls.find(({ id }) => id === found[0]?.id);
  expect(found[0]).toMatchObject({
    ...{ campaign_id: "sales", status: "failed", metadata: one?.metadata },
    agent: { id: one?.agentId },
    agent_channel: { value: "unknown", from: "campaign" },
    conversation_time: one?.happenedAt.toISOString(),
  });
  expect(found[0]).not.toHaveProperty("duplicate");
});

test("a count is exact where few calls match", async () => {
  const asked = { campaign: ["sales"], status: ["failed" as const] };
  const query = toQuery(asked);
  query.set("count", "estimate");
  query.set("limit", "1");
  expect((await get(query)).estimate).toEqual({ count: expected(asked).length, exact: true });
});
