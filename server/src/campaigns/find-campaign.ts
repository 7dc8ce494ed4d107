import { CampaignId } from "@hearback/contract";
import type { Db } from "../platform/database/database.ts";
import { AppError } from "../platform/errors.ts";
import type { Campaign } from "./campaign-body.ts";
import { ofAgent } from "./of-agent.ts";

interface Finding {
  /** The campaigns that exist for who asks; null: all of the workspace. */
  readonly within: readonly string[] | null;
  /** The agent for whom those alone exist in which they have calls. */
  readonly agentId?: string | null;
  /** Keeps others from changing it until the transaction ends. */
  readonly lock?: boolean;
}

export async function findCampaign(tx: Db, workspaceId: string, id: string, finding: Finding): Promise<Campaign> {
  const { within, agentId = null, lock = false } = finding;
  const found = CampaignId.safeParse(id).success
    ? await tx
        .selectFrom("campaign")
        .selectAll()
        .where("workspaceId", "=", workspaceId)
        .where("id", "=", id)
        .$if(agentId !== null, (query) => query.where(ofAgent(workspaceId, agentId ?? "")))
        .$if(lock, (query) => query.forNoKeyUpdate())
        .executeTakeFirst()
    : undefined;
  if (found && (!within || within.includes(found.id))) return found;
  const detail = `There is no campaign "${id}" in this workspace. GET /campaigns and \`campaign list\` show those that are there.`;
  throw new AppError("campaign_not_found", detail);
}

/** Those of the ids that no campaign has. */
export async function missingCampaigns(tx: Db, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = tx.selectFrom("campaign").select("id").where("workspaceId", "=", workspaceId);
  const found = await rows.where("id", "in", ids).execute();
  const there = new Set(found.map((row) => row.id));
  return ids.filter((id) => !there.has(id));
}
