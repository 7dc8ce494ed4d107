import { isDeepStrictEqual } from "node:util";
import type { ScorecardDetailBody } from "@hearback/contract";
import { sql } from "kysely";
import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import type { Actor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { draftName, storableDraft } from "./draft.ts";
import { draftChanged } from "./errors.ts";
import { findScorecard, lockScorecard, readDraft, type ScorecardRow, toScorecardDetail } from "./find-scorecard.ts";

interface DraftChange {
  readonly workspaceId: string;
  readonly id: string;
  /** The number of the draft that the caller changed; undefined: any. */
  readonly ifMatch: number | undefined;
}

/** Throws if the caller loaded another state of the draft. */
export function requireDraftNumber({ draftNumber }: ScorecardRow, ifMatch: number | undefined): void {
  if (ifMatch !== undefined && ifMatch !== draftNumber) throw draftChanged(draftNumber);
}

/** Replaces the draft. Not in the audit log: publishing is. */
export async function saveDraft(
  app: App,
  { workspaceId, id, ifMatch }: DraftChange,
  given: Readonly<Record<string, unknown>>,
): Promise<ScorecardDetailBody> {
  const draft = storableDraft(given);
  return inWorkspace(app, workspaceId, async (tx) => {
    const before = await lockScorecard(tx, workspaceId, id);
    // A repeated request, whose first response was lost, succeeds.
    if (before.hasDraft && isDeepStrictEqual(await readDraft(tx, before), draft)) return toScorecardDetail(tx, before);
    requireDraftNumber(before, ifMatch);
    await tx
      .updateTable("scorecard")
      .set({
        draft: JSON.stringify(draft),
        draftNumber: before.draftNumber + 1,
        draftChangedAt: sql<Date>`now()`,
        ...(before.latestVersion === null && { name: draftName(draft) }),
      })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .execute();
    return toScorecardDetail(tx, await findScorecard(tx, workspaceId, id));
  });
}

/** Deletes the draft, so that the latest version is the current state. A scorecard without versions becomes empty. */
export async function discardDraft(
  app: App,
  { workspaceId, id, ifMatch, actor }: DraftChange & { readonly actor: Actor },
): Promise<void> {
  await inWorkspace(app, workspaceId, async (tx) => {
    const before = await lockScorecard(tx, workspaceId, id);
    if (!before.hasDraft) return;
    requireDraftNumber(before, ifMatch);
    await tx
      .updateTable("scorecard")
      .set({ draft: null, draftNumber: before.draftNumber + 1, draftChangedAt: null })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .execute();
    const subject = { type: "scorecard", id };
    await recordAuditEntry(tx, workspaceId, { actor, action: "scorecard.draft_discarded", subject });
  });
}
