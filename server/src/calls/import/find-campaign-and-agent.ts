import { emailKey, type Role } from "@hearback/contract";
import { campaignIdsByName } from "../../campaigns/campaign-ids-by-name.ts";
import { campaignArchived, campaignNotFound } from "../../campaigns/errors.ts";
import type { App } from "../../platform/app.ts";
import { inBatchesByKey } from "../../platform/async/in-batches.ts";
import { onePer } from "../../platform/async/one-per.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { preparedStatement } from "../../platform/database/prepared-statement.ts";
import { type AppError, fieldInvalid } from "../../platform/errors.ts";
import { agentNotFound, userNotAgent } from "../../users/errors.ts";
import type { CallViewer } from "../call/find-call.ts";

/** The active campaign and the agent of a call. */
export interface CampaignAndAgent {
  readonly campaignId: string;
  readonly agent: { readonly id: string; readonly email: string; readonly name: string };
  /** Calls of deactivated agents are accepted, with a warning: recordings may arrive late. */
  readonly agentDeactivated: boolean;
  /** The workspace rejects calls from before this day. */
  readonly earliestDay: string | null;
}

interface Row {
  campaignId: string | null;
  archivedAt: Date | null;
  id: string | null;
  email: string | null;
  name: string | null;
  role: Role | null;
  isAgent: boolean | null;
  deactivatedAt: Date | null;
  earliestDay: string | null;
}

interface Wanted {
  readonly campaignId: string;
  readonly emailKey: string;
}

const keyOf = ({ campaignId, emailKey }: Wanted) => JSON.stringify([campaignId, emailKey]);

/** Lookups of a workspace that arrive while others are running share a query. */
const batchesOf = onePer((db: Db) =>
  inBatchesByKey((workspaceId, wanted: Wanted[]) => findRows(db, workspaceId, wanted), { maxItems: 64, maxWaitMs: 50 }),
);

async function findRows(db: Db, workspaceId: string, wanted: readonly Wanted[]): Promise<ReadonlyMap<string, Row>> {
  const distinct = [...new Map(wanted.map((one) => [keyOf(one), one]))];
  const emailKeys = distinct.map(([, { emailKey }]) => emailKey);
  // The statement is its own transaction. Lateral subqueries with a limit run after set_config(), on which row-level security
  // depends.
  const rows = await preparedStatement<Row & { at: number }>(db, "find-campaigns-and-agents")`
    with scope as materialized (select set_config('hearback.workspace', ${workspaceId}, true)::uuid as workspace_id)
    select wanted.at, campaign.id as campaign_id, campaign.archived_at, agent.id, agent.email, agent.name,
      agent.role, agent.is_agent, agent.deactivated_at, workspace.earliest_day
    from scope
    cross join unnest(${distinct.map(([, { campaignId }]) => campaignId)}::text[], ${emailKeys}::text[])
      with ordinality as wanted (campaign_id, email_key, at)
    left join lateral (
      select settings->>'earliest_conversation' as earliest_day from workspace where id = scope.workspace_id limit 1
    ) as workspace on true
    left join lateral (
      select id, archived_at from campaign
      where workspace_id = scope.workspace_id and id = wanted.campaign_id limit 1
    ) as campaign on true
    left join lateral (
      select id, email, name, role, (role = 'agent' or former_agent) as is_agent, deactivated_at from app_user
      where workspace_id = scope.workspace_id and email_key = wanted.email_key limit 1
    ) as agent on true`;
  return new Map(rows.map((row) => [distinct[row.at - 1]?.[0] ?? "", row]));
}

/** Finds campaign and agent in one query. The error says which of the two does not exist for this caller. */
export async function findCampaignAndAgent(
  app: App,
  { workspaceId, campaignIds }: CallViewer,
  campaignId: string,
  agentEmail: string,
  { namesRoles = false } = {},
): Promise<CampaignAndAgent> {
  const wanted = { campaignId, emailKey: emailKey(agentEmail) };
  const row = (await batchesOf(app.db)(workspaceId, wanted)).get(keyOf(wanted)) ?? noRow;
  const agentIssues = row.isAgent ? [] : errorOfAgent(row, agentEmail, namesRoles).issues;
  // Checked after the query, so that hidden and unknown campaigns take the same time.
  if (row.campaignId === null || (campaignIds && !campaignIds.includes(campaignId))) {
    const find = (tx: Db) => campaignIdsByName(tx, workspaceId, campaignId, { within: campaignIds });
    throw campaignNotFound(campaignId, await inWorkspace(app, workspaceId, find), agentIssues);
  }
  if (row.archivedAt) throw campaignArchived(campaignId, agentIssues);
  const { id, email, name, deactivatedAt, earliestDay } = row;
  if (!row.isAgent || id === null || email === null || name === null) {
    throw errorOfAgent(row, agentEmail, namesRoles);
  }
  const agent = { id, email, name };
  return { campaignId: row.campaignId, agent, agentDeactivated: deactivatedAt !== null, earliestDay };
}

function errorOfAgent({ role }: Row, email: string, namesRoles: boolean): AppError {
  if (role === null) return agentNotFound("agent_email", email, "import the call again");
  return userNotAgent("agent_email", email, namesRoles ? role : undefined);
}

/** Rejects calls older than the workspace's `earliest_conversation`. */
export function rejectTooEarly({ earliestDay }: CampaignAndAgent, happenedAt: Date): void {
  const day = happenedAt.toISOString().slice(0, 10);
  if (earliestDay === null || day >= earliestDay) return;
  const detail = `conversation_timestamp is on ${day}, but this workspace does not accept calls from before ${earliestDay} (UTC). Check the recorder's clock, or change the workspace setting earliest_conversation.`;
  throw fieldInvalid("conversation_timestamp", "before_earliest", detail);
}

const noAgent = { id: null, email: null, name: null, role: null, isAgent: null, deactivatedAt: null };
const noRow: Row = { campaignId: null, archivedAt: null, earliestDay: null, ...noAgent };
