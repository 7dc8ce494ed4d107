import { verifyProof } from "@hearback/draws/verify-proof";
import { expect, test } from "vitest";
import { openPlanTests } from "../../testing/plans.ts";
import type { Person } from "../../testing/reviews.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { runDraws } from "../run-draws.ts";

const service = await openTestApp();
const { admin, app, caller } = service;
const { workspaceId } = caller;
const tests = await openPlanTests(service);
const { supervisor, reviewer, scorecardId, createPlan, addReady, draw, newAgent, newReviewer, answered } = tests;

interface Drawn {
  readonly id: string;
  readonly call_id: string;
  readonly agent_id: string;
  readonly reviewer_id: string | null;
  readonly kind: string;
  readonly state: string;
  readonly review_id: string | null;
}
const assignmentsOf = async (drawId: string): Promise<Drawn[]> =>
  (await admin.query("select * from assignment where draw_id = $1 order by agent_id, kind, place", [drawId])).rows;
const openQueue = async (person: Person) =>
  (await person.ask("GET", "/assignments?state=open")).body.assignments as Drawn[];

/** A plan of the reviewers with one drawn period of calls of one new agent. */
async function drawn(
  reviewers: readonly Person[],
  { calls = 6, ...change }: Parameters<typeof createPlan>[0] & { calls?: number } = {},
) {
  const agent = await newAgent();
  const planId = await createPlan({ reviewers: reviewers.map(({ id }) => ({ user_id: id, capacity: 10 })), ...change });
  await addReady(Array(calls).fill(agent.id));
  return { agent, planId, drawId: await draw(planId) };
}
const isProven = async (drawId: string) =>
  expect(verifyProof((await supervisor.ask("GET", `/draws/${drawId}/proof`)).body).findings).toEqual([]);

async function submit(person: Person, callId: string, answers = { greeting: "yes", identity: "full" }) {
  const { body: review, status } = await person.ask("POST", "/reviews", { call_id: callId, scorecard_id: scorecardId });
  expect([200, 201]).toContain(status);
  let { number } = review;
  for (const [question, value] of Object.entries(answers)) {
    const saved = await person.ask("PUT", `/reviews/${review.id}/answers/${question}`, { value }, number);
    number = saved.body.number;
  }
  const submitted = await person.ask("POST", `/reviews/${review.id}/submit`, undefined, number);
  expect(submitted.status).toBe(200);
  return submitted.body;
}

test("a review of a drawn call is a drawn review, and finishes its assignment", async () => {
  const person = await newReviewer();
  const { drawId } = await drawn([person]);
  const [first] = await openQueue(person);
  const review = await submit(person, first?.call_id ?? "");
  expect(review.selection).toBe("drawn");
  expect((await person.ask("GET", "/assignments/queue")).body).toMatchObject({ open: 1, done_this_week: 1 });
  const done = (await assignmentsOf(drawId)).find(({ id }) => id === first?.id);
  expect(done).toMatchObject({ state: "done", review_id: review.id });
  await supervisor.ask("POST", `/reviews/${review.id}/reopen`);
  expect((await person.ask("GET", "/assignments/queue")).body).toMatchObject({ open: 2, done_this_week: 0 });
});

test("a discarded draft is back on the queue", async () => {
  const person = await newReviewer();
  await drawn([person]);
  const [first] = await openQueue(person);
  const { body: review } = await person.ask("POST", "/reviews", { call_id: first?.call_id, scorecard_id: scorecardId });
  expect((await openQueue(person))[0]).toMatchObject({ id: first?.id, review_id: review.id });
  await person.ask("DELETE", `/reviews/${review.id}`);
  expect((await openQueue(person))[0]).toMatchObject({ id: first?.id, review_id: null });
});

test("drawn calls can be reviewed where reviewers cannot pick calls", async () => {
  const person = await newReviewer();
  await drawn([person], { calls: 3, per_agent: 1 });
  await admin.query(`update workspace set settings = settings || '{"reviewers_pick_calls": false}' where id = $1`, [
    workspaceId,
  ]);
  const [first] = await openQueue(person);
  const other = await admin.query("select id from call where agent_id = $1 and id <> $2", [
    first?.agent_id,
    first?.call_id,
  ]);
  const start = (call_id: string) => person.ask("POST", "/reviews", { call_id, scorecard_id: scorecardId });
  expect((await start(other.rows[0].id)).body).toMatchObject({ code: "picking_off" });
  expect((await start(first?.call_id ?? "")).status).toBe(201);
  await admin.query(`update workspace set settings = settings || '{"reviewers_pick_calls": true}' where id = $1`, [
    workspaceId,
  ]);
});

test("drawn calls are reviewed on a scorecard that was retired, or given to other campaigns, after the draw", async () => {
  const person = await newReviewer();
  const retiring = await tests.publish();
  await drawn([person], { calls: 3, per_agent: 1, scorecard_id: retiring });
  const [first] = await openQueue(person);
  const start = (call_id = "") => person.ask("POST", "/reviews", { call_id, scorecard_id: retiring });
  const isRefused = { status: 409, body: { code: "scorecard_not_for_call" } };
  const [picked] = await addReady([(await newAgent()).id]);
  for (const change of [{ retired: true }, { retired: false, campaign_ids: ["elsewhere"] }]) {
    await supervisor.ask("PATCH", `/scorecards/${retiring}`, change);
    expect(await start(picked)).toMatchObject(isRefused);
    const started = await start(first?.call_id);
    expect(started).toMatchObject({ status: 201, body: { selection: "drawn" } });
    await person.ask("DELETE", `/reviews/${started.body.id}`);
  }
});

test("the next ticket takes the place of a skipped call, and the proof contains both", async () => {
  const person = await newReviewer();
  const { drawId, agent } = await drawn([person], { calls: 3 });
  const [first] = await openQueue(person);
  const needsNote = await person.ask("POST", `/assignments/${first?.id}/skip`, { reason: "other" });
  expect(needsNote).toMatchObject({ status: 400, body: { code: "member_missing" } });
  const skip = (id = first?.id) => person.ask("POST", `/assignments/${id}/skip`, { reason: "inaudible" });
  expect((await skip()).body).toMatchObject({ state: "skipped", skipped: { reason: "inaudible" } });
  expect((await skip()).body).toMatchObject({ code: "assignment_closed" });
  const queue = await openQueue(person);
  expect(queue).toHaveLength(2);
  expect(queue.map(({ call_id }) => call_id)).not.toContain(first?.call_id);
  await isProven(drawId);
  // There is no fourth call.
  await skip(queue[0]?.id);
  expect(await openQueue(person)).toHaveLength(1);
  await isProven(drawId);
  expect((await agent.ask("GET", `/draws/${drawId}`)).body).toMatchObject({
    mine: { calls: 3, drawn: 3, skipped: 2 },
    skips: { inaudible: 2 },
  });
});

test("a call that is handed back goes to another reviewer of the plan, in the end to a supervisor", async () => {
  const [one, two] = [await newReviewer(), await newReviewer()];
  const { drawId } = await drawn([one, two], { per_agent: 1 });
  const [assignment] = await assignmentsOf(drawId);
  const [holder, other] = assignment?.reviewer_id === one.id ? [one, two] : [two, one];
  const handBack = (person: Person) => person.ask("POST", `/assignments/${assignment?.id}/hand-back`);
  expect((await handBack(other)).body).toMatchObject({ code: "assignment_not_found" });
  expect((await handBack(holder)).body).toMatchObject({ reviewer_id: other.id });
  expect((await handBack(holder)).status).toBe(404);
  expect((await handBack(other)).body).toMatchObject({ reviewer_id: null });
  expect(
    (await supervisor.ask("GET", `/assignments?reviewer_id=none&draw_id=${drawId}`)).body.assignments,
  ).toHaveLength(1);
  expect((await supervisor.ask("GET", `/draws/${drawId}`)).body.progress).toMatchObject({ open: 1, unassigned: 1 });
  const again = await supervisor.ask("PATCH", `/assignments/${assignment?.id}`, { reviewer_id: one.id });
  expect(again.body).toMatchObject({ reviewer_id: one.id });
  const { reviewers } = (await supervisor.ask("GET", `/draws/${drawId}/reviewers`)).body;
  expect(reviewers.find(({ user_id }: { user_id: string }) => user_id === one.id)).toMatchObject({
    open: 1,
    capacity: 10,
  });
});

test("nobody gets their own calls, those of the team that they lead, or both reviews of a call", async () => {
  const agent = await newAgent();
  const [lead, other] = [await newReviewer(), await newReviewer()];
  const team = (await supervisor.ask("POST", "/teams", { name: "Led" })).body.id;
  expect((await supervisor.ask("PATCH", `/teams/${team}`, { lead_id: lead.id })).body).toMatchObject({
    lead_id: lead.id,
  });
  await supervisor.ask("PATCH", `/users/${agent.id}`, { team_id: team });
  const planId = await createPlan({
    per_agent: 10,
    skip_team_lead: true,
    second_percent: 20,
    team_ids: [team],
    reviewers: [lead, other, reviewer].map(({ id }) => ({ user_id: id, capacity: 10 })),
  });
  await addReady(Array(10).fill(agent.id));
  const drawId = await draw(planId);
  const all = await assignmentsOf(drawId);
  expect(all).toHaveLength(12);
  expect(all.map(({ reviewer_id }) => reviewer_id)).not.toContain(lead.id);
  for (const second of all.filter(({ kind }) => kind === "second")) {
    const first = all.find(({ kind, call_id }) => kind === "first" && call_id === second.call_id);
    expect(second.reviewer_id).not.toBe(first?.reviewer_id);
    const swap = await supervisor.ask("PATCH", `/assignments/${second.id}`, { reviewer_id: first?.reviewer_id });
    expect(swap.body).toMatchObject({ code: "reviewer_excluded" });
  }
  const toLead = await supervisor.ask("PATCH", `/assignments/${all[0]?.id}`, { reviewer_id: lead.id });
  expect(toLead.body).toMatchObject({ code: "reviewer_excluded" });
});

test("a second review is blind: its reviewer does not see that it is one before submitting", async () => {
  const people = [await newReviewer(), await newReviewer()];
  const { drawId } = await drawn(people, { per_agent: 5, second_percent: 20 });
  const second = (await assignmentsOf(drawId)).find(({ kind }) => kind === "second");
  const person = people.find(({ id }) => id === second?.reviewer_id) as Person;
  const started = await person.ask("POST", "/reviews", { call_id: second?.call_id, scorecard_id: scorecardId });
  expect(started.body.selection).toBe("drawn");
  const listed = async (selection: string) =>
    (await person.ask("GET", `/reviews?state=draft&selection=${selection}`)).body.reviews.length;
  expect([await listed("second"), await listed("drawn")]).toEqual([0, 1]);
  let { number } = started.body;
  for (const [question, value] of Object.entries({ greeting: "yes", identity: "full" }))
    number = (await person.ask("PUT", `/reviews/${started.body.id}/answers/${question}`, { value }, number)).body
      .number;
  const submitted = await person.ask("POST", `/reviews/${started.body.id}/submit`, undefined, number);
  expect(submitted.body).toMatchObject({ selection: "second", state: "submitted" });
});

test("the call of a voided review is back on the queue, and reviewed once more for the draw", async () => {
  const person = await newReviewer();
  const { drawId } = await drawn([person], { per_agent: 1 });
  const [first] = await openQueue(person);
  const review = await submit(person, first?.call_id ?? "");
  await supervisor.ask("POST", `/reviews/${review.id}/void`, { reason: "The wrong customer" });
  expect(await openQueue(person)).toMatchObject([{ id: first?.id, review_id: null, done_at: null }]);
  expect((await supervisor.ask("GET", `/draws/${drawId}`)).body.progress).toMatchObject({ open: 1, done: 0 });
  expect((await submit(person, first?.call_id ?? "")).selection).toBe("drawn");
  expect((await supervisor.ask("GET", `/draws/${drawId}`)).body.progress).toMatchObject({ open: 0, done: 1 });
});

test("a voided second review goes to a person who has not seen the first", async () => {
  const people = [await newReviewer(), await newReviewer(), await newReviewer()];
  const { drawId } = await drawn(people, { per_agent: 5, second_percent: 20 });
  const second = (await assignmentsOf(drawId)).find(({ kind }) => kind === "second");
  const holder = people.find(({ id }) => id === second?.reviewer_id) as Person;
  const review = await submit(holder, second?.call_id ?? "");
  await supervisor.ask("POST", `/reviews/${review.id}/void`, { reason: "Interrupted" });
  const all = (await assignmentsOf(drawId)).filter(({ call_id }) => call_id === second?.call_id);
  expect(all.find(({ kind }) => kind === "second")).toMatchObject({ state: "open", review_id: null });
  expect(new Set([holder.id, ...all.map(({ reviewer_id }) => reviewer_id)]).size).toBe(3);
});

test("a drawn call that is given to another agent is replaced, and its review is a picked one", async () => {
  const person = await newReviewer();
  const { drawId, agent } = await drawn([person], { per_agent: 2, calls: 4 });
  const other = await newAgent();
  const [begun, untouched] = await openQueue(person);
  const { body: draft } = await person.ask("POST", "/reviews", { call_id: begun?.call_id, scorecard_id: scorecardId });
  for (const one of [begun, untouched]) {
    const given = await tests.admin.ask("PATCH", `/calls/${one?.call_id}`, { agent_id: other.id });
    expect(given.status).toBe(200);
  }
  await runDraws(app, workspaceId);
  const all = await assignmentsOf(drawId);
  expect(all.filter(({ state }) => state === "skipped")).toHaveLength(2);
  expect(all.filter(({ state, agent_id }) => state === "open" && agent_id === agent.id)).toHaveLength(2);
  await isProven(drawId);
  const submitted = await submit(person, begun?.call_id ?? "");
  expect(submitted).toMatchObject({ id: draft.id, selection: "picked", agent_id: other.id });
  expect((await submit(person, untouched?.call_id ?? "")).selection).toBe("picked");
  const entries = await admin.query(
    "select data from audit_entry where action = 'assignment.skipped' and data->>'reason' = 'wrong_agent'",
  );
  expect(entries.rowCount).toBe(2);
});

test("a review that names the agent of the draw becomes picked if the call changed hands unnoticed", async () => {
  const person = await newReviewer();
  const { drawId } = await drawn([person], { per_agent: 1, calls: 2 });
  const [first] = await openQueue(person);
  await person.ask("POST", "/reviews", { call_id: first?.call_id, scorecard_id: scorecardId });
  await admin.query("update call set agent_id = $1 where id = $2", [(await newAgent()).id, first?.call_id]);
  expect((await submit(person, first?.call_id ?? "")).selection).toBe("picked");
  expect((await assignmentsOf(drawId))[0]).toMatchObject({ state: "skipped", review_id: null });
});

test("a skipped call needs no second review", async () => {
  const people = [await newReviewer(), await newReviewer()];
  const { drawId } = await drawn(people, { per_agent: 5, calls: 5, second_percent: 20 });
  const second = (await assignmentsOf(drawId)).find(({ kind }) => kind === "second");
  const person = people.find(({ id }) => id === second?.reviewer_id) as Person;
  await person.ask("POST", "/reviews", { call_id: second?.call_id, scorecard_id: scorecardId });
  const first = (await assignmentsOf(drawId)).find((one) => one.kind === "first" && one.call_id === second?.call_id);
  await supervisor.ask("POST", `/assignments/${first?.id}/skip`, { reason: "inaudible" });
  const after = (await assignmentsOf(drawId)).filter(({ call_id }) => call_id === second?.call_id);
  expect(after.map(({ state, review_id }) => [state, review_id])).toEqual(Array(2).fill(["skipped", null]));
});

test("a call that two plans draw with one scorecard is reviewed once, by one reviewer", async () => {
  const people = [await newReviewer(), await newReviewer()];
  const agent = await newAgent();
  const reviewers = people.map(({ id }) => ({ user_id: id, capacity: 10 }));
  const plans = [await createPlan({ per_agent: 2, reviewers }), await createPlan({ per_agent: 2, reviewers })];
  await addReady([agent.id, agent.id]);
  const draws = [await draw(plans[0] ?? ""), await draw(plans[1] ?? "")];
  const [one, two] = [await assignmentsOf(draws[0] ?? ""), await assignmentsOf(draws[1] ?? "")];
  const holders = (all: Drawn[]) => Object.fromEntries(all.map(({ call_id, reviewer_id }) => [call_id, reviewer_id]));
  expect(holders(two)).toEqual(holders(one));
  const call = one[0] as Drawn;
  const review = await submit(people.find(({ id }) => id === call.reviewer_id) as Person, call.call_id);
  for (const drawId of draws) {
    const done = (await assignmentsOf(drawId)).find(({ call_id }) => call_id === call.call_id);
    expect(done).toMatchObject({ state: "done", review_id: review.id });
  }
});

test("two reviewers have drafts of a call that two plans drew: the first submission counts for both, the second is refused", async () => {
  const people = [await newReviewer(), await newReviewer()];
  const agent = await newAgent();
  const reviewers = people.map(({ id }) => ({ user_id: id, capacity: 10 }));
  const plans = [await createPlan({ per_agent: 1, reviewers }), await createPlan({ per_agent: 1, reviewers })];
  const [callId = ""] = await addReady([agent.id]);
  const draws = [await draw(plans[0] ?? ""), await draw(plans[1] ?? "")];
  const [[one], [two]] = [await assignmentsOf(draws[0] ?? ""), await assignmentsOf(draws[1] ?? "")];
  const holder = people.find(({ id }) => id === one?.reviewer_id) as Person;
  const other = people.find(({ id }) => id !== one?.reviewer_id) as Person;
  expect((await supervisor.ask("PATCH", `/assignments/${two?.id}`, { reviewer_id: other.id })).status).toBe(200);
  const drafts = [await answered({}, holder, callId), await answered({}, other, callId)];
  const submitDraft = (person: Person, at: number) =>
    person.ask("POST", `/reviews/${drafts[at]?.id}/submit`, undefined, drafts[at]?.number);
  expect((await submitDraft(other, 1)).body).toMatchObject({ selection: "drawn" });
  for (const drawId of draws)
    expect(await assignmentsOf(drawId)).toMatchObject([
      { state: "done", review_id: drafts[1]?.id, reviewer_id: other.id },
    ]);
  expect(await submitDraft(holder, 0)).toMatchObject({ status: 409, body: { code: "assignment_closed" } });
  expect((await holder.ask("DELETE", `/reviews/${drafts[0]?.id}`)).status).toBe(204);
  await supervisor.ask("POST", `/reviews/${drafts[1]?.id}/release`);
  const sums = await admin.query("select sum(scored)::int as n from agent_score_sum where agent_id = $1", [agent.id]);
  expect(sums.rows).toEqual([{ n: 1 }]);
});

test("a replacement that was reviewed for another plan is not reviewed again", async () => {
  const [one, two] = [await newReviewer(), await newReviewer()];
  const agent = await newAgent();
  const all = { per_agent: 3, reviewers: [{ user_id: one.id, capacity: 10 }] };
  const plans = [
    await createPlan(all),
    await createPlan({ per_agent: 1, reviewers: [{ user_id: two.id, capacity: 10 }] }),
  ];
  const callIds = await addReady(Array(3).fill(agent.id));
  const drawIds = [await draw(plans[0] ?? ""), await draw(plans[1] ?? "")];
  const [first] = await assignmentsOf(drawIds[1] ?? "");
  const others = callIds.filter((id) => id !== first?.call_id);
  const reviews = new Map<string, string>();
  for (const callId of others) reviews.set(callId, (await submit(one, callId)).id);
  const holder = first?.reviewer_id === one.id ? one : two;
  await holder.ask("POST", `/assignments/${first?.id}/skip`, { reason: "inaudible" });
  const replacement = (await assignmentsOf(drawIds[1] ?? ""))[1];
  expect(replacement).toMatchObject({ state: "done", review_id: reviews.get(replacement?.call_id ?? "") });
});

test("a call that was reviewed for another plan is not reviewed again", async () => {
  const person = await newReviewer();
  const agent = await newAgent();
  const reviewers = [{ user_id: person.id, capacity: 10 }];
  const plans = [await createPlan({ per_agent: 1, reviewers }), await createPlan({ per_agent: 1, reviewers })];
  const [callId = ""] = await addReady([agent.id]);
  await draw(plans[0] ?? "");
  const review = await submit(person, callId);
  expect(await assignmentsOf(await draw(plans[1] ?? ""))).toMatchObject([{ state: "done", review_id: review.id }]);
});

test("nobody gets a call that they have reviewed with the same scorecard", async () => {
  const [one, two] = [await newReviewer(), await newReviewer()];
  const agent = await newAgent();
  const reviewers = [one, two].map(({ id }) => ({ user_id: id, capacity: 10 }));
  const planId = await createPlan({ per_agent: 2, reviewers });
  const callIds = await addReady([agent.id, agent.id]);
  for (const callId of callIds) await submit(one, callId);
  const all = await assignmentsOf(await draw(planId));
  expect(all.map(({ reviewer_id }) => reviewer_id)).toEqual([two.id, two.id]);
  const back = await supervisor.ask("PATCH", `/assignments/${all[0]?.id}`, { reviewer_id: one.id });
  expect(back.body).toMatchObject({ code: "reviewer_excluded" });
  expect((await two.ask("POST", `/assignments/${all[0]?.id}/hand-back`)).body).toMatchObject({ reviewer_id: null });
});

test("if nobody else can review a call, the review that exists is the drawn one and counts once", async () => {
  const person = await newReviewer();
  const agent = await newAgent();
  const planId = await createPlan({ per_agent: 3, reviewers: [{ user_id: person.id, capacity: 10 }] });
  const [released = "", reopened = "", later = ""] = await addReady([agent.id, agent.id, agent.id]);
  const review = await submit(person, released);
  await supervisor.ask("POST", `/reviews/${review.id}/release`);
  const draft = await submit(person, reopened);
  await person.ask("POST", `/reviews/${draft.id}/reopen`);
  const { body: begun } = await person.ask("POST", "/reviews", { call_id: later, scorecard_id: scorecardId });
  const drawId = await draw(planId);
  const stateOf = async (callId: string) => (await assignmentsOf(drawId)).find(({ call_id }) => call_id === callId);
  expect(await stateOf(released)).toMatchObject({ state: "done", review_id: review.id, reviewer_id: person.id });
  expect(await stateOf(reopened)).toMatchObject({ state: "open", review_id: draft.id, reviewer_id: person.id });
  expect((await supervisor.ask("GET", `/reviews/${review.id}`)).body.selection).toBe("drawn");
  const sums = await admin.query(
    "select selection, sum(scored)::int as n from agent_score_sum where agent_id = $1 group by 1 having sum(scored) > 0",
    [agent.id],
  );
  expect(sums.rows).toEqual([{ selection: "drawn", n: 1 }]);
  expect((await submit(person, reopened)).selection).toBe("drawn");
  // Submitted without being started again: from a window that was open before the draw.
  let number = begun.number;
  for (const [question, value] of Object.entries({ greeting: "yes", identity: "full" }))
    number = (await person.ask("PUT", `/reviews/${begun.id}/answers/${question}`, { value }, number)).body.number;
  const submitted = await person.ask("POST", `/reviews/${begun.id}/submit`, undefined, number);
  expect(submitted.body).toMatchObject({ selection: "drawn" });
  expect((await supervisor.ask("GET", `/draws/${drawId}`)).body.progress).toMatchObject({ open: 0, done: 3 });
});

test("an erased call is replaced by the next ticket", async () => {
  const person = await newReviewer();
  const { drawId } = await drawn([person], { calls: 4, per_agent: 1 });
  const [first] = await openQueue(person);
  await admin.query("delete from call where id = $1", [first?.call_id]);
  const client = await admin.connect();
  await client.query("begin");
  await client.query("select set_config('hearback.workspace', $1, true), skip_assignments_of($2)", [
    workspaceId,
    [first?.call_id],
  ]);
  await client.query("commit");
  client.release();
  await runDraws(app, workspaceId);
  const [next, ...rest] = await openQueue(person);
  expect(rest).toEqual([]);
  expect(next?.call_id).not.toBe(first?.call_id);
  await isProven(drawId);
});

test("what a deactivated reviewer has on their queue waits for a supervisor", async () => {
  const person = await newReviewer();
  const { drawId, planId } = await drawn([person, reviewer], { per_agent: 4 });
  const own = (await assignmentsOf(drawId)).filter(({ reviewer_id }) => reviewer_id === person.id);
  expect(own).toHaveLength(2);
  const { admin: administrator } = tests;
  expect((await administrator.ask("PATCH", `/users/${person.id}`, { deactivated: true })).status).toBe(200);
  expect((await supervisor.ask("GET", `/draws/${drawId}`)).body.progress.unassigned).toBe(2);
  expect((await supervisor.ask("GET", `/plans/${planId}`)).body.reviewers).toHaveLength(1);
});

test("reviewers see their own queue only, and agents none", async () => {
  const [one, two] = [await newReviewer(), await newReviewer()];
  const { agent, drawId } = await drawn([one, two], { per_agent: 4 });
  const seen = [...(await openQueue(one)), ...(await openQueue(two))];
  expect(seen).toHaveLength(4);
  expect((await one.ask("GET", `/assignments?reviewer_id=${two.id}`)).body.assignments).toEqual([]);
  expect((await agent.ask("GET", "/assignments")).status).toBe(403);
  const plans = (await agent.ask("GET", "/plans")).body.plans;
  expect(plans.every((plan: { reviewers: unknown[] }) => plan.reviewers.length === 0)).toBe(true);
  expect((await agent.ask("GET", `/draws/${drawId}/reviewers`)).status).toBe(403);
});

const discarded = async (reviewId: string) =>
  (
    await admin.query("select data from audit_entry where action = 'review.discarded' and subject_id = $1", [reviewId])
  ).rows.map(({ data }) => data);

test("a complete draft is deleted by a reassignment only if the caller says so, and the audit log has it", async () => {
  const [one, two] = [await newReviewer(), await newReviewer()];
  await drawn([one, two], { per_agent: 2 });
  const [first] = [...(await openQueue(one)), ...(await openQueue(two))];
  const [holder, other] = first?.reviewer_id === one.id ? [one, two] : [two, one];
  const draft = await answered({}, holder, first?.call_id);
  const give = (to: Person, more = {}) =>
    supervisor.ask("PATCH", `/assignments/${first?.id}`, { reviewer_id: to.id, ...more });
  expect(await give(other)).toMatchObject({ status: 409, body: { code: "draft_complete" } });
  expect((await holder.ask("GET", `/reviews/${draft.id}`)).status).toBe(200);
  expect(await discarded(draft.id)).toEqual([]);
  expect(await give(other, { discard_draft: true })).toMatchObject({ status: 200, body: { review_id: null } });
  expect((await holder.ask("GET", `/reviews/${draft.id}`)).status).toBe(404);
  expect(await discarded(draft.id)).toEqual([{ call_id: first?.call_id }]);
});

test("drafts that are not complete are deleted with what they were started for, and the audit log has them", async () => {
  const person = await newReviewer();
  await drawn([person, await newReviewer()], { per_agent: 6 });
  const begun = async (assignment: Drawn | undefined) =>
    (await person.ask("POST", "/reviews", { call_id: assignment?.call_id, scorecard_id: scorecardId })).body.id;
  const [one, two, three] = await openQueue(person);
  const reviews = [await begun(one), await begun(two), await begun(three)];
  const other = await newReviewer();
  expect((await supervisor.ask("PATCH", `/assignments/${one?.id}`, { reviewer_id: other.id })).status).toBe(200);
  expect((await person.ask("POST", `/assignments/${two?.id}/skip`, { reason: "inaudible" })).status).toBe(200);
  expect((await person.ask("POST", `/assignments/${three?.id}/hand-back`)).status).toBe(200);
  for (const [at, { call_id } = { call_id: "" }] of [one, two, three].entries())
    expect(await discarded(reviews[at])).toEqual([{ call_id }]);
});
