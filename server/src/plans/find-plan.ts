import type { PlanBody } from "@hearback/contract";
import type { DrawRules } from "@hearback/draws/rules";
import { type Selectable, sql } from "kysely";
import type { Caller } from "../platform/caller.ts";
import type { Db } from "../platform/database/database.ts";
import { toPage } from "../platform/database/pages.ts";
import type { ReviewPlan } from "../platform/database/tables.ts";
import { isUuid } from "../platform/is-uuid.ts";
import { planNotFound } from "./errors.ts";

export interface PlanReviewer {
  readonly userId: string;
  readonly capacity: number;
}

export type PlanRow = Omit<Selectable<ReviewPlan>, "rules"> & {
  readonly rules: DrawRules;
  readonly reviewers: readonly PlanReviewer[];
  /** Whether the draw of the current period has other rules. */
  readonly pending: boolean;
};

const selectPlans = (tx: Db, workspaceId: string) =>
  tx
    .selectFrom("reviewPlan")
    .selectAll("reviewPlan")
    .select([
      sql<
        PlanReviewer[]
      >`coalesce((select jsonb_agg(jsonb_build_object('userId', user_id, 'capacity', capacity) order by user_id)
        from plan_reviewer as r where r.workspace_id = review_plan.workspace_id and r.plan_id = review_plan.id), '[]')`.as(
        "reviewers",
      ),
      sql<boolean>`coalesce((select d.rules <> review_plan.rules from review_draw as d
        where d.workspace_id = review_plan.workspace_id and d.plan_id = review_plan.id and d.starts_at <= now()
        order by number desc limit 1), false)`.as("pending"),
    ])
    .where("workspaceId", "=", workspaceId)
    .$castTo<PlanRow>();

export async function findPlan(tx: Db, workspaceId: string, id: string): Promise<PlanRow> {
  const found = isUuid(id) ? await selectPlans(tx, workspaceId).where("id", "=", id).executeTakeFirst() : undefined;
  if (!found) throw planNotFound();
  return found;
}

/** Prevents changes of the plan, and concurrent draws of it, until the transaction ends. */
export async function lockPlan(tx: Db, workspaceId: string, id: string): Promise<PlanRow> {
  if (!isUuid(id)) throw planNotFound();
  await sql`select from review_plan where workspace_id = ${workspaceId} and id = ${id} for no key update`.execute(tx);
  return findPlan(tx, workspaceId, id);
}

export interface ListPlansInput {
  readonly ended: boolean;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Lists plans, newest first. */
export async function listPlans(tx: Db, workspaceId: string, { ended, cursor, limit }: ListPlansInput) {
  const found = await selectPlans(tx, workspaceId)
    .$if(!ended, (rows) => rows.where("endedAt", "is", null))
    .$if(cursor !== undefined, (rows) => rows.where("id", "<", cursor ?? ""))
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const { rows: plans, next } = toPage(found, limit, ({ id }) => id);
  return { plans, next };
}

/** Agents do not see who reviews. */
export function toPlanBody(plan: PlanRow, caller: Caller): PlanBody {
  const isAgent = caller.kind === "session" && caller.role === "agent";
  const { id, name, rules, reviewers, dueDays, secondPercent, skipTeamLead, closeDelayHours } = plan;
  return {
    id,
    name,
    ...rules,
    campaign_ids: [...rules.campaign_ids],
    team_ids: [...rules.team_ids],
    metadata: [...rules.metadata],
    reviewers: isAgent ? [] : reviewers.map(({ userId, capacity }) => ({ user_id: userId, capacity })),
    due_days: dueDays,
    second_percent: secondPercent,
    skip_team_lead: skipTeamLead,
    close_delay_hours: closeDelayHours,
    created_at: plan.createdAt.toISOString(),
    ended_at: plan.endedAt?.toISOString() ?? null,
    pending: plan.pending && plan.endedAt === null,
  };
}
