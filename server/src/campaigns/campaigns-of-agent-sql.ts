import { sql } from "kysely";

/** SQL condition: the agent has calls in the campaign. The array makes PostgreSQL scan the agent's calls once, not once per campaign. */
export const campaignsOfAgent = (workspaceId: string, agentId: string) => sql<boolean>`campaign.id = any (array(
  select distinct campaign_id from call where workspace_id = ${workspaceId}::uuid and agent_id = ${agentId}::uuid))`;
