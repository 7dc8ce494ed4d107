import type { UpdateObject } from "kysely";
import type { Db } from "../platform/database/database.ts";
import type { DB } from "../platform/database/tables.ts";
import { AppError } from "../platform/errors.ts";

/** Changes a campaign and gives it as it then stands. */
export async function updateCampaign(tx: Db, workspaceId: string, id: string, changes: UpdateObject<DB, "campaign">) {
  const campaign = await tx
    .updateTable("campaign")
    .set(changes)
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  if (campaign) return campaign;
  throw new AppError(
    "campaign_not_found",
    `There is no campaign "${id}" in this workspace. \`campaign list\` shows those that are there.`,
  );
}
