import type { Channel } from "@hearback/contract";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError } from "../platform/errors.ts";

/** Says on which channel the agents of a campaign are. It holds for the calls that are there already, too. */
export async function setAgentChannel(app: App, workspaceId: string, id: string, agentChannel: Channel | null) {
  return inWorkspace(app, workspaceId, async (tx) => {
    const campaign = await tx
      .updateTable("campaign")
      .set({ agentChannel })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirst();
    if (!campaign) throw new AppError("campaign_not_found", `There is no campaign "${id}" in this workspace.`);
    return campaign;
  });
}
