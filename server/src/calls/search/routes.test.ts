import { randomUUID } from "node:crypto";
import type { CallPageBody } from "@hearback/contract";
import { describe, expect, test } from "vitest";
import { createCampaign } from "../../campaigns/create-campaign.ts";
import { operatorIn } from "../../platform/actor.ts";
import { aForm } from "../../testing/forms.ts";
import { type CallToInsert, insertCalls } from "../../testing/insert-calls.ts";
import { aRecording } from "../../testing/sounds.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { firstCallId } from "./call-filters.ts";

const service = await openTestApp();
const { app, api, key, admin, caller, campaignId, agentEmail } = service;
const { workspaceId } = caller;
const apiKey = await key("read", "import");
const { rows: agents } = await admin.query<{ id: string }>("select id from app_user");
await createCampaign(app, operatorIn(workspaceId), { id: "sales", name: "Sales" });

const ask = (query: string, as = apiKey) =>
  api.inject({ method: "GET", url: `/calls${query}`, headers: { "x-api-key": as } });
const page = async (query: string, as?: string): Promise<CallPageBody> => (await ask(query, as)).json();

let seed = 0;
const aCall = (more: Partial<CallToInsert> = {}): CallToInsert => ({
  workspaceId,
  campaignId,
  agentId: agents[0]?.id ?? "",
  status: "ready",
  durationMs: 60_000,
  metadata: [],
  happenedAt: new Date(1_760_000_000_000 + ++seed * 1000),
  importedAt: new Date(),
  seed,
  ...more,
});
const store = (...calls: CallToInsert[]) => insertCalls(admin, calls);

async function importOne(seconds: number): Promise<string> {
  const form = aForm(
    ["campaign_id", campaignId],
    ["conversation_timestamp", String(seconds)],
    ["agent_email", agentEmail],
    ["file", aRecording({ seed: seconds })],
  );
  const headers = { ...form.headers, "x-api-key": apiKey };
  return (await api.inject({ method: "POST", url: "/calls/audio", headers, payload: form.payload })).json().id;
}

describe("rejected queries", () => {
  test.each([
    ["?campaing=sales", "campaing", "unknown_parameter"],
    ["?metadata=site", "metadata", "unknown_parameter"],
    ["?metadata[site=x", "metadata[site", "unknown_parameter"],
    ["?metadata[]=x", "metadata", "too_short"],
    ["?from=yesterday", "from", "not_a_time"],
    ["?from=2026-11-15T08:00:00", "from", "not_a_time"],
    ["?to=2026-11-15T08:00:00+01:00", "to", "not_a_time"],
    ["?from=1&from=2", "from", "wrong_type"],
    ["?status=done", "status", "not_allowed"],
    ["?min_duration=-1", "min_duration", "invalid"],
    ["?max_duration=1m", "max_duration", "invalid"],
    ["?limit=201", "limit", "invalid"],
    ["?limit=0", "limit", "invalid"],
    ["?cursor=7", "cursor", "invalid"],
    ["?count=all", "count", "not_allowed"],
    [`?${"campaign=a&".repeat(51)}`, "campaign", "too_long"],
    [`?${"metadata[a]=b&".repeat(21)}`, "metadata", "too_long"],
    [`?metadata[${"k".repeat(129)}]=b`, "metadata", "too_long"],
    ["?campaign=", "campaign", "too_short"],
    ["?campaign=%00", "campaign", "invalid"],
  ])("%s", async (query, part, code) => {
    const answer = await ask(query);
    expect(answer.statusCode, answer.body).toBe(422);
    expect(answer.json().errors.map((issue: { part: string }) => issue.part)).toContain(part);
    if (code !== "invalid") expect(answer.json().errors[0].code).toBe(code);
  });

  test("all invalid parameters are reported together", async () => {
    const { errors } = (await ask("?campaing=a&limit=x&colour=b")).json();
    expect(errors.map(({ part }: { part: string }) => part).sort()).toEqual(["campaing", "colour", "limit"]);
  });

  test("a time with an offset is accepted if its plus sign is percent-encoded", async () => {
    expect((await ask("?from=2026-11-15T08:00:00%2B01:00&to=1794000000")).statusCode).toBe(200);
  });

  test("a key without the scope", async () => {
    expect((await ask("", await key("import"))).statusCode).toBe(403);
  });
});

test("unknown campaigns, agents and metadata keys match nothing", async () => {
  await store(aCall());
  for (const query of ["?campaign=nowhere", "?agent=nobody@example.com", `?agent=${randomUUID()}`, "?metadata[no]=x"]) {
    expect(await page(query)).toEqual({ calls: [], next: null });
  }
});

test("the cursor need not be the id of an existing call", async () => {
  const [id] = await store(aCall({ happenedAt: new Date("2025-03-01T10:00:00Z") }));
  const { calls } = await page(`?cursor=${firstCallId(new Date("2025-03-01T10:00:01Z")).toUpperCase()}&limit=1`);
  expect(calls.map((call) => call.id)).toEqual([id]);
});

test("paging during imports returns every existing call once", async () => {
  const before = await store(...Array.from({ length: 25 }, () => aCall({ metadata: [{ key: "batch", value: "1" }] })));
  const seen: string[] = [];
  let next: string | null = null;
  for (let round = 0; round === 0 || next; round++) {
    const read: CallPageBody = await page(`?limit=4&metadata[batch]=1${next ? `&cursor=${next}` : ""}`);
    seen.push(...read.calls.map(({ id }) => id));
    next = read.next;
    // Newer and older than the cursor.
    await store(aCall({ metadata: [{ key: "batch", value: "1" }] }));
    await importOne(1_759_000_000 + round);
  }
  expect(seen).toHaveLength(25);
  expect(new Set(seen)).toEqual(new Set(before));
});

test("finds a call by its day of import", async () => {
  const id = await importOne(1_700_000_000);
  const { calls } = await page(`?imported_from=${Math.floor(Date.now() / 1000) - 3600}&to=1700000001`);
  expect(calls.map((call) => call.id)).toEqual([id]);
});

test("if matches are rare, a page is short, reports how far it searched, and the next page continues", async () => {
  const first = Date.UTC(2024, 0, 10);
  const [rare] = await store(aCall({ happenedAt: new Date(first), durationMs: 777_000, campaignId: "sales" }));
  await admin.query(
    `insert into call (workspace_id, id, campaign_id, agent_id, happened_at, status, metadata, recording_key,
        recording_bytes, sha256, format, duration_ms)
      select $1, (lpad(to_hex($4::bigint + n * 1000), 12, '0') || '80008' || lpad(to_hex(n), 15, '0'))::uuid, 'sales', $2,
        to_timestamp(($4 + n * 1000) / 1000.0), 'ready', '[]', 'r/' || n, 1, '\\x00', 'wav', 60000
      from generate_series(1, $3::int) as n`,
    [workspaceId, agents[0]?.id, 12_000, first],
  );
  const query = "campaign=sales&min_duration=776&max_duration=778&limit=5&to=2024-01-20T00:00:00Z";
  const short = await page(`?${query}`);
  expect(short.calls).toEqual([]);
  expect(short.next).not.toBeNull();
  expect(Date.parse(short.searched_to ?? "")).toBeGreaterThan(first);
  const second = await page(`?${query}&cursor=${short.next}`);
  expect(second.calls.map((call) => call.id)).toEqual([rare]);
  expect(second).not.toHaveProperty("searched_to");
  expect(second.next).toBeNull();

  const { estimate } = await page("?campaign=sales&count=estimate&limit=1");
  expect(estimate?.exact).toBe(false);
  expect(estimate?.count).toBeGreaterThan(1_000);
}, 30_000);

describe("a key restricted to campaigns", () => {
  const restricted = async (...ids: string[]) => {
    const made = await key("read");
    await admin.query(
      "update api_key set campaign_ids = $1 where id = (select id from api_key order by created_at desc limit 1)",
      [ids],
    );
    return made;
  };

  test("finds only calls of these campaigns", async () => {
    await createCampaign(app, operatorIn(workspaceId), { id: "secret", name: "Secret" });
    const [ours] = await store(aCall({ campaignId: "secret" }));
    const as = await restricted("secret");
    expect((await page("", as)).calls.map(({ id }) => id)).toEqual([ours]);
    expect((await page("?campaign=secret&campaign=sales", as)).calls.map(({ id }) => id)).toEqual([ours]);
    for (const campaign of ["sales", "nowhere"]) {
      expect(await page(`?campaign=${campaign}`, as)).toEqual({ calls: [], next: null });
    }
    expect((await page("?count=estimate", as)).estimate).toEqual({ count: 1, exact: true });
  });
});
