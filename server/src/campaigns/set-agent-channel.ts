import type { Channel } from "@hearback/contract";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { updateCampaign } from "./update-campaign.ts";

/** Says on which channel the agents of a campaign are. It holds for the calls that are there already, too. */
export async function setAgentChannel(app: App, workspaceId: string, id: string, agentChannel: Channel | null) {
  return inWorkspace(app, workspaceId, (tx) => updateCampaign(tx, workspaceId, id, { agentChannel }));
}
