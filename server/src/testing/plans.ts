import { randomUUID } from "node:crypto";
import type { PlanInput } from "@hearback/contract";
import { callsReady } from "../calls/hooks.ts";
import { runDraws } from "../plans/run-draws.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { runHandlers } from "../platform/hooks.ts";
import { insertCalls } from "./insert-calls.ts";
import { openPerson, openReviewTests, type Person } from "./reviews.ts";
import type { TestApp } from "./test-app.ts";

/** People, plans, calls that are ready, and periods that end when the test says so. */
export async function openPlanTests(service: TestApp) {
  const { app, admin, caller, campaignId } = service;
  const { workspaceId } = caller;
  const reviews = await openReviewTests(service);
  const { supervisor, reviewer, scorecardId } = reviews;
  let seed = 1;

  async function createPlan(change: Partial<PlanInput> = {}): Promise<string> {
    const { status, body } = await supervisor.ask("POST", "/plans", {
      name: `Weekly ${seed++}`,
      scorecard_id: scorecardId,
      per_agent: 2,
      period: "week",
      time_zone: "Europe/Paris",
      reviewers: [{ user_id: reviewer.id, capacity: 40 }],
      ...change,
    });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body.id;
  }

  /** Inserts calls that have just become ready. */
  async function addReady(
    agentIds: readonly string[],
    change: Partial<Parameters<typeof insertCalls>[1][number]> = {},
  ) {
    const calls = agentIds.map((agentId) => ({
      workspaceId,
      campaignId,
      agentId,
      happenedAt: new Date(Date.UTC(2026, 4, 1) + seed * 60_000),
      importedAt: new Date(),
      status: "ready" as const,
      durationMs: 60_000,
      metadata: [],
      seed: seed++,
      ...change,
    }));
    const ids = await insertCalls(admin, calls);
    await inWorkspace(app, workspaceId, (tx) => runHandlers(app, tx, callsReady, { workspaceId, callIds: ids }));
    return ids;
  }

  const currentDraw = async (planId: string): Promise<string> => {
    const { rows } = await admin.query(
      "select id from review_draw where plan_id = $1 and starts_at <= now() order by number desc limit 1",
      [planId],
    );
    return rows[0].id;
  };

  /** Ends the current period of the plan now, and begins the next one. Returns the draw that is to be closed. */
  async function endPeriod(planId: string): Promise<string> {
    const id = await currentDraw(planId);
    const client = await admin.connect();
    try {
      // Without the trigger that protects draws.
      await client.query("begin; set local session_replication_role = replica");
      // In whole milliseconds, as all periods do, and after every call that is ready, also if the machine's clock was set back.
      const { rows } = await client.query(
        `select date_trunc('milliseconds', greatest(clock_timestamp(), max(ready_at))) + interval '1 millisecond' as end
          from ready_call where workspace_id = $1`,
        [workspaceId],
      );
      await client.query("update review_draw set ends_at = $2, closes_at = $2 where id = $1", [id, rows[0].end]);
      await client.query("select pg_sleep(extract(epoch from $1 - clock_timestamp()))", [rows[0].end]);
      await client.query(
        "update review_draw set starts_at = (select ends_at from review_draw where id = $1) where plan_id = $2 and starts_at > now()",
        [id, planId],
      );
      await client.query("commit");
    } finally {
      client.release();
    }
    return id;
  }

  /** Ends the period and runs the job. Returns the id of the draw. */
  async function draw(planId: string): Promise<string> {
    const id = await endPeriod(planId);
    await runDraws(app, workspaceId);
    return id;
  }

  const newAgent = (): Promise<Person> => openPerson(service, "agent");
  const newReviewer = (): Promise<Person> => openPerson(service, "reviewer");
  return {
    ...reviews,
    createPlan,
    addReady,
    currentDraw,
    endPeriod,
    draw,
    newAgent,
    newReviewer,
    randomId: randomUUID,
  };
}
