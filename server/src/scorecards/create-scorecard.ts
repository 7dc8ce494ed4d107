import type { CreateScorecardBody, ScorecardDetailBody } from "@hearback/contract";
import { template } from "@hearback/scoring/templates";
import { sql } from "kysely";
import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import type { WorkspaceActor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { fieldInvalid } from "../platform/errors.ts";
import { newUuidV7 } from "../platform/uuid-v7.ts";
import { assignCampaigns } from "./assign.ts";
import { draftName, storableDraft } from "./draft.ts";
import { scorecardLimitReached } from "./errors.ts";
import { findScorecard, toScorecardDetail } from "./find-scorecard.ts";

const maxScorecards = 1_000;

const emptyDocument = {
  format: "hearback.scorecard/1",
  passing_score: 80,
  sections: [],
} as const;

function firstDraft({ template: name, language = "en", document, name: rename }: CreateScorecardBody) {
  if (name && document) {
    throw fieldInvalid("document", "not_together", "document must be absent if there is a template.");
  }
  const draft = name ? template(name, language) : (document ?? emptyDocument);
  return rename === undefined ? { ...draft } : { ...draft, name: rename };
}

/** Creates a scorecard with a draft: from a template, from a document, or empty. */
export async function createScorecard(
  app: App,
  { workspaceId, actor }: WorkspaceActor,
  input: CreateScorecardBody,
): Promise<ScorecardDetailBody> {
  const draft = storableDraft(firstDraft(input));
  return inWorkspace(app, workspaceId, async (tx) => {
    // Serialises concurrent requests, so that they cannot exceed the limit together.
    await sql`select pg_advisory_xact_lock(hashtext('hearback.scorecards'), hashtext(${workspaceId}))`.execute(tx);
    const { count } = await tx
      .selectFrom("scorecard")
      .select((rows) => rows.fn.countAll<number>().as("count"))
      .where("workspaceId", "=", workspaceId)
      .executeTakeFirstOrThrow();
    if (count >= maxScorecards) throw scorecardLimitReached();
    const id = newUuidV7();
    await tx
      .insertInto("scorecard")
      .values({
        workspaceId,
        id,
        name: draftName(draft),
        draft: JSON.stringify(draft),
        draftChangedAt: sql<Date>`now()`,
      })
      .execute();
    await assignCampaigns(tx, workspaceId, id, input.campaign_ids ?? []);
    const created = await toScorecardDetail(tx, await findScorecard(tx, workspaceId, id));
    const data = input.template ? { template: input.template } : {};
    await recordAuditEntry(tx, workspaceId, {
      actor,
      action: "scorecard.created",
      subject: { type: "scorecard", id },
      data,
    });
    return created;
  });
}
