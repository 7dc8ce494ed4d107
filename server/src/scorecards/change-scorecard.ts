import { isDeepStrictEqual } from "node:util";
import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import type { WorkspaceActor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { assignArbiters, assignCampaigns } from "./assign.ts";
import { findScorecard, lockScorecard, type ScorecardRow } from "./find-scorecard.ts";

export interface ScorecardChange {
  /** Empty: all campaigns. */
  readonly campaignIds?: readonly string[] | undefined;
  /** Empty: all supervisors and administrators. */
  readonly arbiterIds?: readonly string[] | undefined;
  /** A retired scorecard keeps its reviews and gets no new ones. */
  readonly retired?: boolean | undefined;
}

const wireNames = { campaignIds: "campaign_ids", arbiterIds: "arbiter_ids", retired: "retired" } as const;

/** Updates the given fields that differ. */
export async function changeScorecard(
  app: App,
  { workspaceId, actor }: WorkspaceActor,
  id: string,
  change: ScorecardChange,
): Promise<ScorecardRow> {
  return inWorkspace(app, workspaceId, async (tx) => {
    const before = await lockScorecard(tx, workspaceId, id);
    const changed = changedNames(before, change);
    if (changed.length === 0) return before;
    if (changed.includes("campaignIds")) await assignCampaigns(tx, workspaceId, id, change.campaignIds ?? []);
    if (changed.includes("arbiterIds")) await assignArbiters(tx, workspaceId, id, change.arbiterIds ?? []);
    if (changed.includes("retired")) {
      await tx
        .updateTable("scorecard")
        .set({ retiredAt: change.retired ? new Date() : null })
        .where("workspaceId", "=", workspaceId)
        .where("id", "=", id)
        .execute();
    }
    const after = await findScorecard(tx, workspaceId, id);
    const action = changed.includes("retired") && change.retired ? "scorecard.retired" : "scorecard.changed";
    const data = { changed: changed.map((name) => wireNames[name]) };
    await recordAuditEntry(tx, workspaceId, { actor, action, subject: { type: "scorecard", id }, data });
    return after;
  });
}

function changedNames(before: ScorecardRow, change: ScorecardChange): (keyof ScorecardChange)[] {
  const current = {
    // Sorted here: the database may have another collation.
    campaignIds: [...before.campaignIds].sort(),
    arbiterIds: [...before.arbiterIds].sort(),
    retired: before.retiredAt !== null,
  };
  const given = {
    campaignIds: change.campaignIds && [...change.campaignIds].sort(),
    arbiterIds: change.arbiterIds && [...change.arbiterIds].sort(),
    retired: change.retired,
  };
  const names = Object.keys(given) as (keyof ScorecardChange)[];
  return names.filter((name) => given[name] !== undefined && !isDeepStrictEqual(given[name], current[name]));
}
