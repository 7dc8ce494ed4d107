import type { ChangePlanBody, CreatePlanBody } from "@hearback/contract";
import type { DrawRules } from "@hearback/draws/rules";
import { sql } from "kysely";
import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import type { WorkspaceActor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { changedFields } from "../platform/changed-fields.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { fieldInvalid } from "../platform/errors.ts";
import { newUuidV7 } from "../platform/uuid-v7.ts";
import { scorecardNotFound } from "../scorecards/errors.ts";
import { findScorecard } from "../scorecards/find-scorecard.ts";
import { commitDraws, withdrawNextDraw } from "./draws/commit-draws.ts";
import { planEnded, planLimitReached } from "./errors.ts";
import { findPlan, lockPlan, type PlanRow } from "./find-plan.ts";

const maxPlans = 100;

type PlanFields = Omit<CreatePlanBody, "name">;

/** The rules in the order of ids, so that equal rules have equal digests. */
export const rulesOf = (fields: PlanFields): DrawRules => ({
  scorecard_id: fields.scorecard_id,
  campaign_ids: [...new Set(fields.campaign_ids)].sort(),
  team_ids: [...new Set(fields.team_ids)].sort(),
  min_duration_s: fields.min_duration_s,
  max_duration_s: fields.max_duration_s,
  metadata: fields.metadata.map(({ key, value }) => ({ key, value })),
  per_agent: fields.per_agent,
  period: fields.period,
  time_zone: fields.time_zone,
  monthly_limit: fields.monthly_limit,
});

const columnsOf = (fields: PlanFields) => ({
  scorecardId: fields.scorecard_id,
  rules: JSON.stringify(rulesOf(fields)),
  dueDays: fields.due_days,
  secondPercent: fields.second_percent,
  skipTeamLead: fields.skip_team_lead,
  closeDelayHours: fields.close_delay_hours,
});

/** Creates a plan and commits to the draws of the current and the next period. */
export async function createPlan(app: App, by: WorkspaceActor, body: CreatePlanBody): Promise<PlanRow> {
  const { workspaceId, actor } = by;
  const id = newUuidV7();
  await inWorkspace(app, workspaceId, async (tx) => {
    await requireFields(tx, workspaceId, body);
    await sql`select pg_advisory_xact_lock(hashtext('hearback.plans'), hashtext(${workspaceId}))`.execute(tx);
    const { count } = await tx
      .selectFrom("reviewPlan")
      .select((rows) => rows.fn.countAll<number>().as("count"))
      .where("workspaceId", "=", workspaceId)
      .where("endedAt", "is", null)
      .executeTakeFirstOrThrow();
    if (count >= maxPlans) throw planLimitReached(maxPlans);
    await tx
      .insertInto("reviewPlan")
      .values({ workspaceId, id, name: body.name.trim(), ...columnsOf(body) })
      .execute();
    await saveReviewers(tx, workspaceId, id, body.reviewers);
    await recordAuditEntry(tx, workspaceId, { actor, action: "plan.created", subject: { type: "plan", id } });
  });
  // In a transaction of its own: the first period begins after the plan is visible to every worker.
  await commitDraws(app, workspaceId, id);
  return inWorkspace(app, workspaceId, (tx) => findPlan(tx, workspaceId, id));
}

/** Changes a plan. New rules apply to periods that have not begun; other settings until the frame is closed. */
export async function changePlan(
  app: App,
  by: WorkspaceActor,
  id: string,
  { ended, name, ...change }: ChangePlanBody,
): Promise<PlanRow> {
  const { workspaceId, actor } = by;
  await inWorkspace(app, workspaceId, async (tx) => {
    const before = await lockPlan(tx, workspaceId, id);
    if (before.endedAt) throw planEnded();
    const fieldsBefore = fieldsOf(before);
    const fields = { ...fieldsBefore, ...withoutUndefined(change) };
    await requireFields(tx, workspaceId, fields);
    const newName = name?.trim() ?? before.name;
    const changes = changedFields(
      { ...fieldsBefore, ...rulesOf(fieldsBefore), name: before.name },
      { ...fields, ...rulesOf(fields), name: newName },
    );
    const changed = Object.keys(changes);
    if (changed.length === 0 && !ended) return;
    await tx
      .updateTable("reviewPlan")
      .set({ ...columnsOf(fields), name: newName, ...(ended && { endedAt: sql<Date>`now()` }) })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .execute();
    if (change.reviewers) await saveReviewers(tx, workspaceId, id, change.reviewers);
    if (ended || hasOtherRules(fieldsBefore, fields)) await withdrawNextDraw(tx, before);
    const subject = { type: "plan", id };
    const action = ended ? "plan.ended" : "plan.changed";
    await recordAuditEntry(tx, workspaceId, { actor, action, subject, data: { changed } });
  });
  await commitDraws(app, workspaceId, id);
  return inWorkspace(app, workspaceId, (tx) => findPlan(tx, workspaceId, id));
}

const withoutUndefined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };

const hasOtherRules = (before: PlanFields, after: PlanFields) =>
  JSON.stringify(rulesOf(before)) !== JSON.stringify(rulesOf(after)) ||
  before.close_delay_hours !== after.close_delay_hours;

const fieldsOf = ({
  rules,
  reviewers,
  dueDays,
  secondPercent,
  skipTeamLead,
  closeDelayHours,
}: PlanRow): PlanFields => ({
  ...rules,
  campaign_ids: [...rules.campaign_ids],
  team_ids: [...rules.team_ids],
  metadata: [...rules.metadata],
  reviewers: reviewers.map(({ userId, capacity }) => ({ user_id: userId, capacity })),
  due_days: dueDays,
  second_percent: secondPercent,
  skip_team_lead: skipTeamLead,
  close_delay_hours: closeDelayHours,
});

async function saveReviewers(
  tx: Db,
  workspaceId: string,
  planId: string,
  reviewers: CreatePlanBody["reviewers"],
): Promise<void> {
  await tx.deleteFrom("planReviewer").where("workspaceId", "=", workspaceId).where("planId", "=", planId).execute();
  const rows = reviewers.map(({ user_id: userId, capacity }) => ({ workspaceId, planId, userId, capacity }));
  await tx.insertInto("planReviewer").values(rows).execute();
}

/** Throws unless scorecard, campaigns, teams and reviewers exist and fit together. */
async function requireFields(tx: Db, workspaceId: string, fields: PlanFields): Promise<void> {
  const { scorecard_id: scorecardId, min_duration_s: min, max_duration_s: max } = fields;
  if (min !== null && max !== null && min > max)
    throw fieldInvalid("max_duration_s", "too_small", "must not be smaller than min_duration_s");
  const scorecard = await findScorecard(tx, workspaceId, scorecardId);
  if (scorecard.latestVersion === null) throw scorecardNotFound(scorecardId);
  if (scorecard.retiredAt) throw fieldInvalid("scorecard_id", "retired", "must be a scorecard that is not retired");
  const other = fields.campaign_ids.find(
    (id) => scorecard.campaignIds.length > 0 && !scorecard.campaignIds.includes(id),
  );
  if (other !== undefined)
    throw fieldInvalid(
      "campaign_ids",
      "not_allowed",
      `must be campaigns of the scorecard; ${other} is not one of them`,
    );
  await requireExisting(tx, workspaceId, "campaign_ids", fields.campaign_ids, sql`select id from campaign`);
  await requireExisting(tx, workspaceId, "team_ids", fields.team_ids, sql`select id::text from team`);
  const ids = fields.reviewers.map(({ user_id: id }) => id);
  if (new Set(ids).size < ids.length) throw fieldInvalid("reviewers", "repeated", "must not name a person twice");
  const mayReview = sql`select id::text from (select * from app_user where role <> 'agent' and deactivated_at is null) as may_review`;
  await requireExisting(tx, workspaceId, "reviewers", ids, mayReview);
}

async function requireExisting(
  tx: Db,
  workspaceId: string,
  part: string,
  ids: readonly string[],
  select: ReturnType<typeof sql>,
): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await sql<{
    id: string;
  }>`${select} where workspace_id = ${workspaceId} and id::text = any (${[...ids]}::text[])`.execute(tx);
  const known = new Set(rows.map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown === undefined) return;
  const what = part === "reviewers" ? "active users who may review" : "ids of this workspace";
  throw fieldInvalid(part, "unknown", `must be ${what}; ${unknown} is not one of them`);
}
