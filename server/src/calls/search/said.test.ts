import type { CallPageBody } from "@hearback/contract";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { createCampaign } from "../../campaigns/create-campaign.ts";
import { operatorIn } from "../../platform/actor.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { insertCalls } from "../../testing/insert-calls.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { createTestUser, signedIn } from "../../testing/users.ts";
import { indexWords, removeWords, type SpokenWords } from "./index-words.ts";
import { termsOfSaid, wordsOfText } from "./words-of-text.ts";

/*
 * Compares searching by what was said with a reference that looks through the words of all calls.
 */

const { app, api, key, restrictedKey, admin, caller, campaignId } = await openTestApp();
const { workspaceId } = caller;
const headers = { "x-api-key": await key("read") };

interface Spoken {
  id: string;
  campaign: string;
  agent: string;
  sides: { channel: "left" | "right" | "both"; text: string }[];
  agentChannel: "left" | "right" | null;
}
let calls: Spoken[] = [];
const agents: string[] = [];
const start = Date.UTC(2025, 5, 20);

const index = (spoken: Omit<SpokenWords, "workspaceId">, workspace = workspaceId) =>
  inWorkspace(app, workspace, (tx) => indexWords(tx, { workspaceId: workspace, ...spoken }));

async function insert(
  count: number,
  of: (n: number) => { campaign?: string; agent?: string | undefined; minutes: number },
): Promise<string[]> {
  return insertCalls(
    admin,
    Array.from({ length: count }, (_, n) => {
      const { campaign = campaignId, agent = agents[0] ?? "", minutes } = of(n);
      return {
        workspaceId,
        campaignId: campaign,
        agentId: agent,
        happenedAt: new Date(start + minutes * 60_000),
        importedAt: new Date(start + minutes * 60_000),
        status: "ready" as const,
        durationMs: 60_000,
        metadata: [],
        seed: minutes * 1_000 + n,
      };
    }),
  );
}

const vocabulary = ["cancel", "my", "contract", "the", "yes", "no", "refund", "to", "be", "or", "not", "hello"];
const text = fc.array(fc.constantFrom(...vocabulary), { maxLength: 12 }).map((words) => words.join(" "));

beforeAll(async () => {
  await createCampaign(app, operatorIn(workspaceId), { id: "sales", name: "Sales" });
  await admin.query("update campaign set agent_channel = 'left' where id = 'sales'");
  for (const { id } of (await admin.query<{ id: string }>("select id from app_user")).rows) agents.push(id);
  agents.push((await createTestUser(app, workspaceId, { role: "agent", email: "bob@example.com" })).id);
  const drawn = fc.sample(
    fc.record({
      sales: fc.boolean(),
      agent: fc.nat(1),
      minutes: fc.nat(60 * 24 * 60),
      left: text,
      right: text,
      mono: fc.nat(9),
    }),
    { numRuns: 300, seed: 7 },
  );
  const ids = await insert(drawn.length, (n) => {
    const { sales, agent, minutes } = drawn[n] as (typeof drawn)[number];
    return { campaign: sales ? "sales" : campaignId, agent: agents[agent], minutes };
  });
  calls = drawn.map(({ sales, agent, left, right, mono }, n) => ({
    id: ids[n] ?? "",
    campaign: sales ? "sales" : campaignId,
    agent: agents[agent] ?? "",
    agentChannel: n % 7 === 0 ? "right" : sales ? "left" : null,
    sides:
      mono === 0
        ? [{ channel: "both" as const, text: `${left} ${right}` }]
        : [
            { channel: "left" as const, text: left },
            { channel: "right" as const, text: right },
          ],
  }));
  for (const [n, { id, sides }] of calls.entries()) {
    if (n % 7 === 0) await admin.query("update call set agent_channel = 'right' where id = $1", [id]);
    await index({ callId: id, language: "en", sides });
  }
  calls.sort((a, b) => (a.id < b.id ? 1 : -1));
}, 120_000);

const get = async (query: URLSearchParams, as: Record<string, string> = headers): Promise<CallPageBody> => {
  const answer = await api.inject({ method: "GET", url: `/calls?${query}`, headers: as });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};

/** All pages of a search. */
async function all(query: Record<string, string>, as = headers as Record<string, string>): Promise<string[]> {
  const ids: string[] = [];
  const asked = new URLSearchParams(query);
  for (let after: string | null = ""; after !== null; ) {
    if (after) asked.set("cursor", after);
    const page: CallPageBody = await get(asked, as);
    ids.push(...page.calls.map(({ id }) => id));
    expect(page.next).not.toBe(after);
    after = page.next;
  }
  return ids;
}

const has = (said: string, text: string) => {
  const words = ` ${wordsOfText(text).join(" ")} `;
  return termsOfSaid(said).every((term) => words.includes(` ${term.join(" ")} `));
};
const channelOf = (call: Spoken, side: string) =>
  side === "agent"
    ? call.agentChannel
    : side === "customer"
      ? call.agentChannel && (call.agentChannel === "left" ? "right" : "left")
      : side;

function expected(said: string, side?: string, where: (call: Spoken) => boolean = () => true): string[] {
  return calls
    .filter(where)
    .filter((call) =>
      call.sides.some(
        ({ channel, text }) => (side === undefined || channel === channelOf(call, side)) && has(said, text),
      ),
    )
    .map(({ id }) => id);
}

test.each([
  "cancel",
  "cancel contract",
  '"cancel my contract"',
  '"cancel my contract" yes',
  '"to be or not"',
  '"to be"  "not the"',
  "tomatoes",
  '"hello hello hello hello"',
])("finds calls in which %s was said, newest first, on any number of pages", async (said) => {
  for (const limit of ["3", "50"]) expect(await all({ said, limit })).toEqual(expected(said));
  expect(await all({ said, campaign: "sales", limit: "7" })).toEqual(
    expected(said, undefined, ({ campaign }) => campaign === "sales"),
  );
});

test.each(["agent", "customer", "left", "right"])("finds what the %s said", async (side) => {
  for (const said of ["refund", '"my contract"', "refund yes"])
    expect(await all({ said, said_by: side, limit: "9" })).toEqual(expected(said, side));
});

test("counts exactly", async () => {
  const { estimate } = await get(new URLSearchParams({ said: '"my contract"', count: "estimate" }));
  expect(estimate).toEqual({ count: expected('"my contract"').length, exact: true });
});

test("refuses nothing to search for", async () => {
  const alone = await api.inject({ method: "GET", url: "/calls?said_by=agent", headers });
  expect([alone.statusCode, alone.body]).toEqual([422, expect.stringContaining("said_by needs said")]);
  for (const said of ["", " ", "!?", "x".repeat(201)]) {
    const answer = await api.inject({ method: "GET", url: `/calls?${new URLSearchParams({ said })}`, headers });
    expect(answer.statusCode).toBe(422);
  }
});

test("keys of campaigns find their calls only, and the cursor stays in them", async () => {
  const restricted = { "x-api-key": await restrictedKey("sales") };
  const sales = expected("cancel", undefined, ({ campaign }) => campaign === "sales");
  expect(await all({ said: "cancel", limit: "4" }, restricted)).toEqual(sales);
  expect(await all({ said: "cancel", campaign: campaignId }, restricted)).toEqual([]);
});

test("agents find their own calls only", async () => {
  const agent = await signedIn(api, "bob@example.com");
  const own = expected('"my contract"', undefined, (call) => call.agent === agents[1]);
  expect(own.length).toBeGreaterThan(0);
  expect(await all({ said: '"my contract"' }, agent)).toEqual(own);
});

describe("a call", () => {
  const find = async (said: string) => (await get(new URLSearchParams({ said }))).calls.map(({ id }) => id);

  test("is found by other endings, without accents and in other letters", async () => {
    const [id = ""] = await insert(1, () => ({ minutes: 99_000 }));
    await index({
      callId: id,
      language: "fr-FR",
      sides: [{ channel: "left", text: "Je souhaite résilier l’abonnement, ÇA c'est sûr" }],
    });
    for (const said of [
      "résilie",
      "resilier",
      "RÉSILIER",
      "abonnements",
      "ca sur",
      '"je souhaite resilier"',
      "l'abonnement",
      '"c’est sur"',
    ])
      expect([said, await find(said)]).toEqual([said, [id]]);
    expect(await find('"souhaite je"')).toEqual([]);
  });

  test("in a language without known endings, and in a script without spaces", async () => {
    const [id = ""] = await insert(1, () => ({ minutes: 99_100 }));
    await index({ callId: id, language: "ja", sides: [{ channel: "left", text: "契約を解約したいです" }] });
    expect(await find("解約")).toEqual([id]);
    expect(await find("約解")).toEqual([]);
  });

  test("is no longer found by former words", async () => {
    const [id = ""] = await insert(1, () => ({ minutes: 99_200 }));
    await index({ callId: id, language: "en", sides: [{ channel: "left", text: "pomegranate" }] });
    await index({ callId: id, language: "en", sides: [{ channel: "left", text: "papaya" }] });
    expect([await find("pomegranate"), await find("papaya")]).toEqual([[], [id]]);
    await inWorkspace(app, workspaceId, (tx) => removeWords(tx, { workspaceId, callId: id }));
    expect(await find("papaya")).toEqual([]);
  });

  test("of two hours is found by a word at its end, and by words and phrases that are far apart", async () => {
    const [id = ""] = await insert(1, () => ({ minutes: 99_300 }));
    const filler = (n: number) =>
      Array.from({ length: n }, (_, i) => (i % 3 === 0 ? "the" : `word${i % 5000}`)).join(" ");
    const text = `mango juice please ${filler(9_000)} then a ripe guava ${filler(9_000)} the last lychee`;
    await index({ callId: id, language: "en", sides: [{ channel: "right", text }] });
    for (const said of [
      "lychee",
      "mango lychee",
      '"the last lychee"',
      '"mango juice" "ripe guava" lychee',
      '"then a ripe guava the"',
    ])
      expect([said, await find(said)]).toEqual([said, [id]]);
    for (const said of ['"mango guava"', '"juice mango" lychee', "mango papaya"])
      expect([said, await find(said)]).toEqual([said, []]);
    // Phrases across the border of two parts.
    const words = wordsOfText(text);
    for (let at = 1_890; at < 2_010; at += 10) {
      const said = `"${words.slice(at, at + 12).join(" ")}"`;
      expect([said, await find(said)]).toEqual([said, [id]]);
    }
  });

  test("is not found if it is older than searchable_months", async () => {
    const [id = ""] = await insert(1, () => ({ minutes: 99_400 }));
    await index({ callId: id, language: "en", sides: [{ channel: "left", text: "persimmon" }] });
    expect(await find("persimmon")).toEqual([id]);
    await admin.query(`update workspace set settings = settings || '{"searchable_months": 1}' where id = $1`, [
      workspaceId,
    ]);
    expect(await find("persimmon")).toEqual([]);
    await admin.query(`update workspace set settings = settings - 'searchable_months' where id = $1`, [workspaceId]);
    expect(await find("persimmon")).toEqual([id]);
  });
});
