import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import type { DrawRow } from "./find-draw.ts";
import type { Staffing } from "./hash-agents.ts";

export interface Exclusions {
  /** Those of the plan's reviewers who may still review. */
  readonly reviewers: readonly { readonly id: string; readonly capacity: number }[];
  /** Nobody reviews their own calls or, if the plan says so, those of the team that they lead. */
  readonly isExcluded: (reviewerId: string, agentId: string) => boolean;
}

export async function findExclusions(tx: Db, draw: DrawRow, agentIds: ReadonlySet<string>): Promise<Exclusions> {
  const { workspaceId } = draw;
  const staffing = draw.staffing as unknown as Staffing;
  const ids = staffing.reviewers.map(({ userId }) => userId);
  const active = await sql<{ id: string }>`
    select id from app_user where workspace_id = ${workspaceId} and id = any (${ids}::uuid[]) and role <> 'agent'
      and deactivated_at is null`.execute(tx);
  const mayReview = new Set(active.rows.map(({ id }) => id));
  const leads = staffing.skipTeamLead ? await findLeads(tx, workspaceId, agentIds) : new Map<string, string>();
  return {
    reviewers: staffing.reviewers
      .filter(({ userId }) => mayReview.has(userId))
      .map(({ userId, capacity }) => ({ id: userId, capacity })),
    isExcluded: (reviewerId, agentId) => reviewerId === agentId || leads.get(agentId) === reviewerId,
  };
}

/**
 * Those of the users who may review. Nobody can deactivate them until the transaction ends. Call it before reviews are locked: a
 * deactivation locks the user, and then what is on their queue.
 */
export async function keepReviewers(tx: Db, workspaceId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from app_user where workspace_id = ${workspaceId} and id = any (${[...ids]}::uuid[]) and role <> 'agent'
      and deactivated_at is null
    order by id for share`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

export const keepReviewersOf = (tx: Db, { workspaceId, staffing }: DrawRow): Promise<ReadonlySet<string>> =>
  keepReviewers(
    tx,
    workspaceId,
    (staffing as unknown as Staffing).reviewers.map(({ userId }) => userId),
  );

/** The lead of each agent's team. */
async function findLeads(tx: Db, workspaceId: string, agentIds: ReadonlySet<string>): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; leadId: string }>`
    select u.id, t.lead_id from app_user as u join team as t on t.workspace_id = u.workspace_id and t.id = u.team_id
    where u.workspace_id = ${workspaceId} and u.id = any (${[...agentIds]}::uuid[]) and t.lead_id is not null`.execute(
    tx,
  );
  return new Map(rows.map(({ id, leadId }) => [id, leadId]));
}
