import type { CallPageBody, SearchCallsQuery } from "@hearback/contract";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { createCampaign } from "../../campaigns/create-campaign.ts";
import { operatorIn } from "../../platform/actor.ts";
import { type CallToInsert, insertCalls } from "../../testing/insert-calls.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { inviteUser } from "../../users/invite-user.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";

/*
 * Compares search results with a reference: the same filters applied one by one to a list of all calls.
 */

const { app, api, key, restrictedKey, admin, caller } = await openTestApp();
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
const values = [
  "Lyon",
  "Paris",
  "+33 1",
  "é&=",
  "",
  "x".repeat(700),
  "+33 1 23 45 67 89",
  "(0033) 123-456-789",
  "0223456789",
  "01\u00a023\u202f45\u00a067\u00a089",
  "(+33) 1 23\u201345\u201367\u201389",
  "tel:+33123456789",
];
const endings = ["0123456789", "+33123456789", "456789", "223456789", "999999"];
/** The digits of a phone number, as in migration 0022. */
const digitsOf = (value: string) =>
  /^(tel:)?[+( ]{0,3}\d[-\d\s\u2013()./]{4,30}$/.test(value) ? value.replace(/\D/g, "") : "";

type Listed = CallToInsert & { id: string };
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
    workspaceId,
    campaignId: drawn.campaign,
    agentId: agents[drawn.agent]?.id ?? "",
    seed,
    happenedAt: new Date(start + drawn.minutes * minute),
    importedAt: new Date(start + (drawn.minutes + drawn.importedAfter) * minute),
    status: drawn.status as "ready",
    durationMs: drawn.duration,
    metadata: drawn.metadata,
  }));
  const ids = await insertCalls(admin, stored);
  calls = stored.map((one, index) => ({ ...one, id: ids[index] ?? "" })).sort((a, b) => (a.id < b.id ? 1 : -1));

  // Another workspace with the same campaign and agent names.
  const other = await createWorkspace(app, "Other");
  await createCampaign(app, operatorIn(other.id), { id: "sales", name: "Sales" });
  const agent = await inviteUser(app, operatorIn(other.id), {
    email: "bob@example.com",
    name: "Bob",
    role: "agent",
    sendInvitation: false,
  });
  const theirs = stored.slice(0, 40).map((one) => ({ ...one, workspaceId: other.id, campaignId: "sales" }));
  await insertCalls(
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
    if (after) query.set("cursor", after);
    const page = await get(query);
    ids.push(...page.calls.map(({ id }) => id));
    after = page.next;
  }
  return ids;
}

type Filters = Partial<Omit<SearchCallsQuery, "limit" | "cursor" | "count">>;

function matches(candidate: Listed, filters: Filters): boolean {
  const email = agents.find(({ id }) => id === candidate.agentId)?.email ?? "";
  const seconds = candidate.durationMs === null ? Number.NaN : candidate.durationMs / 1000;
  const has = (wanted: string, value: string) =>
    candidate.metadata.some((entry) => entry.key === wanted && entry.value === value);
  const byKey = Map.groupBy(filters.metadata ?? [], (wanted) => wanted.key);
  return (
    (!filters.campaign || filters.campaign.includes(candidate.campaignId)) &&
    (!filters.agent || filters.agent.includes(candidate.agentId) || filters.agent.includes(email)) &&
    (!filters.from || candidate.happenedAt >= filters.from) &&
    (!filters.to || candidate.happenedAt < filters.to) &&
    (!filters.imported_from || candidate.importedAt >= filters.imported_from) &&
    (!filters.imported_to || candidate.importedAt < filters.imported_to) &&
    (!filters.status || filters.status.includes(candidate.status)) &&
    (filters.min_duration === undefined || seconds >= filters.min_duration) &&
    (filters.max_duration === undefined || seconds <= filters.max_duration) &&
    (filters.phone === undefined ||
      candidate.metadata.some(({ value }) => digitsOf(value).endsWith(filters.phone?.replace(/^[+0]+/, "") ?? ""))) &&
    [...byKey].every(([wanted, entries]) => entries.some(({ value }) => has(wanted, value)))
  );
}

function toQuery(filters: Filters): URLSearchParams {
  const query = new URLSearchParams();
  const { metadata = [], ...others } = filters;
  for (const [name, value] of Object.entries(others)) {
    for (const item of [value].flat()) query.append(name, item instanceof Date ? item.toISOString() : String(item));
  }
  for (const { key: name, value } of metadata) query.append(`metadata[${name}]`, value);
  return query;
}

const expected = (filters: Filters) => calls.filter((candidate) => matches(candidate, filters)).map(({ id }) => id);

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
      phone: fc.constantFrom(...endings),
    },
    { requiredKeys: [] },
  )
  .map(({ agent, ...others }): Filters => {
    const named = agent?.map((index) => agents[index]?.id ?? emails[index - 3] ?? "");
    return { ...(others as Filters), ...(named && { agent: named }) };
  });

test("for any filters and page size, a search returns every match once, in order", async () => {
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
    ["an agent by email", () => ({ agent: ["bob@example.com"] })],
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
    ["a value too long for an index row", () => ({ metadata: [{ key: "site", value: "x".repeat(700) }] })],
    ["any of two values", () => ({ metadata: ["Lyon", "Paris"].map((value) => ({ key: "site", value })) })],
    ["a phone number in national form", () => ({ phone: "0123456789" })],
    ["a phone number's last digits", () => ({ phone: "456789" })],
    ["two entries at once", () => ({ metadata: ["site", "phone"].map((name) => ({ key: name, value: "Lyon" })) })],
  ];
  test.each(cases)("%s", async (_, make) => {
    const asked = make();
    const found = await all(toQuery(asked));
    expect(found).toEqual(expected(asked));
    expect(found.length).toBeGreaterThan(0);
  });
});

test("a phone number is found in any notation, by its last digits, also by callers who see only some calls", async () => {
  const asked = { phone: "456789" };
  for (const phone of ["456789", "0456789", "45 67-89"]) expect(await all(toQuery({ phone }))).toEqual(expected(asked));
  const restricted = { "x-api-key": await restrictedKey("sales") };
  const answer = await api.inject({ url: "/calls?phone=456789&limit=200", headers: restricted });
  const found = answer.json().calls.map(({ id }: { id: string }) => id);
  expect(found).toEqual(expected({ ...asked, campaign: ["sales"] }));
  expect(found.length).toBeGreaterThan(0);
});

test.each(["123", "call me", "+", "1234567890123456"])("%s is no phone number", async (phone) => {
  const answer = await api.inject({ url: `/calls?phone=${encodeURIComponent(phone)}`, headers });
  expect([answer.statusCode, answer.json().errors?.[0]?.part]).toEqual([422, "phone"]);
});

test("more numbers than one index scan reads are found, too", async () => {
  const stored = Array.from({ length: 150 }, (_, n) => ({
    workspaceId,
    campaignId: "sales",
    agentId: agents[0]?.id ?? "",
    seed: 10_000 + n,
    happenedAt: at(n),
    importedAt: at(n),
    status: "ready" as const,
    durationMs: 1000,
    metadata: [{ key: "client_phone", value: `+4930${1000 + n}7777` }],
  }));
  const ids = await insertCalls(admin, stored);
  try {
    expect(await all(toQuery({ phone: "7777" }))).toEqual(ids.toSorted().reverse());
    expect(await all(toQuery({ phone: "10017777" }))).toEqual([ids[1]]);
  } finally {
    for (const table of ["call_metadata where call_id", "call where id"]) {
      await admin.query(`delete from ${table} = any ($1)`, [ids]);
    }
  }
});

test("a search returns the same fields as other routes", async () => {
  const { calls: found } = await get("limit=3&status=failed&campaign=sales");
  const one = calls.find(({ id }) => id === found[0]?.id);
  expect(found[0]).toMatchObject({
    campaign_id: "sales",
    status: "failed",
    metadata: one?.metadata,
    agent: { id: one?.agentId },
    agent_channel: { value: "unknown", from: "campaign" },
    conversation_time: one?.happenedAt.toISOString(),
  });
  expect(found[0]).not.toHaveProperty("duplicate");
});

test("the count is exact if few calls match", async () => {
  const asked = { campaign: ["sales"], status: ["failed" as const] };
  const query = toQuery(asked);
  query.set("count", "estimate");
  query.set("limit", "1");
  expect((await get(query)).estimate).toEqual({ count: expected(asked).length, exact: true });
});
