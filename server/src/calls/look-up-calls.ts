import { type CallsFoundBody, emailKey, type Fingerprint } from "@hearback/contract";
import type { App } from "../platform/app.ts";
import type { Caller } from "../platform/caller.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace, steadyPlans } from "../platform/database/in-workspace.ts";
import { prepared } from "../platform/database/prepared.ts";
import { findAgentsByEmail } from "../users/find-agents.ts";
import { callId } from "./call-id.ts";

type FoundCall = CallsFoundBody["calls"][number];

/**
 * Says of each recording whether it is here already. A call's id follows from what it is, so this reads by primary key;
 * who asks under the agent and campaign that it was imported for finds it, whatever was corrected since.
 */
export async function lookUpCalls(app: App, caller: Caller, asked: readonly Fingerprint[]): Promise<FoundCall[]> {
  const { workspaceId } = caller;
  return inWorkspace(
    app,
    workspaceId,
    async (tx) => {
      const agents = await findAgentsByEmail(
        tx,
        workspaceId,
        asked.map(({ agent_email }) => agent_email),
      );
      const campaigns = await findCampaigns(tx, caller, [...new Set(asked.map(({ campaign_id }) => campaign_id))]);
      const named = asked.map((fingerprint) => identify(workspaceId, fingerprint, agents, campaigns));
      const statuses = await findStatuses(
        tx,
        caller,
        [...new Set(named.map(({ id }) => id))].filter((id) => id !== null),
      );
      return named.map((one) => (one.id === null ? one : { id: one.id, ...answer(statuses.get(one.id)) }));
    },
    steadyPlans,
  );
}

function answer(status: string | undefined): Omit<FoundCall, "id"> {
  if (status === undefined) return { status: "missing", reason: "not_imported" };
  if (status === "erased") return { status };
  return { status: status === "failed" ? "failed" : "present" };
}

function identify(
  workspaceId: string,
  { sha256, conversation_timestamp, agent_email, campaign_id }: Fingerprint,
  agents: ReadonlyMap<string, string>,
  campaigns: ReadonlySet<string>,
): FoundCall {
  if (!campaigns.has(campaign_id)) return { status: "missing", id: null, reason: "campaign_not_found" };
  const agentId = agents.get(emailKey(agent_email));
  if (!agentId) return { status: "missing", id: null, reason: "agent_not_found" };
  const happenedAt = new Date(conversation_timestamp * 1000);
  const bytes = Buffer.from(sha256, "hex");
  const id = callId({ workspaceId, campaignId: campaign_id, agentId, happenedAt, sha256: bytes });
  return { status: "missing", id };
}

/** Those of the campaigns that exist for this caller. */
async function findCampaigns(tx: Db, { workspaceId, campaignIds }: Caller, ids: string[]): Promise<Set<string>> {
  const allowed = campaignIds ? ids.filter((id) => campaignIds.includes(id)) : ids;
  const rows = await prepared<{ id: string }>(tx, "find-campaigns")`
    select id from campaign where workspace_id = ${workspaceId}::uuid and id = any (${allowed}::text[])`;
  return new Set(rows.map(({ id }) => id));
}

async function findStatuses(tx: Db, { workspaceId, campaignIds }: Caller, ids: string[]): Promise<Map<string, string>> {
  const rows = await prepared<{ id: string; status: string }>(tx, "find-call-statuses")`
    select call.id, call.status from unnest(${ids}::uuid[]) as wanted (id)
    cross join lateral (
      select id, status, campaign_id from call where workspace_id = ${workspaceId}::uuid and id = wanted.id limit 1
    ) as call
    where ${campaignIds}::text[] is null or call.campaign_id = any (${campaignIds}::text[])
    union all
    select erased.id, 'erased' from unnest(${ids}::uuid[]) as wanted (id)
    cross join lateral (
      select id from erased_call where workspace_id = ${workspaceId}::uuid and id = wanted.id limit 1
    ) as erased`;
  // One that is there is there, whatever else is remembered of it.
  const erasedFirst = rows.toSorted(
    (one, other) => Number(other.status === "erased") - Number(one.status === "erased"),
  );
  return new Map(erasedFirst.map(({ id, status }) => [id, status]));
}
