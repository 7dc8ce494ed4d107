import { sql } from "kysely";

/** Whether the agent has calls in the campaign. As an array: their calls are walked once, not those of every campaign. */
export const ofAgent = (workspaceId: string, agentId: string) => sql<boolean>`campaign.id = any (array(
  select distinct campaign_id from call where workspace_id = ${workspaceId}::uuid and agent_id = ${agentId}::uuid))`;
