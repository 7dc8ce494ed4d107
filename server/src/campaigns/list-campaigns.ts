import type { Db } from "../platform/database/database.ts";
import { toPage } from "../platform/database/pages.ts";
import { campaignsOfAgent } from "./campaigns-of-agent-sql.ts";

export interface ListCampaignsInput {
  readonly archived: boolean | "all";
  /** Last id of the previous page. */
  readonly cursor?: string | undefined;
  readonly limit: number;
  /** Campaigns visible to the caller; null: all. */
  readonly within: readonly string[] | null;
  /** Only campaigns in which this agent has calls. */
  readonly agentId?: string | null;
}

/** Lists the campaigns of a workspace, ordered by id. */
export async function listCampaigns(db: Db, workspaceId: string, input: ListCampaignsInput) {
  const { archived, cursor, limit, within, agentId = null } = input;
  const found = await db
    .selectFrom("campaign")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .$if(archived !== "all", (rows) => rows.where("archivedAt", archived ? "is not" : "is", null))
    .$if(within !== null, (rows) => rows.where("id", "in", within ?? []))
    .$if(agentId !== null, (rows) => rows.where(campaignsOfAgent(workspaceId, agentId ?? "")))
    .$if(cursor !== undefined, (rows) => rows.where("id", ">", cursor ?? ""))
    .orderBy("id")
    .limit(limit + 1)
    .execute();
  const { rows: campaigns, next } = toPage(found, limit, ({ id }) => id);
  return { campaigns, next };
}
