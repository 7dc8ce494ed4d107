import { record } from "../audit/record.ts";
import type { Acting } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError } from "../platform/errors.ts";

/** Says how many days after the conversation the calls of a campaign are erased; null: they are kept. */
export async function setRetention(app: App, { workspaceId, actor }: Acting, id: string, retentionDays: number | null) {
  return inWorkspace(app, workspaceId, async (tx) => {
    const campaign = await tx
      .updateTable("campaign")
      .set({ retentionDays })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirst();
    if (!campaign) throw new AppError("campaign_not_found", `There is no campaign "${id}" in this workspace.`);
    const subject = { type: "campaign", id };
    await record(tx, workspaceId, { actor, action: "retention.changed", subject, data: { days: retentionDays } });
    return campaign;
  });
}
