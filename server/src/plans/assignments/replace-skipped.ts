import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { addSecondsOfReplacements } from "../draws/add-second-reviews.ts";
import { drawNext } from "../draws/draw-calls.ts";
import { keepReviewersOf } from "../draws/exclusions.ts";
import { type DrawRow, findDraw, lockDraw } from "../draws/find-draw.ts";
import { fulfilByOtherDraws } from "../draws/fulfil-assignments.ts";
import { chooseReviewer } from "./choose-reviewer.ts";

const batchSize = 100;

/**
 * Lets the next tickets of an agent take the place of skipped calls: as many as are missing. `except` do not get them.
 * Locks the draw, so that two replacements do not take the same ticket. The caller has locked the reviewers of the plan
 * (`keepReviewersOf`).
 */
export async function replaceSkipped(
  app: App,
  tx: Db,
  { workspaceId, id }: Pick<DrawRow, "workspaceId" | "id">,
  agentId: string,
  except: readonly string[] = [],
): Promise<void> {
  const draw = await lockDraw(tx, workspaceId, id);
  const agent = await tx
    .selectFrom("drawAgent")
    .select("take")
    .where("workspaceId", "=", workspaceId)
    .where("drawId", "=", id)
    .where("agentId", "=", agentId)
    .executeTakeFirst();
  const { before, usable } = await tx
    .selectFrom("assignment")
    .select([
      sql<number>`count(*)::int`.as("before"),
      sql<number>`(count(*) filter (where state <> 'skipped'))::int`.as("usable"),
    ])
    .where("workspaceId", "=", workspaceId)
    .where("drawId", "=", id)
    .where("agentId", "=", agentId)
    .where("kind", "=", "first")
    .executeTakeFirstOrThrow();
  const missing = (agent?.take ?? 0) - usable;
  if (missing <= 0) return;
  await drawNext(tx, draw, agentId, { take: missing, before });
  const replacements = tx
    .selectFrom("assignment")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .where("drawId", "=", id)
    .where("agentId", "=", agentId)
    .where("place", ">=", before);
  const callIds = (await replacements.execute()).map(({ callId }) => callId);
  await addSecondsOfReplacements(app, tx, draw, callIds);
  for (const assignment of await replacements.where("state", "=", "pending").orderBy("kind").execute()) {
    const reviewerId = (await chooseReviewer(tx, draw, assignment, except)) ?? null;
    await tx
      .updateTable("assignment")
      .set({ state: "open", reviewerId })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", assignment.id)
      .execute();
    await fulfilByOtherDraws(tx, workspaceId, [assignment.id]);
  }
}

/** Replaces drawn calls that were erased before they were reviewed, unless their review would be overdue. */
export async function replaceErased(app: App, workspaceId: string): Promise<void> {
  for (let found = 1; found > 0; )
    found = await inWorkspace(app, workspaceId, (tx) => replaceBatch(app, tx, workspaceId));
}

/** The calls of one draw. Returns how many. */
async function replaceBatch(app: App, tx: Db, workspaceId: string): Promise<number> {
  const next = await tx
    .selectFrom("assignment")
    .innerJoin("reviewDraw", (join) =>
      join
        .onRef("reviewDraw.workspaceId", "=", "assignment.workspaceId")
        .onRef("reviewDraw.id", "=", "assignment.drawId"),
    )
    .select("drawId")
    .where("assignment.workspaceId", "=", workspaceId)
    .where("toReplace", "=", true)
    // Before, the limit of second reviews is unknown.
    .where("reviewDraw.state", "=", "drawn")
    .orderBy("drawId")
    .limit(1)
    .executeTakeFirst();
  if (!next) return 0;
  const { drawId } = next;
  await keepReviewersOf(tx, await findDraw(tx, workspaceId, drawId));
  await lockDraw(tx, workspaceId, drawId);
  const { rows } = await sql<{ agentId: string; isLate: boolean }>`
    update assignment set to_replace = false where workspace_id = ${workspaceId} and id in (
      select id from assignment where workspace_id = ${workspaceId} and to_replace and draw_id = ${drawId}
      order by id limit ${batchSize} for no key update)
    returning agent_id, due_at < now() as is_late`.execute(tx);
  const agents = new Set(rows.filter(({ isLate }) => !isLate).map(({ agentId }) => agentId));
  for (const agentId of agents) await replaceSkipped(app, tx, { workspaceId, id: drawId }, agentId);
  return rows.length;
}
