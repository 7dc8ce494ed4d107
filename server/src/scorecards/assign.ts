import { missingCampaigns } from "../campaigns/find-campaign.ts";
import type { Db } from "../platform/database/database.ts";
import { fieldInvalid } from "../platform/errors.ts";

/** Replaces the campaigns that a scorecard is for. */
export async function assignCampaigns(tx: Db, workspaceId: string, scorecardId: string, ids: readonly string[]) {
  const [missing] = await missingCampaigns(tx, workspaceId, ids);
  if (missing !== undefined) {
    throw fieldInvalid("campaign_ids", "not_found", `campaign_ids: there is no campaign "${missing}".`);
  }
  await tx
    .deleteFrom("scorecardCampaign")
    .where("workspaceId", "=", workspaceId)
    .where("scorecardId", "=", scorecardId)
    .execute();
  if (ids.length === 0) return;
  const rows = ids.map((campaignId) => ({ workspaceId, scorecardId, campaignId }));
  await tx.insertInto("scorecardCampaign").values(rows).execute();
}

/** Replaces the users who decide disputes about reviews on a scorecard. Agents and deactivated users cannot. */
export async function assignArbiters(tx: Db, workspaceId: string, scorecardId: string, ids: readonly string[]) {
  const found = ids.length
    ? await tx
        .selectFrom("appUser")
        .select("id")
        .where("workspaceId", "=", workspaceId)
        .where("id", "in", ids)
        .where("role", "<>", "agent")
        .where("deactivatedAt", "is", null)
        // So that a user who is erased or deactivated meanwhile does not stay an arbiter.
        .forShare()
        .execute()
    : [];
  const known = new Set(found.map(({ id }) => id));
  const missing = ids.find((id) => !known.has(id));
  if (missing !== undefined) {
    const detail = `arbiter_ids: there is no active user ${missing} with the role reviewer, supervisor or admin.`;
    throw fieldInvalid("arbiter_ids", "not_found", detail);
  }
  await tx
    .deleteFrom("scorecardArbiter")
    .where("workspaceId", "=", workspaceId)
    .where("scorecardId", "=", scorecardId)
    .execute();
  if (ids.length === 0) return;
  const rows = ids.map((userId) => ({ workspaceId, scorecardId, userId }));
  await tx.insertInto("scorecardArbiter").values(rows).execute();
}
