import type { DisputeBody, ResolveDisputeBody } from "@hearback/contract";
import type { Answers } from "@hearback/scoring/answers";
import { bareAnswer, changeAnswers, isWorse } from "@hearback/scoring/change-answers";
import { checkAnswers } from "@hearback/scoring/check-answers";
import { calculateResult } from "@hearback/scoring/formula";
import { sql } from "kysely";
import type { Actor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { fieldInvalid } from "../../platform/errors.ts";
import { countChange, readBefore } from "../../scores/count-review.ts";
import { disputeLowersScore, disputeResolved, notArbiter, reviewIncomplete } from "../errors.ts";
import { findDispute } from "../review/find-dispute.ts";
import type { ReviewRow } from "../review/find-review.ts";
import { isArbiter } from "../review/is-arbiter.ts";
import { type ReviewAnswers, readRevision } from "../review/read-answers.ts";
import { requireText } from "../review/require-text.ts";
import { recordReviewAct } from "../review/review-event.ts";
import type { ReviewViewer } from "../review/review-viewer.ts";
import { findReviewedVersion, type ReviewedVersion } from "../review/scorecard-documents.ts";
import { updateReview } from "../review/update-review.ts";
import { writeRevision } from "../review/write-revision.ts";
import { lockDispute } from "./lock-dispute.ts";

type Decision = ResolveDisputeBody["items"][number];

export interface ResolveInput {
  readonly id: string;
  readonly actor: Actor;
  readonly items: readonly Decision[];
}

/** Decides every question of a dispute. Changed answers make a new revision, which never has a lower score. */
export async function resolveDispute(app: App, viewer: ReviewViewer, input: ResolveInput): Promise<DisputeBody> {
  const { id, actor, items } = input;
  const { workspaceId } = viewer;
  return inWorkspace(app, workspaceId, async (tx) => {
    const { dispute, review } = await lockDispute(tx, viewer, id);
    if (dispute.state === "resolved") throw disputeResolved();
    if (!(await isArbiter(tx, review, dispute, viewer))) throw notArbiter();
    requireAllDecided(dispute, items);
    for (const { explanation } of items) requireText(review, "explanation", explanation);
    const scored = await findReviewedVersion(tx, review);
    const before = await readRevision(tx, review, review.revision);
    const counted = await readBefore(tx, review);
    const changes = decidedAnswers(dispute, items);
    const isChanged = Object.keys(changes).length > 0;
    const revision = isChanged ? await revise(tx, review, scored, { before, changes, actor }) : undefined;
    await writeDecisions(tx, review, id, items, changes);
    await tx
      .updateTable("dispute")
      .set({
        state: "resolved",
        resolvedAt: sql<Date>`now()`,
        resolvedByType: actor.type,
        resolvedById: actor.id,
        resolvedRevision: revision?.number ?? null,
      })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .execute();
    const days = scored.document.dispute_days;
    await updateReview(tx, review, {
      dispute: "resolved",
      ...(revision && { revision: revision.number, score: revision.score, outcome: revision.outcome }),
      // Time to object to the decision.
      ...(dispute.level < scored.document.dispute_levels && {
        disputableUntil: sql`greatest(disputable_until, now() + make_interval(days => ${days}::int))`,
      }),
    });
    const resolved = await findDispute(tx, workspaceId, id);
    const data = { dispute_id: id, changed: Object.keys(changes), ...(revision && { revision: revision.number }) };
    await countChange(tx, review, counted);
    await recordReviewAct(tx, "review.resolved", review, { actor, data });
    return resolved;
  });
}

function requireAllDecided({ items: disputed }: DisputeBody, items: readonly Decision[]): void {
  const asked = disputed.map(({ question_id }) => question_id).sort();
  const decided = items.map(({ question_id }) => question_id).sort();
  if (asked.join() !== decided.join())
    throw fieldInvalid("items", "incomplete", `items must decide exactly these questions: ${asked.join(", ")}.`);
}

/** The new answers by question, without comments and moments: those of the reviewer stay. */
function decidedAnswers({ items: disputed }: DisputeBody, items: readonly Decision[]): Answers {
  const changed = items.filter(({ decision }) => decision === "changed");
  return Object.fromEntries(
    changed.map(({ question_id, answer }) => {
      const proposed = disputed.find((item) => item.question_id === question_id)?.proposed;
      return [question_id, bareAnswer(answer ?? proposed ?? {})];
    }),
  );
}

interface Revision {
  readonly before: ReviewAnswers;
  readonly changes: Answers;
  readonly actor: Actor;
}

async function revise(tx: Db, review: ReviewRow, scored: ReviewedVersion, { before, changes, actor }: Revision) {
  // Not the whole form: other comments may be erased with the call, and a question that becomes visible stays unanswered.
  const problems = checkAnswers(scored.document, changes, { complete: false });
  if (problems.length > 0) throw reviewIncomplete(problems);
  const answers = changeAnswers(before.answers, changes);
  if (before.result && isWorse(calculateResult(scored.document, answers), before.result)) throw disputeLowersScore();
  const { number, result } = await writeRevision(tx, review, scored, {
    cause: "dispute",
    author: actor,
    answers,
    comment: before.comment,
  });
  return { number, score: result.score, outcome: result.outcome };
}

async function writeDecisions(
  tx: Db,
  { workspaceId }: ReviewRow,
  disputeId: string,
  items: readonly Decision[],
  changes: Answers,
): Promise<void> {
  for (const { question_id, decision, explanation } of items) {
    await tx
      .updateTable("disputeItem")
      .set({
        decision,
        explanation: explanation.trim(),
        decided: decision === "changed" ? JSON.stringify(changes[question_id]) : null,
      })
      .where("workspaceId", "=", workspaceId)
      .where("disputeId", "=", disputeId)
      .where("questionId", "=", question_id)
      .execute();
  }
}
