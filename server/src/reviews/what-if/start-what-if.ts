import type { WhatIfBody } from "@hearback/contract";
import { documentDigest } from "@hearback/scoring/digest";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import type { WorkspaceActor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { requireStorableJson } from "../../platform/database/require-storable-json.ts";
import { fieldInvalid } from "../../platform/errors.ts";
import { enqueue } from "../../platform/queue/queue.ts";
import { newUuidV7 } from "../../platform/uuid-v7.ts";
import { draftMissing, scorecardInvalid } from "../../scorecards/errors.ts";
import { findLatest, lockScorecard, readDraft, type ScorecardRow } from "../../scorecards/find-scorecard.ts";
import { lintDraft } from "../../scorecards/lint-draft.ts";
import { requireDraftNumber } from "../../scorecards/save-draft.ts";
import { scorecardNotPublished, whatIfLimitReached } from "../errors.ts";
import { findWhatIf, toWhatIfBody } from "./find-what-if.ts";
import { runRequestedWhatIf } from "./run-what-if.ts";

interface StartWhatIfInput {
  readonly scorecardId: string;
  readonly from: Date;
  /** Undefined: now. */
  readonly to?: Date | undefined;
  /** Undefined: the draft. */
  readonly document?: Readonly<Record<string, unknown>> | undefined;
  /** The number of the draft that the caller means; undefined: any. */
  readonly ifMatch?: number | undefined;
}

/** Runs of a scorecard that have not ended. */
const maxUnfinished = 3;
const maxBytes = 300_000;

/** Queues a run with the draft, or with a document that is not saved otherwise. */
export async function startWhatIf(
  app: App,
  { workspaceId, actor }: WorkspaceActor,
  input: StartWhatIfInput,
): Promise<WhatIfBody> {
  const { scorecardId, from, to = new Date() } = input;
  if (from >= to) throw fieldInvalid("from", "not_allowed", "from must be before to.");
  if (input.document) requireStorableJson("document", input.document, maxBytes);
  return inWorkspace(app, workspaceId, async (tx) => {
    // Locked, so that two requests do not both pass the limit.
    const scorecard = await lockScorecard(tx, workspaceId, scorecardId);
    const latest = await findLatest(tx, scorecard);
    if (!latest) throw scorecardNotPublished();
    const document = await readChanged(tx, scorecard, latest.document, input);
    await requireFewUnfinished(tx, scorecard);
    const id = newUuidV7();
    const digest = await documentDigest(document);
    await tx
      .insertInto("whatIf")
      .values({
        workspaceId,
        id,
        scorecardId,
        version: latest.version,
        draftNumber: input.document ? null : scorecard.draftNumber,
        digest: Buffer.from(digest, "hex"),
        document: JSON.stringify(document),
        periodFrom: from,
        periodTo: to,
        requestedByType: actor.type,
        requestedById: actor.id ?? "",
      })
      .execute();
    await enqueue(tx, runRequestedWhatIf, { workspaceId, whatIfId: id });
    const started = await toWhatIfBody(tx, await findWhatIf(tx, workspaceId, id));
    await recordAuditEntry(tx, workspaceId, {
      actor,
      action: "scorecard.what_if_started",
      subject: { type: "scorecard", id: scorecardId },
      data: { what_if_id: id, version: latest.version, digest, from: from.toISOString(), to: to.toISOString() },
    });
    return started;
  });
}

/** The changed document, with its defaults. It must have no errors, as for publishing. */
async function readChanged(
  tx: Db,
  scorecard: ScorecardRow,
  latest: ScorecardDocument,
  { document: given, ifMatch }: StartWhatIfInput,
): Promise<ScorecardDocument> {
  if (!given) {
    if (!scorecard.hasDraft) throw draftMissing();
    requireDraftNumber(scorecard, ifMatch);
  }
  const { findings, errors, document } = await lintDraft(given ?? (await readDraft(tx, scorecard)), latest);
  if (!document) throw scorecardInvalid(findings, errors);
  return document;
}

async function requireFewUnfinished(tx: Db, { workspaceId, id }: ScorecardRow): Promise<void> {
  const unfinished = await tx
    .selectFrom("whatIf")
    .select("id")
    .where("workspaceId", "=", workspaceId)
    .where("scorecardId", "=", id)
    .where("state", "in", ["queued", "running"])
    .limit(maxUnfinished)
    .execute();
  if (unfinished.length >= maxUnfinished) throw whatIfLimitReached();
}
