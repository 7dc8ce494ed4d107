import { CampaignId } from "@hearback/contract";
import type { Db } from "../platform/database/database.ts";
import type { Campaign } from "./campaign-body.ts";
import { campaignIdsByName } from "./campaign-ids-by-name.ts";
import { campaignsOfAgent } from "./campaigns-of-agent-sql.ts";
import { campaignNotFound, noCampaign } from "./errors.ts";

interface FindOptions {
  /** Campaigns visible to the caller; null: all. */
  readonly within: readonly string[] | null;
  /** Only campaigns in which this agent has calls. */
  readonly agentId?: string | null;
  /** Prevents changes until the transaction ends. */
  readonly lock?: boolean;
}

export async function findCampaign(tx: Db, workspaceId: string, id: string, options: FindOptions): Promise<Campaign> {
  const { within, agentId = null, lock = false } = options;
  const found = CampaignId.safeParse(id).success
    ? await tx
        .selectFrom("campaign")
        .selectAll()
        .where("workspaceId", "=", workspaceId)
        .where("id", "=", id)
        .$if(agentId !== null, (query) => query.where(campaignsOfAgent(workspaceId, agentId ?? "")))
        .$if(lock, (query) => query.forNoKeyUpdate())
        .executeTakeFirst()
    : undefined;
  if (found && (!within || within.includes(found.id))) return found;
  throw campaignNotFound.withDetail(noCampaign(id, await campaignIdsByName(tx, workspaceId, id, { within })));
}

/** Returns the ids that do not exist. */
export async function missingCampaigns(tx: Db, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = tx.selectFrom("campaign").select("id").where("workspaceId", "=", workspaceId);
  const found = await rows.where("id", "in", ids).execute();
  const existing = new Set(found.map((row) => row.id));
  return ids.filter((id) => !existing.has(id));
}
