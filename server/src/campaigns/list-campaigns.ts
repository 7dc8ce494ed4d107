import type { Db } from "../platform/database/database.ts";
import { ofAgent } from "./of-agent.ts";

export interface ListCampaignsInput {
  readonly archived: boolean | "all";
  /** The last id of the page before. */
  readonly cursor?: string | undefined;
  readonly limit: number;
  /** The campaigns that exist for who asks; null: all of the workspace. */
  readonly within: readonly string[] | null;
  /** The agent for whom those alone exist in which they have calls. */
  readonly agentId?: string | null;
}

/** The campaigns of a workspace, in the order of their ids. */
export async function listCampaigns(db: Db, workspaceId: string, input: ListCampaignsInput) {
  const { archived, cursor, limit, within, agentId = null } = input;
  const found = await db
    .selectFrom("campaign")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .$if(archived !== "all", (rows) => rows.where("archivedAt", archived ? "is not" : "is", null))
    .$if(within !== null, (rows) => rows.where("id", "in", within ?? []))
    .$if(agentId !== null, (rows) => rows.where(ofAgent(workspaceId, agentId ?? "")))
    .$if(cursor !== undefined, (rows) => rows.where("id", ">", cursor ?? ""))
    .orderBy("id")
    .limit(limit + 1)
    .execute();
  const campaigns = found.slice(0, limit);
  return { campaigns, next: found.length > limit ? (campaigns.at(-1)?.id ?? null) : null };
}
