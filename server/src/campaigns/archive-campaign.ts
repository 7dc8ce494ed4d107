import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError } from "../platform/errors.ts";

/** Closes a campaign to imports. Its calls stay. */
export async function archiveCampaign(app: App, workspaceId: string, id: string) {
  return inWorkspace(app, workspaceId, async (tx) => {
    const campaign = await tx
      .updateTable("campaign")
      .set((eb) => ({ archivedAt: eb.fn.coalesce("archivedAt", eb.fn<Date>("now")) }))
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirst();
    if (!campaign) throw new AppError("campaign_not_found", `There is no campaign "${id}" in this workspace.`);
    return campaign;
  });
}
