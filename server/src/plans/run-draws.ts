import { sql } from "kysely";
import { z } from "zod";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { defineJob } from "../platform/queue/queue.ts";
import { forEachWorkspace } from "../workspaces/for-each-workspace.ts";
import { replaceErased } from "./assignments/replace-skipped.ts";
import { assignDraw } from "./draws/assign-draw.ts";
import { collectCalls } from "./draws/collect-calls.ts";
import { commitDraws } from "./draws/commit-draws.ts";
import { drawAgents } from "./draws/draw-calls.ts";
import { type DrawRow, findDraw } from "./draws/find-draw.ts";
import { hashAgents } from "./draws/hash-agents.ts";
import { publishSecondKeys } from "./draws/publish-second-keys.ts";

const batchSize = 5_000;

/** Each step can be interrupted and repeated; its last transaction moves the draw to the next state. */
const steps: Readonly<Record<string, (app: App, draw: DrawRow, signal?: AbortSignal) => Promise<void>>> = {
  committed: collectCalls,
  collecting: collectCalls,
  hashing: hashAgents,
  closed: drawAgents,
  assigning: assignDraw,
};

/** Closes the frame of a draw and draws its calls. Does nothing more if another worker is doing it. */
export async function runDraw(app: App, workspaceId: string, id: string, signal?: AbortSignal): Promise<void> {
  for (let former: string | undefined; ; ) {
    signal?.throwIfAborted();
    const draw = await inWorkspace(app, workspaceId, (tx) => findDraw(tx, workspaceId, id));
    const step = steps[draw.state];
    if (!step || draw.state === former) return;
    former = draw.state;
    await step(app, draw, signal);
  }
}

/**
 * Commits to new draws, runs those that are due, replaces drawn calls that were erased, and publishes second keys. What fails does not keep the rest from
 * running; all failures are thrown at the end.
 */
export async function runDraws(app: App, workspaceId: string, signal?: AbortSignal): Promise<number> {
  const { plans, due } = await inWorkspace(app, workspaceId, async (tx) => ({
    plans: await tx
      .selectFrom("reviewPlan")
      .select("id")
      .where("workspaceId", "=", workspaceId)
      .where("endedAt", "is", null)
      .execute(),
    due: await tx
      .selectFrom("reviewDraw")
      .select("id")
      .where("workspaceId", "=", workspaceId)
      .where("state", "!=", "drawn")
      .where("closesAt", "<=", sql<Date>`now()`)
      .orderBy("closesAt")
      .limit(1000)
      .execute(),
  }));
  const failures: unknown[] = [];
  const attempt = async (work: Promise<void>) => {
    await work.catch((error) => failures.push(error));
    signal?.throwIfAborted();
  };
  for (const { id } of plans) await attempt(commitDraws(app, workspaceId, id));
  for (const { id } of due) await attempt(runDraw(app, workspaceId, id, signal));
  await attempt(replaceErased(app, workspaceId));
  await attempt(publishSecondKeys(app, workspaceId, signal));
  await attempt(removeOldReadyCalls(app, workspaceId, signal));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} steps of the draws failed`);
  return due.length;
}

/** Deletes candidates that no frame can contain any longer. */
async function removeOldReadyCalls(app: App, workspaceId: string, signal?: AbortSignal): Promise<void> {
  for (let removed = batchSize; removed === batchSize; ) {
    signal?.throwIfAborted();
    removed = await inWorkspace(app, workspaceId, async (tx) => {
      const { numAffectedRows } = await sql`
        delete from ready_call where workspace_id = ${workspaceId} and (ready_at, call_id) in (
          select ready_at, call_id from ready_call where workspace_id = ${workspaceId}
            and ready_at < coalesce((select min(starts_at) from review_draw where workspace_id = ${workspaceId} and state <> 'drawn'),
              now()) - interval '1 day'
          order by ready_at, call_id limit ${batchSize})`.execute(tx);
      return Number(numAffectedRows ?? 0);
    });
  }
}

export const runAllDraws = defineJob({
  name: "plans.run-draws",
  schedule: "*/5 * * * *",
  payload: z.object({}).nullish(),
  async run(app, _, signal) {
    await forEachWorkspace(app, signal, async (workspaceId) => {
      const draws = await runDraws(app, workspaceId, signal);
      if (draws > 0) app.log.info({ workspaceId, draws }, "drew calls for review");
    });
  },
});
