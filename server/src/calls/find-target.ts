import { emailKey } from "@hearback/contract";
import type { App } from "../platform/app.ts";
import { prepared } from "../platform/database/prepared.ts";
import { AppError } from "../platform/errors.ts";
import type { CallViewer } from "./find-call.ts";

/** Where a call belongs: a campaign that takes calls, and an agent. */
export interface Target {
  readonly campaignId: string;
  readonly agent: { readonly id: string; readonly email: string; readonly name: string };
  /** The agent does not work here any more. Calls of before may still come. */
  readonly agentDeactivated: boolean;
}

interface Row {
  campaignId: string | null;
  archivedAt: Date | null;
  id: string | null;
  email: string | null;
  name: string | null;
  deactivatedAt: Date | null;
}

/** Finds campaign and agent in one question, or says which is not there for this caller. */
export async function findTarget(
  app: App,
  { workspaceId, campaignIds }: CallViewer,
  campaignId: string,
  agentEmail: string,
): Promise<Target> {
  // The statement is its own transaction. The subqueries are lateral and limited, so that they are read after the
  // setting that lets them see the workspace.
  const rows = await prepared<Row>(app.db, "find-target")`
    with scope as materialized (select set_config('hearback.workspace', ${workspaceId}, true)::uuid as workspace_id)
    select campaign.id as campaign_id, campaign.archived_at, agent.id, agent.email, agent.name, agent.deactivated_at
    from scope
    left join lateral (
      select id, archived_at from campaign
      where workspace_id = scope.workspace_id and id = ${campaignId} limit 1
    ) as campaign on true
    left join lateral (
      select id, email, name, deactivated_at from app_user
      where workspace_id = scope.workspace_id and email_key = ${emailKey(agentEmail)}
        and (role = 'agent' or former_agent) limit 1
    ) as agent on true`;
  const { archivedAt, deactivatedAt, ...found } = rows[0] ?? nothing;
  // Asked all the same: a campaign outside the restriction takes as long as one that is not there.
  if (found.campaignId === null || (campaignIds && !campaignIds.includes(campaignId))) {
    throw notFound("campaign_not_found", "campaign_id", `There is no campaign "${campaignId}" in this workspace.`);
  }
  if (archivedAt) {
    throw notFound("campaign_archived", "campaign_id", `The campaign "${campaignId}" is archived and takes no calls.`);
  }
  const { id, email, name } = found;
  if (id === null || email === null || name === null) {
    const detail = `There is no agent "${agentEmail}" in this workspace. Create it with POST /users/invite, then import the call again.`;
    throw notFound("agent_not_found", "agent_email", detail);
  }
  return { campaignId: found.campaignId, agent: { id, email, name }, agentDeactivated: deactivatedAt !== null };
}

const nothing: Row = { campaignId: null, archivedAt: null, id: null, email: null, name: null, deactivatedAt: null };

const notFound = (code: "campaign_not_found" | "campaign_archived" | "agent_not_found", part: string, detail: string) =>
  new AppError(code, detail, { issues: [{ part, code: "not_found", detail }] });
