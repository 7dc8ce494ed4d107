import { secondSeed } from "@hearback/draws/second-reviews";
import { drawSeed, openTickets } from "@hearback/draws/tickets";
import { verifyProof } from "@hearback/draws/verify-proof";
import { expect, test } from "vitest";
import { auditOf } from "../../testing/json-client.ts";
import { openPlanTests } from "../../testing/plans.ts";
import { aScorecard, openPerson, type Person } from "../../testing/reviews.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { runDraws } from "../run-draws.ts";

const service = await openTestApp();
const { admin, app, caller } = service;
const tests = await openPlanTests(service);
const { supervisor, createPlan, addReady, draw, newAgent, newReviewer, submitted, publish, start } = tests;
const otherScorecard = await publish({ ...aScorecard, name: "Another" });

interface Assigned {
  readonly id: string;
  readonly call_id: string;
  readonly reviewer_id: string;
  readonly kind: "first" | "second";
}

/** A drawn period of 20 calls, four of them with a second review, for these two people. */
async function drawnFor(people: readonly Person[]) {
  const agent = await newAgent();
  const planId = await createPlan({
    per_agent: 20,
    second_percent: 20,
    reviewers: people.map(({ id }) => ({ user_id: id, capacity: 10 })),
  });
  await addReady(Array(20).fill(agent.id));
  const drawId = await draw(planId);
  const { rows } = await admin.query<Assigned>("select * from assignment where draw_id = $1", [drawId]);
  const seconds = rows.filter(({ kind }) => kind === "second");
  expect(seconds).toHaveLength(4);
  return { drawId, all: rows, seconds };
}

/** The first and the second review of one call. */
function pairOf({ all, seconds: [second] }: Awaited<ReturnType<typeof drawnFor>>, people: readonly Person[]) {
  const first = all.find(({ kind, call_id }) => kind === "first" && call_id === second?.call_id) as Assigned;
  const personOf = ({ reviewer_id }: Assigned) => people.find(({ id }) => id === reviewer_id) as Person;
  return { callId: first.call_id, first: personOf(first), second: personOf(second as Assigned) };
}

const queueOf = async (person: Person) => (await person.ask("GET", "/assignments?limit=100")).body.assignments;
const reviewsOf = async (person: Person, callId: string) =>
  (await person.ask("GET", `/reviews?call_id=${callId}`)).body.reviews.map(({ id }: { id: string }) => id).sort();

test("nothing in a queue is a function of published numbers: neither its order nor its ids say what is a second review", async () => {
  const people = [await newReviewer(), await newReviewer()];
  const { all, drawId, seconds } = await drawnFor(people);
  expect(new Set(all.map(({ id }) => id.slice(0, 19))).size).toBe(1);
  const { body } = await supervisor.ask("GET", `/draws/${drawId}`);
  const bytes = (hex: string) => Buffer.from(hex, "hex");
  const { rules, period, nonce } = body;
  const seed = drawSeed({ key: bytes(body.key), rules, period, root: bytes(body.root), nonce });
  const ticketOf = openTickets(seed);
  const byTicket = (text: (callId: string) => string) => (a: Assigned, b: Assigned) =>
    Buffer.compare(ticketOf(text(a.call_id)), ticketOf(text(b.call_id)));
  for (const person of people) {
    const queue: Assigned[] = await queueOf(person);
    expect(queue.map(({ kind }) => kind).filter(Boolean)).toEqual([]);
    for (const text of [(id: string) => id, (id: string) => `first/${id}`, (id: string) => `second/${id}`])
      expect(queue.toSorted(byTicket(text))).not.toEqual(queue);
  }
  const guessed = all.filter(({ kind }) => kind === "first").sort(byTicket((id) => `second/${id}`));
  const callIds = (assigned: readonly Assigned[]) => assigned.map(({ call_id }) => call_id).sort();
  expect(callIds(guessed.slice(0, 4))).not.toEqual(callIds(seconds));
});

test("the second key is published when all reviews are done, and everyone can check which calls were reviewed twice", async () => {
  const people = [await newReviewer(), await newReviewer()];
  const { drawId, all, seconds } = await drawnFor(people);
  const read = async () => (await supervisor.ask("GET", `/draws/${drawId}`)).body;
  const proof = async () => (await supervisor.ask("GET", `/draws/${drawId}/proof`)).body;
  const finish = (ids: readonly string[]) =>
    admin.query("update assignment set state = 'done', done_at = now() where id = any ($1)", [ids]);
  const { second_commitment } = await read();
  const [last = "", ...others] = all.map(({ id }) => id);
  await finish(others);
  await runDraws(app, caller.workspaceId);
  expect(await read()).toMatchObject({ second_commitment, second_key: null });
  expect(verifyProof(await proof())).toMatchObject({ seconds: null, findings: [] });
  expect(await proof()).not.toContain('"second":[');

  await finish([last]);
  const entries = await auditOf(service, () => runDraws(app, caller.workspaceId));
  const published = await read();
  expect(published).toMatchObject({ second_commitment, second_key: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(entries).toMatchObject([
    { action: "draw.second_key_published", subject_id: drawId, data: { second_key: published.second_key } },
  ]);
  expect(verifyProof(await proof())).toMatchObject({ seconds: 4, findings: [] });
  const [call = ""] = seconds.map(({ call_id }) => call_id);
  expect(verifyProof((await proof()).replace(`"second":["`, `"second":["x`)).findings).not.toEqual([]);
  expect((await proof()).split('"second":[')[1]).toContain(call);
  const bytes = (hex: string) => Buffer.from(hex, "hex");
  const { rules, period, nonce } = published;
  const seed = drawSeed({ key: bytes(published.key), rules, period, root: bytes(published.root), nonce });
  const ticketOf = openTickets(secondSeed(bytes(published.second_key), seed));
  const calls = all.filter(({ kind }) => kind === "first").map(({ call_id }) => call_id);
  const smallest = calls.sort((a, b) => Buffer.compare(ticketOf(a), ticketOf(b))).slice(0, 4);
  expect(smallest.sort()).toEqual(seconds.map(({ call_id }) => call_id).sort());
  await runDraws(app, caller.workspaceId);
  expect((await read()).second_key).toBe(published.second_key);
});

test("calls that replace skipped ones get a second review with the same chance, as their tickets say", async () => {
  const people = [await newReviewer(), await newReviewer()];
  const reviewers = people.map(({ id }) => ({ user_id: id, capacity: 10 }));
  const planId = await createPlan({ per_agent: 10, second_percent: 20, reviewers });
  const agent = await newAgent();
  await addReady(Array(60).fill(agent.id));
  const drawId = await draw(planId);
  const open = async () =>
    (
      await admin.query<Assigned & { place: number }>(
        "select * from assignment where draw_id = $1 and state = 'open' order by place, kind",
        [drawId],
      )
    ).rows;
  for (let skipped = 0; skipped < 40; skipped++) {
    const [first] = await open();
    const by = people.find(({ id }) => id === first?.reviewer_id) as Person;
    expect((await by.ask("POST", `/assignments/${first?.id}/skip`, { reason: "inaudible" })).status).toBe(200);
  }
  const all = await open();
  expect(all.filter(({ kind }) => kind === "first")).toHaveLength(10);
  for (const { place } of all) expect(place).toBeGreaterThanOrEqual(40);
  const seconds = all.filter(({ kind }) => kind === "second");
  for (const { call_id, reviewer_id } of seconds) {
    const first = all.find((one) => one.kind === "first" && one.call_id === call_id);
    expect(new Set([reviewer_id, first?.reviewer_id])).toEqual(new Set(people.map(({ id }) => id)));
  }
  await admin.query("update assignment set state = 'done', done_at = now() where draw_id = $1 and state = 'open'", [
    drawId,
  ]);
  await runDraws(app, caller.workspaceId);
  const proof = (await supervisor.ask("GET", `/draws/${drawId}/proof`)).body;
  const listed = proof
    .trim()
    .split("\n")
    .flatMap((line: string) => JSON.parse(line).second ?? []);
  const { rows } = await admin.query(
    "select call_id from assignment where draw_id = $1 and kind = 'second' order by call_id",
    [drawId],
  );
  expect(listed.filter((id: unknown) => typeof id === "string")).toEqual(rows.map(({ call_id }) => call_id));
  // Of the 50 calls that were drawn, those whose ticket is not above the limit. The check computes them again.
  expect(verifyProof(proof)).toMatchObject({ drawn: 50, seconds: rows.length, findings: [] });
});

test("a review on another scorecard, or one more draft, does not open the other review of a call", async () => {
  const people = [await newReviewer(), await newReviewer()];
  const { callId, first, second } = pairOf(await drawnFor(people), people);
  const { id: firstId } = await submitted({}, first, callId);
  await admin.query("update review set state = 'released', released_at = now() where id = $1", [firstId]);
  const elsewhere = (await start(second, callId, otherScorecard)).body;
  await second.ask("PUT", `/reviews/${elsewhere.id}/answers/greeting`, { value: "yes" }, 1);
  await second.ask("PUT", `/reviews/${elsewhere.id}/answers/identity`, { value: "full" }, 2);
  expect((await second.ask("POST", `/reviews/${elsewhere.id}/submit`, undefined, 3)).status).toBe(200);
  expect(await reviewsOf(second, callId)).toEqual([elsewhere.id]);
  expect((await second.ask("GET", `/reviews/${firstId}`)).status).toBe(404);
  const { id: secondId } = await submitted({}, second, callId);
  expect(await reviewsOf(second, callId)).toEqual([elsewhere.id, firstId, secondId].sort());
  expect(await reviewsOf(first, callId)).toEqual([firstId, secondId].sort());
  // With a draft of the call, on whatever scorecard, the reviews of others are hidden again.
  const draft = (await start(first, callId, otherScorecard)).body;
  expect(await reviewsOf(first, callId)).toEqual([firstId, draft.id].sort());
});

test("a supervisor who has to review a call does not see its other review, in any list, nor whether there is one", async () => {
  const lead = await openPerson(service, "supervisor");
  const people = [lead, await newReviewer()];
  const drawn = await drawnFor(people);
  const call = drawn.seconds.find(({ reviewer_id, call_id }) => {
    const first = drawn.all.find((one) => one.kind === "first" && one.call_id === call_id);
    return [reviewer_id, first?.reviewer_id].includes(lead.id);
  })?.call_id as string;
  const other = people[1] as Person;
  const assignmentsOf = async () =>
    (await lead.ask("GET", `/assignments?draw_id=${drawn.drawId}&limit=100`)).body.assignments.filter(
      ({ call_id }: Assigned) => call_id === call,
    );
  expect(await assignmentsOf()).toMatchObject([{ kind: null, reviewer_id: lead.id }]);
  const { id } = await submitted({ greeting: { value: "yes" } }, other, call);
  await admin.query("update review set selection = 'drawn' where id = $1", [id]);
  const waiting = async () => (await lead.ask("GET", "/reviews/waiting")).body.to_release;
  const before = await waiting();
  expect(await reviewsOf(lead, call)).toEqual([]);
  expect((await lead.ask("GET", `/reviews/${id}`)).status).toBe(404);
  expect((await supervisor.ask("GET", `/reviews/${id}`)).status).toBe(200);
  const searched = async (query: string) =>
    (await lead.ask("GET", `/calls?limit=100${query}`)).body.calls.find((one: { id: string }) => one.id === call);
  expect((await searched("")).review).toBeNull();
  expect(await searched("&min_score=50")).toBeUndefined();
  const own = await submitted({}, lead, call);
  expect(await reviewsOf(lead, call)).toEqual([id, own.id].sort());
  expect(await searched("&min_score=50")).toBeDefined();
  expect(await waiting()).toBeGreaterThan(before);
});

test("nobody decides a dispute about a call that they have to review", async () => {
  const people = [await openPerson(service, "supervisor"), await newReviewer()];
  const { callId, first, second } = pairOf(await drawnFor(people), people);
  const { id } = await submitted({}, first, callId);
  await admin.query(
    "update review set state = 'released', released_at = now(), disputable_until = now() + interval '1 day' where id = $1",
    [id],
  );
  await admin.query("update review set agent_id = $2 where id = $1", [id, tests.agent.id]);
  const opened = (await tests.dispute(id)).body;
  const assign = await supervisor.ask("PATCH", `/disputes/${opened.id}`, { arbiter_id: second.id });
  expect(assign).toMatchObject({ status: 422, body: { code: "fields_invalid" } });
});
