import { isDeepStrictEqual } from "node:util";
import type { ScorecardDetailBody } from "@hearback/contract";
import { sql } from "kysely";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { requireStorableJson } from "../platform/database/require-storable-json.ts";
import { draftName } from "./draft-name.ts";
import { draftChanged } from "./errors.ts";
import { lockScorecard, type ScorecardRow, toScorecardDetail } from "./find-scorecard.ts";

interface DraftChange {
  readonly workspaceId: string;
  readonly id: string;
  /** The number of the draft that the caller changed; undefined: any. */
  readonly ifMatch: number | undefined;
}

function requireNumber({ draftNumber }: ScorecardRow, ifMatch: number | undefined): void {
  if (ifMatch !== undefined && ifMatch !== draftNumber) throw draftChanged(draftNumber);
}

/** Replaces the draft. Not in the audit log: publishing is. */
export async function saveDraft(
  app: App,
  { workspaceId, id, ifMatch }: DraftChange,
  draft: Readonly<Record<string, unknown>>,
): Promise<ScorecardDetailBody> {
  requireStorableJson("document", draft);
  return inWorkspace(app, workspaceId, async (tx) => {
    const before = await lockScorecard(tx, workspaceId, id);
    // A repeated request, whose first response was lost, succeeds.
    if (isDeepStrictEqual(before.draft, draft)) return toScorecardDetail(tx, before);
    requireNumber(before, ifMatch);
    const after = await tx
      .updateTable("scorecard")
      .set({
        draft: JSON.stringify(draft),
        draftNumber: before.draftNumber + 1,
        draftChangedAt: sql<Date>`now()`,
        ...(before.latestVersion === null && { name: draftName(draft) }),
      })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return toScorecardDetail(tx, { ...before, ...after, draft });
  });
}

/** Deletes the draft, so that the latest version is the current state. A scorecard without versions becomes empty. */
export async function discardDraft(app: App, { workspaceId, id, ifMatch }: DraftChange): Promise<void> {
  await inWorkspace(app, workspaceId, async (tx) => {
    const before = await lockScorecard(tx, workspaceId, id);
    if (before.draft === null) return;
    requireNumber(before, ifMatch);
    await tx
      .updateTable("scorecard")
      .set({ draft: null, draftNumber: before.draftNumber + 1, draftChangedAt: null })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .execute();
  });
}
