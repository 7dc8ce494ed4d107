import { scale } from "@hearback/portable/testing/scale";
import { expect, test } from "vitest";
import { openPlanTests } from "../testing/plans.ts";
import { openTestApp } from "../testing/test-app.ts";
import { createTestUser } from "../testing/users.ts";

const service = await openTestApp();
const { admin: database, app, caller } = service;
const { workspaceId } = caller;
const tests = await openPlanTests(service);
const { supervisor, admin, scorecardId, createPlan, addReady, draw, newAgent, newReviewer, answered, importOf } = tests;

/** Without an order of locks, at least one of eight pairs ended in a deadlock. */
const pairs = scale(8, 30, 200);

interface Drawn {
  /** Of the assignment. */
  readonly id: string;
  readonly callId: string;
  readonly review: { readonly id: string; readonly number: number };
}

const [agent, person, other] = [await newAgent(), await newReviewer(), await newReviewer()];

/** A draw of calls, and more calls that can take their place. */
async function drawnFor(reviewers: readonly { readonly id: string }[]) {
  const planId = await createPlan({
    per_agent: pairs,
    reviewers: reviewers.map(({ id }) => ({ user_id: id, capacity: 10 })),
  });
  await addReady(Array(2 * pairs).fill(agent.id));
  return draw(planId);
}

/** Calls on the queue of a reviewer, all of whose drafts are complete. */
async function withDrafts(): Promise<Drawn[]> {
  const drawId = await drawnFor([person, other]);
  await database.query("update assignment set reviewer_id = $1 where draw_id = $2 and state = 'open'", [
    person.id,
    drawId,
  ]);
  const { rows } = await database.query("select id, call_id from assignment where draw_id = $1", [drawId]);
  const drawn: Drawn[] = [];
  for (const { id, call_id: callId } of rows) drawn.push({ id, callId, review: await answered({}, person, callId) });
  return drawn;
}

type Request = (drawn: Drawn) => Promise<{ status: number }>;
const submit: Request = ({ review }) => person.ask("POST", `/reviews/${review.id}/submit`, undefined, review.number);
const reassign: Request = ({ id }) =>
  supervisor.ask("PATCH", `/assignments/${id}`, { reviewer_id: other.id, discard_draft: true });
const skip: Request = ({ id }) => supervisor.ask("POST", `/assignments/${id}/skip`, { reason: "inaudible" });
const handBack: Request = ({ id }) => person.ask("POST", `/assignments/${id}/hand-back`);
const start: Request = ({ callId }) => person.ask("POST", "/reviews", { call_id: callId, scorecard_id: scorecardId });
const discard: Request = ({ review }) => person.ask("DELETE", `/reviews/${review.id}`);
const otherAgent: Request = ({ callId }) => admin.ask("PATCH", `/calls/${callId}`, { agent_id: tests.agent.id });
const requests = { submit, reassign, skip, handBack, start, discard, otherAgent };

test.each([
  ["submit", "reassign"],
  ["submit", "skip"],
  ["submit", "handBack"],
  ["submit", "start"],
  ["submit", "otherAgent"],
  ["discard", "reassign"],
  ["start", "otherAgent"],
  ["skip", "otherAgent"],
] as const)(
  "%s and %s of one review at once do not wait for each other in a circle",
  async (one, two) => {
    const drawn = await withDrafts();
    await requireNoDeadlock(drawn.flatMap((of) => [requests[one](of), requests[two](of)]));
  },
  60_000,
);

async function requireNoDeadlock(answers: readonly Promise<{ status: number }>[]): Promise<void> {
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
}

const newStaff = () =>
  Promise.all(Array.from({ length: pairs }, () => createTestUser(app, workspaceId, { role: "reviewer" })));
const deactivate = (id: string) => admin.ask("PATCH", `/users/${id}`, { deactivated: true });

test("reviewers are deactivated while their calls are skipped", async () => {
  const staff = await newStaff();
  const drawId = await drawnFor(staff);
  const { rows } = await database.query("select id, reviewer_id from assignment where draw_id = $1", [drawId]);
  await requireNoDeadlock(
    rows.flatMap(({ id, reviewer_id }) => [
      supervisor.ask("POST", `/assignments/${id}/skip`, { reason: "inaudible" }),
      deactivate(reviewer_id),
    ]),
  );
}, 60_000);

test("experts are deactivated while they are removed from their calibration sessions", async () => {
  const [staff, { id: callId }] = [await newStaff(), await importOf()];
  const removals: (() => Promise<{ status: number }>)[] = [];
  for (const { id } of staff) {
    const session = { name: "Monday", scorecard_id: scorecardId, call_ids: [callId], expert_id: id };
    const participants = [id, person.id, other.id];
    const created = await supervisor.ask("POST", "/calibrations", { ...session, participant_ids: participants });
    expect(created.status).toBe(201);
    const change = { remove_participant_ids: [id], expert_id: null };
    removals.push(() => supervisor.ask("PATCH", `/calibrations/${created.body.id}`, change));
  }
  await requireNoDeadlock(removals.flatMap((remove, at) => [remove(), deactivate(staff[at]?.id ?? "")]));
}, 60_000);
