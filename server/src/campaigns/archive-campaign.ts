import { sql } from "kysely";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { updateCampaign } from "./update-campaign.ts";

/** Closes a campaign to imports. Its calls stay. */
export async function archiveCampaign(app: App, workspaceId: string, id: string) {
  const archivedAt = sql<Date>`coalesce(archived_at, now())`;
  return inWorkspace(app, workspaceId, (tx) => updateCampaign(tx, workspaceId, id, { archivedAt }));
}
