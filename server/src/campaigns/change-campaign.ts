import type { AuditAction, Channel } from "@hearback/contract";
import { record } from "../audit/record.ts";
import { announce } from "../events/announce.ts";
import type { Acting } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { differences } from "../platform/differences.ts";
import type { Campaign } from "./campaign-body.ts";
import { findCampaign } from "./find-campaign.ts";

export interface CampaignChange {
  readonly name?: string | undefined;
  /** It holds for the calls that are there already, too; null: it is not known. */
  readonly agentChannel?: Channel | null | undefined;
  /** An archived campaign takes no calls and keeps those that it has. */
  readonly archived?: boolean | undefined;
  /** How many days after the conversation its calls are erased; null: they are kept. */
  readonly retentionDays?: number | null | undefined;
}

const wireNames: Readonly<Record<string, string>> = {
  name: "name",
  agentChannel: "agent_channel",
  archivedAt: "archived",
  retentionDays: "retention_days",
};

/** Changes what is given and differs. `within` names the campaigns that exist for who asks; null: all of them. */
export async function changeCampaign(
  app: App,
  { workspaceId, actor, within = null }: Acting & { readonly within?: readonly string[] | null },
  id: string,
  change: CampaignChange,
): Promise<Campaign> {
  const { name, agentChannel, archived, retentionDays } = change;
  return inWorkspace(app, workspaceId, async (tx) => {
    const before = await findCampaign(tx, workspaceId, id, { within, lock: true });
    const archivedAt = archived === undefined ? undefined : archived ? (before.archivedAt ?? new Date()) : null;
    const values = differences(before, { name, agentChannel, archivedAt, retentionDays });
    const changed = Object.keys(values).map((column) => wireNames[column] ?? column);
    if (changed.length === 0) return before;
    const campaign = await tx
      .updateTable("campaign")
      .set(values)
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await announce(tx, { workspaceId, type: "campaign.changed", data: { campaign_id: id, changed } });
    const data = { changed, ...("retentionDays" in values && { retention_days: campaign.retentionDays }) };
    await record(tx, workspaceId, { actor, action: actionOf(values), subject: { type: "campaign", id }, data });
    return campaign;
  });
}

/** What erases calls from then on is looked for by its own name. */
function actionOf(values: { retentionDays?: unknown; archivedAt?: unknown }): AuditAction {
  if ("retentionDays" in values) return "retention.changed";
  return values.archivedAt ? "campaign.archived" : "campaign.changed";
}
