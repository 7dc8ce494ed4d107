import { setTimeout as sleep } from "node:timers/promises";
import type { AssignmentBody, DrawBody, PlanBody } from "@hearback/contract";
import pg from "pg";
import type { Demo } from "./demo.ts";
import { asker, demoPeople, type Person, publish, reviewCall, signIn } from "./seed-reviews.ts";

/**
 * Creates a weekly plan, ends its first period and draws calls; one reviewer reviews, skips and leaves some. The next draw is
 * committed. Does nothing if the workspace has a plan.
 */
export async function seedPlans(baseUrl: string, demo: Demo, adminUrl: string): Promise<string> {
  const byKey = asker(baseUrl, { "x-api-key": demo.apiKey });
  const { plans } = await byKey<{ plans: object[] }>("GET", "/plans?ended=true&limit=1");
  if (plans.length > 0) return "The demo workspace has a review plan already.";
  const [rita, sam] = await Promise.all(
    demoPeople.reviewers.map((email) => signIn(baseUrl, email, demo.admin.password)),
  );
  if (!rita || !sam) return "The demo workspace has no reviewers.";
  const { id } = await byKey<PlanBody>("POST", "/plans", {
    name: "Support, weekly",
    scorecard_id: await publish(byKey),
    per_agent: 3,
    period: "week",
    time_zone: "Europe/Paris",
    second_percent: 10,
    close_delay_hours: 12,
    reviewers: [
      { user_id: rita.id, capacity: 15 },
      { user_id: sam.id, capacity: 10 },
    ],
  });
  await endPeriod(adminUrl, demo.workspaceId, id);
  const draw = await waitForDraw(byKey, id);
  if (!draw) return "Created a review plan. Its calls are drawn within five minutes.";
  await work(rita);
  return `Drew ${draw.progress?.open ?? 0} reviews from ${draw.calls} calls by the plan "Support, weekly", whose first period was ended early.`;
}

/** Ends the first period of the plan early, as if every call of the workspace had become ready in it. */
async function endPeriod(adminUrl: string, workspaceId: string, planId: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(
      `insert into ready_call (workspace_id, call_id) select workspace_id, id from call
        where workspace_id = $1 and status = 'ready'`,
      [workspaceId],
    );
    // Without the trigger that protects draws.
    await client.query("begin; set local session_replication_role = replica");
    const { rows } = await client.query<{ ends_at: Date }>(
      `update review_draw set ends_at = clock_timestamp(), closes_at = clock_timestamp()
        where plan_id = $1 and number = 1 returning ends_at`,
      [planId],
    );
    await client.query("update review_draw set starts_at = $2 where plan_id = $1 and number = 2", [
      planId,
      rows[0]?.ends_at,
    ]);
    await client.query("insert into outgoing_job (name, payload) values ('plans.run-draws', '{}')");
    await client.query("commit");
  } finally {
    await client.end();
  }
}

async function waitForDraw(byKey: Person["ask"], planId: string): Promise<DrawBody | undefined> {
  for (let tries = 0; tries < 60; tries++) {
    const { draws } = await byKey<{ draws: DrawBody[] }>("GET", `/draws?plan_id=${planId}`);
    const drawn = draws.find(({ state }) => state === "drawn");
    if (drawn) return drawn;
    await sleep(1000);
  }
  return undefined;
}

/** Reviews four calls of the queue and skips one. */
async function work(reviewer: Person): Promise<void> {
  const { assignments } = await reviewer.ask<{ assignments: AssignmentBody[] }>("GET", "/assignments?limit=5");
  for (const [index, { id, call_id: callId, scorecard_id: scorecardId }] of assignments.entries()) {
    if (index < 4) await reviewCall(reviewer, { callId, scorecardId, seed: 100 + index });
    else await reviewer.ask("POST", `/assignments/${id}/skip`, { reason: "inaudible", note: "Only noise." });
  }
}
