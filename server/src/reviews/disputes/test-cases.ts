import type { DisputeBody, TestCasesBody } from "@hearback/contract";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import type { Actor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { fieldInvalid } from "../../platform/errors.ts";
import { isVisible, type ReviewViewer } from "../review/review-viewer.ts";
import { lockDispute } from "./lock-dispute.ts";

/** A file of test cases has at most as many. */
const mostCases = 1000;

/** Keeps a decided dispute as a test case of its scorecard, or no longer: `name` is null. */
export async function keepAsTestCase(
  app: App,
  viewer: ReviewViewer,
  { id, name, actor }: { readonly id: string; readonly name: string | null; readonly actor: Actor },
): Promise<DisputeBody> {
  const { workspaceId } = viewer;
  return inWorkspace(app, workspaceId, async (tx) => {
    const { dispute, review } = await lockDispute(tx, viewer, id);
    // A dispute of a voided review ends without a decision.
    if (name !== null && dispute.items.some(({ decision }) => decision === null))
      throw fieldInvalid("test_case", "not_decided", "Only a decided dispute can be kept as a test case.");
    if (dispute.test_case === name) return dispute;
    await tx
      .updateTable("dispute")
      .set({ testCase: name })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .execute();
    const subject = { type: "review", id: review.id };
    const data = { dispute_id: id, kept: name !== null };
    await recordAuditEntry(tx, workspaceId, { actor, action: "dispute.test_case_changed", subject, data });
    return { ...dispute, test_case: name };
  });
}

/** The decided disputes that are kept as test cases of a scorecard, oldest first: answers, and the score they must have. */
export async function listTestCases(tx: Db, viewer: ReviewViewer, scorecardId: string): Promise<TestCasesBody> {
  const rows = await tx
    .selectFrom("dispute")
    .innerJoin("review", (join) =>
      join.onRef("review.workspaceId", "=", "dispute.workspaceId").onRef("review.id", "=", "dispute.reviewId"),
    )
    .innerJoin("reviewRevision as revision", (join) =>
      join
        .onRef("revision.workspaceId", "=", "dispute.workspaceId")
        .onRef("revision.reviewId", "=", "dispute.reviewId")
        .on((on) => on("revision.number", "=", on.fn.coalesce("dispute.resolvedRevision", "dispute.revision"))),
    )
    .select(["dispute.testCase as name", "revision.answers", "revision.score", "revision.outcome"])
    .where("dispute.workspaceId", "=", viewer.workspaceId)
    .where("dispute.testCase", "is not", null)
    .where("review.scorecardId", "=", scorecardId)
    .where("review.state", "=", "released")
    .where(isVisible(viewer))
    .orderBy("dispute.id")
    .limit(mostCases)
    .execute();
  const cases = rows.map(({ name, answers, score, outcome }) => ({
    name: name ?? "",
    answers: answers as TestCasesBody["cases"][number]["answers"],
    expect: { score: score === null ? null : score / 100, outcome: outcome as "passed" | "failed" | "not_scored" },
  }));
  return { format: "hearback.scorecard-tests/1", cases };
}
