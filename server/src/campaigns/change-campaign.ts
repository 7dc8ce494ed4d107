import type { AuditAction, Channel } from "@hearback/contract";
import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import { emitEvent } from "../events/emit-event.ts";
import type { WorkspaceActor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { changedFields } from "../platform/changed-fields.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import type { Campaign } from "./campaign-body.ts";
import { findCampaign } from "./find-campaign.ts";
import {
  requirePossibleMasking,
  type TranscriptionChoice,
  transcriptionAudit,
  transcriptionNames,
} from "./transcription-choice.ts";

export interface CampaignChange extends TranscriptionChoice {
  readonly name?: string | undefined;
  /** Also applies to existing calls; null: unknown. */
  readonly agentChannel?: Channel | null | undefined;
  /** An archived campaign keeps its calls and accepts no new ones. */
  readonly archived?: boolean | undefined;
  /** Days after the conversation until calls are erased; null: never. */
  readonly retentionDays?: number | null | undefined;
}

const wireNames: Readonly<Record<string, string>> = {
  name: "name",
  agentChannel: "agent_channel",
  archivedAt: "archived",
  retentionDays: "retention_days",
  ...transcriptionNames,
};

/** Updates the given fields that differ. `within`: campaigns visible to the caller; null: all. */
export async function changeCampaign(
  app: App,
  { workspaceId, actor, within = null }: WorkspaceActor & { readonly within?: readonly string[] | null },
  id: string,
  change: CampaignChange,
): Promise<Campaign> {
  const { archived, ...given } = change;
  return inWorkspace(app, workspaceId, async (tx) => {
    const before = await findCampaign(tx, workspaceId, id, { within, lock: true });
    const archivedAt = archived === undefined ? undefined : archived ? (before.archivedAt ?? new Date()) : null;
    const values = changedFields<Campaign>(before, { ...given, archivedAt });
    requirePossibleMasking(before, change);
    const changed = Object.keys(values).map((column) => wireNames[column] ?? column);
    if (changed.length === 0) return before;
    const campaign = await tx
      .updateTable("campaign")
      .set(values)
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await emitEvent(tx, { workspaceId, type: "campaign.changed", data: { campaign_id: id, changed } });
    const retention = "retentionDays" in values && { retention_days: campaign.retentionDays };
    const data = { changed, ...retention, ...transcriptionAudit(values) };
    await recordAuditEntry(tx, workspaceId, {
      actor,
      action: actionOf(values),
      subject: { type: "campaign", id },
      data,
    });
    return campaign;
  });
}

/** Retention changes erase calls, so they have their own audit action. */
function actionOf(values: { retentionDays?: unknown; archivedAt?: unknown }): AuditAction {
  if ("retentionDays" in values) return "retention.changed";
  return values.archivedAt ? "campaign.archived" : "campaign.changed";
}
