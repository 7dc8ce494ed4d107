import type { Db } from "../platform/database/database.ts";
import { toPage } from "../platform/database/pages.ts";
import { isForCampaigns, type ScorecardViewer, selectScorecards } from "./find-scorecard.ts";

export interface ListScorecardsInput {
  readonly retired: boolean;
  /** Only published scorecards for calls of this campaign. */
  readonly campaignId?: string | undefined;
  /** Id of the last scorecard of the previous page. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Lists scorecards, newest first. */
export async function listScorecards(tx: Db, workspaceId: string, input: ListScorecardsInput, viewer: ScorecardViewer) {
  const { retired, campaignId, cursor, limit } = input;
  const found = await selectScorecards(tx, workspaceId, viewer)
    .where("retiredAt", retired ? "is not" : "is", null)
    .$if(campaignId !== undefined, (rows) =>
      rows.where("latestVersion", "is not", null).where(isForCampaigns([campaignId ?? ""])),
    )
    .$if(cursor !== undefined, (rows) => rows.where("id", "<", cursor ?? ""))
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const { rows: scorecards, next } = toPage(found, limit, ({ id }) => id);
  return { scorecards, next };
}
