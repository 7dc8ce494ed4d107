import type { ScorecardVersionBody } from "@hearback/contract";
import { documentDigest } from "@hearback/scoring/digest";
import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import { emitEvent } from "../events/emit-event.ts";
import type { WorkspaceActor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { draftMissing, scorecardInvalid, scorecardUnchanged } from "./errors.ts";
import { findLatest, findVersion, lockScorecard, readDraft } from "./find-scorecard.ts";
import { lintDraft } from "./lint-draft.ts";
import { toVersionBody } from "./list-versions.ts";
import { requireDraftNumber } from "./save-draft.ts";

/** Publishes the draft as the next version. New reviews use it; existing ones keep theirs. */
export async function publishScorecard(
  app: App,
  { workspaceId, actor }: WorkspaceActor,
  id: string,
  ifMatch: number | undefined,
): Promise<ScorecardVersionBody> {
  return inWorkspace(app, workspaceId, async (tx) => {
    const scorecard = await lockScorecard(tx, workspaceId, id);
    if (!scorecard.hasDraft) throw draftMissing();
    requireDraftNumber(scorecard, ifMatch);
    const latest = await findLatest(tx, scorecard);
    const { findings, errors, document } = await lintDraft(await readDraft(tx, scorecard), latest?.document);
    if (!document) throw scorecardInvalid(findings, errors);
    const digest = await documentDigest(document);
    if (latest?.digest.toString("hex") === digest) throw scorecardUnchanged(latest.version);
    const version = (scorecard.latestVersion ?? 0) + 1;
    await tx
      .insertInto("scorecardVersion")
      .values({
        workspaceId,
        scorecardId: id,
        version,
        document: JSON.stringify(document),
        digest: Buffer.from(digest, "hex"),
        publishedByType: actor.type,
        publishedById: actor.id,
      })
      .execute();
    await tx
      .updateTable("scorecard")
      .set({
        name: document.name,
        latestVersion: version,
        draft: null,
        draftNumber: scorecard.draftNumber + 1,
        draftChangedAt: null,
      })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .execute();
    const published = await findVersion(tx, workspaceId, { scorecardId: id, version });
    await emitEvent(tx, { workspaceId, type: "scorecard.published", data: { scorecard_id: id, version } });
    await recordAuditEntry(tx, workspaceId, {
      actor,
      action: "scorecard.published",
      subject: { type: "scorecard", id },
      data: { version, digest },
    });
    return toVersionBody(published);
  });
}
