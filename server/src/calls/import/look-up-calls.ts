import { type CallsFoundBody, emailKey, type Fingerprint } from "@hearback/contract";
import type { App } from "../../platform/app.ts";
import type { Caller } from "../../platform/caller.ts";
import type { Db } from "../../platform/database/database.ts";
import { genericPlanSettings, inWorkspace } from "../../platform/database/in-workspace.ts";
import { preparedStatement } from "../../platform/database/prepared-statement.ts";
import { findUsersByEmail } from "../../users/find-agents.ts";
import { callId } from "../call/call-id.ts";
import { lostRecordingCodes } from "../prepare/recording-fault.ts";

type FoundCall = CallsFoundBody["calls"][number];

/**
 * Returns for each recording whether it was imported. Call ids are deterministic, so this is a primary-key lookup. It finds a
 * call by the agent and campaign of its import, even if they were changed later.
 */
export async function lookUpCalls(
  app: App,
  caller: Caller,
  fingerprints: readonly Fingerprint[],
): Promise<FoundCall[]> {
  const { workspaceId } = caller;
  return inWorkspace(
    app,
    workspaceId,
    async (tx) => {
      const agents = await findUsersByEmail(
        tx,
        workspaceId,
        fingerprints.map(({ agent_email }) => agent_email),
      );
      const campaigns = await findCampaigns(tx, caller, [
        ...new Set(fingerprints.map(({ campaign_id }) => campaign_id)),
      ]);
      const calls = fingerprints.map((fingerprint) => identify(workspaceId, fingerprint, agents, campaigns));
      const statuses = await findStatuses(
        tx,
        caller,
        [...new Set(calls.map(({ id }) => id))].filter((id) => id !== null),
      );
      return calls.map((call) => (call.id === null ? call : { id: call.id, ...answer(statuses.get(call.id)) }));
    },
    genericPlanSettings,
  );
}

function answer(status: string | undefined): Omit<FoundCall, "id"> {
  if (status === undefined) return { status: "missing", reason: "not_imported" };
  if (status === "lost") return { status: "missing", reason: "recording_lost" };
  if (status === "erased") return { status };
  return { status: status === "failed" ? "failed" : "present" };
}

function identify(
  workspaceId: string,
  { sha256, conversation_timestamp, agent_email, campaign_id }: Fingerprint,
  agents: ReadonlyMap<string, { readonly id: string; readonly isAgent: boolean }>,
  campaigns: ReadonlySet<string>,
): FoundCall {
  if (!campaigns.has(campaign_id)) return { status: "missing", id: null, reason: "campaign_not_found" };
  const agent = agents.get(emailKey(agent_email));
  if (!agent) return { status: "missing", id: null, reason: "agent_not_found" };
  if (!agent.isAgent) return { status: "missing", id: null, reason: "user_not_agent" };
  const happenedAt = new Date(conversation_timestamp * 1000);
  const bytes = Buffer.from(sha256, "hex");
  const id = callId({ workspaceId, campaignId: campaign_id, agentId: agent.id, happenedAt, sha256: bytes });
  return { status: "missing", id };
}

/** Returns the campaigns that exist and are visible to this caller. */
async function findCampaigns(tx: Db, { workspaceId, campaignIds }: Caller, ids: string[]): Promise<Set<string>> {
  const allowed = campaignIds ? ids.filter((id) => campaignIds.includes(id)) : ids;
  const rows = await preparedStatement<{ id: string }>(tx, "find-campaigns")`
    select id from campaign where workspace_id = ${workspaceId}::uuid and id = any (${allowed}::text[])`;
  return new Set(rows.map(({ id }) => id));
}

async function findStatuses(tx: Db, { workspaceId, campaignIds }: Caller, ids: string[]): Promise<Map<string, string>> {
  const rows = await preparedStatement<{ id: string; status: string }>(tx, "find-call-statuses")`
    select call.id, case when call.lost then 'lost' else call.status end as status from unnest(${ids}::uuid[]) as wanted (id)
    cross join lateral (
      select id, status, campaign_id,
        recording_damage is not null or coalesce(failure_code = any (${[...lostRecordingCodes]}::text[]), false) as lost
      from call where workspace_id = ${workspaceId}::uuid and id = wanted.id limit 1
    ) as call
    where ${campaignIds}::text[] is null or call.campaign_id = any (${campaignIds}::text[])
    union all
    select erased.id, 'erased' from unnest(${ids}::uuid[]) as wanted (id)
    cross join lateral (
      select id from erased_call where workspace_id = ${workspaceId}::uuid and id = wanted.id limit 1
    ) as erased`;
  // Erased entries come first, so that an existing call overrides its tombstone in the map.
  const erasedFirst = rows.toSorted((a, b) => Number(b.status === "erased") - Number(a.status === "erased"));
  return new Map(erasedFirst.map(({ id, status }) => [id, status]));
}
