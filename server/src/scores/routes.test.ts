import { expect, test } from "vitest";
import { openJsonClient } from "../testing/json-client.ts";
import { aScorecard, openPerson, openReviewTests, type Person } from "../testing/reviews.ts";
import { openTestApp } from "../testing/test-app.ts";

const service = await openTestApp();
const { admin } = service;
const tests = await openReviewTests(service);
const { agent, reviewer, supervisor, released, importOf, scorecardId, dispute } = tests;
const read = openJsonClient(service, await service.key("read"));

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const { rows: calls } = await (async () => {
  await released();
  return admin.query("select happened_at from call order by happened_at limit 1");
})();
/** Test calls have one time each, close together. */
const at = (calls[0].happened_at as Date).getTime();
const week = 7 * 24 * 3600_000;
const period = `from=${dayOf(at - week)}&to=${dayOf(at + week)}`;
const overview = async (filter = "", by: Pick<Person, "ask"> = supervisor) =>
  (await by.ask("GET", `/scores/overview?${period}${filter}`)).body;

const passing = { greeting: { value: "yes" } };
const failing = { identity: { value: "no", comment: "Not at all." } };

test("the overview has the mean, the rates and the counts of released reviews", async () => {
  const { id } = await released(passing);
  await released(failing);
  await tests.submitted();
  await agent.ask("POST", `/reviews/${id}/acknowledge`);
  await dispute(id, { proposed: { value: "no" } });
  const found = await overview();
  // Scores 60, 100 and 0.
  expect(found).toMatchObject({
    reviews: 3,
    score: { n: 3, value: 5333, low: 193, high: 9870 },
    passed: { n: 3, value: 3333, low: 177, high: 8747 },
    outcomes: { passed: 1, failed: 2, not_scored: 0, failed_call: 1 },
    disputes: { opened: 1, changed: 0 },
    hours: { to_release: { n: 3 }, to_acknowledgement: { n: 1 } },
    versions: [],
    questions: [
      { id: "greeting", title: "Greets", scorecard_id: scorecardId, failed: { n: 3, value: 6667 } },
      { id: "identity", not_applicable: 0, score: { n: 3, value: 6667 }, failed: { n: 3, value: 3333 } },
    ],
    sections: [{ id: "call", title: "Call", score: { n: 3, value: 5333 } }],
  });
  expect(found.weeks).toHaveLength(1);
  expect(found.weeks[0]).toMatchObject({ reviews: 3, score: found.score });
  const monday = new Date(`${found.weeks[0].week}T00:00:00Z`);
  expect(monday.getUTCDay()).toBe(1);
  expect(at - monday.getTime()).toBeGreaterThanOrEqual(0);
  expect(at - monday.getTime()).toBeLessThan(week);
});

test("a question of yes or no has an interval also if all answers are equal: that of its rate", async () => {
  const team = (await supervisor.ask("POST", "/teams", { name: "Equal" })).body.id;
  const member = await openPerson(service, "agent");
  await supervisor.ask("PATCH", `/users/${member.id}`, { team_id: team });
  for (let count = 0; count < 2; count++) await released(passing, reviewer, (await importOf(member)).id);
  const { score, weeks, questions, sections, passed } = await overview(`&team_id=${team}`);
  const none = { n: 2, value: 10_000, low: null, high: null };
  expect([score, weeks[0].score, sections[0].score]).toEqual([none, none, none]);
  const [first, second] = ["greeting", "identity"].map((id) => questions.find((one: { id: string }) => one.id === id));
  expect(first).toMatchObject({
    score: { n: 2, value: 10_000, low: 1979, high: 10_000 },
    failed: { low: 0, high: 8021 },
  });
  expect(passed).toEqual(first.score);
  // A choice of three answers.
  expect(second.score).toEqual(none);
});

test("filters by day, scorecard, campaign, team and selection", async () => {
  const all = (await overview()).reviews;
  const none = "0190f3c2-6c0b-7d6e-9b0e-2c4d0f6a3b1f";
  expect(
    (await overview(`&scorecard_id=${scorecardId}&campaign_id=${service.campaignId}&selection=picked`)).reviews,
  ).toBe(all);
  for (const filter of [`&scorecard_id=${none}`, `&team_id=${none}`, "&campaign_id=other", "&selection=drawn"])
    expect(await overview(filter), filter).toMatchObject({ reviews: 0, score: { n: 0, value: null }, questions: [] });
  const before = `from=${dayOf(at - 2 * week)}&to=${dayOf(at - week)}`;
  expect((await supervisor.ask("GET", `/scores/overview?${before}`)).body.reviews).toBe(0);

  const team = (await supervisor.ask("POST", "/teams", { name: "North" })).body.id;
  const member = await openPerson(service, "agent");
  await supervisor.ask("PATCH", `/users/${member.id}`, { team_id: team });
  await released(passing, reviewer, (await importOf(member)).id);
  expect(await overview(`&team_id=${team}`)).toMatchObject({ reviews: 1, score: { value: 10_000, low: null } });
  const agents = (await supervisor.ask("GET", `/scores/agents?${period}&team_id=${team}`)).body.agents;
  expect(agents).toMatchObject([{ agent_id: member.id, team_id: team, reviews: 1, shrunk: { value: null } }]);
});

test("a key restricted to other campaigns sees nothing; calibrations and second reviews never count", async () => {
  const restricted = openJsonClient(service, await service.restrictedKey(service.campaignId));
  expect((await restricted("GET", `/scores/overview?${period}`)).body.reviews).toBe((await overview()).reviews);
  await supervisor.ask("POST", "/campaigns", { id: "other", name: "Other" });
  const elsewhere = openJsonClient(service, await service.restrictedKey("other"));
  expect((await elsewhere("GET", `/scores/overview?${period}`)).body.reviews).toBe(0);
  expect((await elsewhere("GET", `/scores/agents?${period}`)).body.agents).toEqual([]);
  const { reviews } = await overview();
  const { id } = await tests.submitted();
  await admin.query("update review set selection = 'second' where id = $1", [id]);
  await supervisor.ask("POST", `/reviews/${id}/release`);
  expect((await overview()).reviews).toBe(reviews);
});

test("the reviews behind a number can be listed", async () => {
  const { reviews, questions } = await overview("&selection=picked");
  const days = `called_from=${dayOf(at - week)}&called_to=${dayOf(at + week)}`;
  const list = async (filter: string) =>
    (await supervisor.ask("GET", `/reviews?state=released&limit=200&${days}&selection=picked${filter}`)).body.reviews;
  expect(await list("")).toHaveLength(reviews);
  for (const { id, failed } of questions) {
    const found = await list(`&failed_question=${id}`);
    expect(found.length, id).toBeGreaterThan(0);
    expect(Math.round((found.length / failed.n) * 10_000), id).toBe(failed.value);
  }
  const before = `called_to=${dayOf(at - 2 * week)}`;
  expect((await supervisor.ask("GET", `/reviews?${before}`)).body.reviews).toEqual([]);
});

test("a new version is marked with its first day", async () => {
  const path = `/scorecards/${scorecardId}`;
  const { body } = await supervisor.ask("GET", path);
  const document = { ...aScorecard, passing_score: 70 };
  expect((await supervisor.ask("PUT", `${path}/draft`, { document }, body.draft_number)).status).toBe(200);
  expect((await supervisor.ask("POST", `${path}/publish`)).status).toBe(201);
  await released();
  expect((await overview()).versions).toEqual([
    { scorecard_id: scorecardId, version: 2, first_day: expect.any(String) },
  ]);
});

test("agents are listed in pages by id, with means shrunk to their team's", async () => {
  const others = [
    await openPerson(service, "agent"),
    await openPerson(service, "agent"),
    await openPerson(service, "agent"),
  ];
  for (const [index, one] of others.entries())
    for (let count = 0; count < 3; count++)
      await released(index === 0 ? passing : {}, reviewer, (await importOf(one)).id);
  const list = async (rest: string) => (await read("GET", `/scores/agents?${period}${rest}`)).body;
  const all = await list("");
  expect(all.min_reviews).toBe(8);
  const ids = all.agents.map(({ agent_id }: { agent_id: string }) => agent_id);
  expect(ids).toEqual(ids.toSorted());
  const high = all.agents.find(({ agent_id }: { agent_id: string }) => agent_id === others[0]?.id);
  expect(high).toMatchObject({
    reviews: 3,
    reviews_needed: 5,
    // Scores that are all equal say nothing about their spread.
    score: { n: 3, value: 10_000, low: null, high: null },
    team_id: null,
  });
  expect(high.shrunk.value).toBeLessThan(10_000);
  expect(high.shrunk.value).toBeGreaterThan(6000);
  expect(high.shrunk.low).toBeLessThan(high.shrunk.value);

  const paged: string[] = [];
  for (let cursor = ""; ; ) {
    const page = await list(`&limit=1${cursor}`);
    paged.push(...page.agents.map(({ agent_id }: { agent_id: string }) => agent_id));
    if (page.next === null) break;
    cursor = `&cursor=${page.next}`;
  }
  expect(paged).toEqual(ids);
  await tests.admin.ask("PATCH", "/workspace", { settings: { min_reviews: 3 } });
  expect(
    (await list("")).agents.find(({ agent_id }: { agent_id: string }) => agent_id === others[0]?.id),
  ).toMatchObject({
    reviews_needed: 0,
  });
});

test("one page reads the sums of 500 agents at most; those of a team are found without reading the others", async () => {
  const team = (await tests.admin.ask("POST", "/teams", { name: "Late" })).body.id;
  await admin.query(
    `insert into agent_score_sum select (jsonb_populate_record(one.t, jsonb_build_object('agent_id',
        case when n > 1200 then overlay(gen_random_uuid()::text placing 'ffff' from 1) else overlay(gen_random_uuid()::text placing '0000' from 1) end,
        'team_id', case when n > 1200 then $1 else (one.t).team_id::text end,
        'campaign_id', case when n > 1200 then 'late' else 'early' end))).*
      from (select t from agent_score_sum as t where scored > 0 limit 1) as one, generate_series(1, 1203) as n`,
    [team],
  );
  const pagesOf = async (filter: string) => {
    const pages: number[] = [];
    for (let next: string | null = ""; next !== null; ) {
      const { body } = await read("GET", `/scores/agents?${period}&${filter}${next && `&cursor=${next}`}`);
      pages.push(body.agents.length);
      next = body.next;
    }
    return pages;
  };
  expect(await pagesOf("campaign_id=late")).toEqual([0, 0, 3]);
  expect(await pagesOf(`team_id=${team}`)).toEqual([3]);
  expect(await pagesOf(`team_id=${team}&limit=2`)).toEqual([2, 1]);
  await admin.query("delete from agent_score_sum where campaign_id in ('early', 'late')");
});

test("agents see only their own scores, which equal those of the list", async () => {
  const mine = await agent.ask("GET", `/scores/mine?${period}`);
  const { agents } = (await supervisor.ask("GET", `/scores/agents?${period}&limit=200`)).body;
  const listed = agents.find(({ agent_id }: { agent_id: string }) => agent_id === agent.id);
  expect(mine).toMatchObject({ status: 200, body: { reviews: listed.reviews, score: listed.score } });
  expect(mine.body.questions.map(({ id }: { id: string }) => id).sort()).toEqual(["greeting", "identity"]);
  for (const { score, not_applicable } of mine.body.questions) expect(score.n + not_applicable).toBe(listed.reviews);
  for (const [selection, reviews] of [
    ["picked", listed.reviews],
    ["drawn", 0],
  ] as const)
    expect((await agent.ask("GET", `/scores/mine?${period}&selection=${selection}`)).body.reviews).toBe(reviews);
  const newcomer = await openPerson(service, "agent");
  expect((await newcomer.ask("GET", `/scores/mine?${period}`)).body).toMatchObject({
    reviews: 0,
    score: { n: 0, value: null },
    weeks: [],
    min_reviews: 3,
    reviews_needed: 3,
  });
});

test("only supervisors and keys see everyone's scores; reviewers see none", async () => {
  for (const path of ["/scores/overview", "/scores/agents"]) {
    for (const [by, status] of [
      [agent, 403],
      [reviewer, 403],
      [supervisor, 200],
      [tests.admin, 200],
    ] as const)
      expect((await by.ask("GET", `${path}?${period}`)).status, path).toBe(status);
    for (const [scope, status] of [
      ["read", 200],
      ["review", 200],
      ["import", 403],
    ] as const) {
      const client = openJsonClient(service, await service.key(scope));
      expect((await client("GET", `${path}?${period}`)).status, `${scope} ${path}`).toBe(status);
    }
  }
  for (const by of [reviewer, supervisor]) expect((await by.ask("GET", `/scores/mine?${period}`)).status).toBe(403);
});

test("the period must be valid and at most 53 weeks", async () => {
  for (const wrong of [
    "from=2026-01-02&to=2026-01-01",
    "from=2025-01-01&to=2026-01-07",
    "from=2026-02-30&to=2026-03-01",
  ])
    expect((await supervisor.ask("GET", `/scores/overview?${wrong}`)).status, wrong).toBe(422);
  expect((await supervisor.ask("GET", "/scores/overview?from=2026-01-01")).status).toBe(400);
  expect((await supervisor.ask("GET", "/scores/overview?from=2025-01-01&to=2026-01-06")).status).toBe(200);
});
