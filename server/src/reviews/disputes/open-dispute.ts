import { isDeepStrictEqual } from "node:util";
import type { DisputeBody, OpenDisputeBody } from "@hearback/contract";
import { answerTo } from "@hearback/scoring/answer-to";
import type { Answers } from "@hearback/scoring/answers";
import { bareAnswer } from "@hearback/scoring/change-answers";
import { checkAnswers } from "@hearback/scoring/check-answers";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { sql } from "kysely";
import type { Actor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { ChangedMeanwhile, withRetries } from "../../platform/database/with-retries.ts";
import { fieldInvalid } from "../../platform/errors.ts";
import { newUuidV7 } from "../../platform/uuid-v7.ts";
import { countChange, readBefore } from "../../scores/count-review.ts";
import { notDisputable } from "../errors.ts";
import { countObjections } from "../review/count-objections.ts";
import { findDispute } from "../review/find-dispute.ts";
import { findReview, keepCall, lockReview, type ReviewRow } from "../review/find-review.ts";
import { findExcludedArbiters } from "../review/is-arbiter.ts";
import { readRevision } from "../review/read-answers.ts";
import { requireState } from "../review/require-state.ts";
import { rejectIfErased, requireText } from "../review/require-text.ts";
import { isDisputable } from "../review/review-actions.ts";
import { recordReviewAct } from "../review/review-event.ts";
import { readReviewSettings } from "../review/review-settings.ts";
import type { ReviewViewer } from "../review/review-viewer.ts";
import { findReviewedVersion } from "../review/scorecard-documents.ts";
import { updateReview } from "../review/update-review.ts";
import { findTextQuestions } from "../review/write-revision.ts";
import { chooseArbiter } from "./choose-arbiter.ts";

type Item = OpenDisputeBody["items"][number];

/** Opens a dispute: the agent objects to answers of a released review. */
export async function openDispute(
  app: App,
  viewer: ReviewViewer,
  { id, actor, items }: { readonly id: string; readonly actor: Actor; readonly items: readonly Item[] },
): Promise<DisputeBody> {
  const { workspaceId } = viewer;
  const run = async (tx: Db) => {
    const arbiterId = await chooseFor(tx, await findReview(tx, viewer, id));
    const review = await lockReview(tx, viewer, id);
    requireState(review, "released");
    if (!(await isDisputable(tx, review))) throw notDisputable();
    const { document } = await findReviewedVersion(tx, review);
    const { answers } = await readRevision(tx, review, review.revision);
    requireItems(document, answers, items);
    for (const { reason, moment } of items) {
      requireText(review, "reason", reason);
      rejectIfErased(review, moment);
    }
    const excluded = await findExcludedArbiters(tx, review);
    if (arbiterId && excluded.includes(arbiterId)) throw new ChangedMeanwhile();
    const before = await readBefore(tx, review);
    const disputeId = await insertDispute(tx, review, {
      level: (await countObjections(tx, review)) + 1,
      arbiterId,
      items,
    });
    await updateReview(tx, review, { dispute: "open" });
    const opened = await findDispute(tx, workspaceId, disputeId);
    const data = { dispute_id: disputeId, questions: items.map(({ question_id }) => question_id) };
    await countChange(tx, review, before);
    await recordReviewAct(tx, "review.disputed", review, { actor, data });
    return opened;
  };
  return withRetries(() => inWorkspace(app, workspaceId, run));
}

/** Before the review is locked: users come first in the order of locks. */
async function chooseFor(tx: Db, review: ReviewRow): Promise<string | undefined> {
  const { workspaceId, callId, scorecardId } = review;
  await keepCall(tx, workspaceId, callId);
  return chooseArbiter(tx, { workspaceId, scorecardId, excluded: await findExcludedArbiters(tx, review) });
}

function requireItems(document: ScorecardDocument, answers: Answers, items: readonly Item[]): void {
  const textQuestions = findTextQuestions(document);
  const seen = new Set<string>();
  for (const { question_id: question, proposed } of items) {
    const refuse = (code: string, detail: string) => fieldInvalid("items", code, `items, "${question}": ${detail}`);
    if (seen.has(question)) throw refuse("repeated", "the question is named twice.");
    seen.add(question);
    const bare = bareAnswer(proposed);
    if (Object.keys(bare).length === 0) throw refuse("missing", "propose an answer.");
    if (textQuestions.has(question)) throw refuse("not_allowed", "text has no points to object to.");
    const [problem] = checkAnswers(document, { [question]: bare }, { complete: false });
    if (problem) throw refuse(problem.code, problem.message);
    if (isDeepStrictEqual(bare, bareAnswer(answerTo(answers, question) ?? {})))
      throw refuse("unchanged", "the review has this answer already.");
  }
}

async function insertDispute(
  tx: Db,
  { workspaceId, id: reviewId, agentId, revision }: ReviewRow,
  { level, arbiterId, items }: { level: number; arbiterId: string | undefined; items: readonly Item[] },
): Promise<string> {
  const { disputeDueDays } = await readReviewSettings(tx, workspaceId);
  const id = newUuidV7();
  await tx
    .insertInto("dispute")
    .values({
      workspaceId,
      id,
      reviewId,
      agentId,
      level,
      state: "open",
      revision,
      arbiterId: arbiterId ?? null,
      dueAt: sql<Date>`now() + make_interval(days => ${disputeDueDays}::int)`,
    })
    .execute();
  const rows = items.map(({ question_id, proposed, reason, moment }) => ({
    workspaceId,
    disputeId: id,
    questionId: question_id,
    proposed: JSON.stringify(bareAnswer(proposed)),
    reason: reason.trim(),
    moment: moment ? JSON.stringify(moment) : null,
  }));
  await tx.insertInto("disputeItem").values(rows).execute();
  return id;
}
