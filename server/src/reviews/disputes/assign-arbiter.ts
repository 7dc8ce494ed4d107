import type { DisputeBody } from "@hearback/contract";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import { keepReviewers } from "../../plans/draws/exclusions.ts";
import type { Actor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { fieldInvalid } from "../../platform/errors.ts";
import { disputeResolved, notArbiter } from "../errors.ts";
import { findDispute } from "../review/find-dispute.ts";
import { findExcludedArbiters, mayAssignArbiter } from "../review/is-arbiter.ts";
import type { ReviewViewer } from "../review/review-viewer.ts";
import { lockDispute } from "./lock-dispute.ts";

/** Gives an open dispute to another arbiter. */
export async function assignArbiter(
  app: App,
  viewer: ReviewViewer,
  { id, arbiterId, actor }: { readonly id: string; readonly arbiterId: string; readonly actor: Actor },
): Promise<DisputeBody> {
  const { workspaceId } = viewer;
  return inWorkspace(app, workspaceId, async (tx) => {
    // Users before reviews: see the order of locks in docs/architecture.md.
    const active = await keepReviewers(tx, workspaceId, [arbiterId]);
    const { dispute, review } = await lockDispute(tx, viewer, id);
    if (dispute.state === "resolved") throw disputeResolved();
    if (!(await mayAssignArbiter(tx, review, viewer)))
      throw notArbiter.withDetail("The reviewer and the agent do not choose who decides. Ask another supervisor.");
    if (!active.has(arbiterId) || (await findExcludedArbiters(tx, review)).includes(arbiterId)) {
      const detail =
        "arbiter_id must be an active reviewer, supervisor or administrator who has neither written the review nor decided before, and does not have to review the call.";
      throw fieldInvalid("arbiter_id", "not_allowed", detail);
    }
    await tx
      .updateTable("dispute")
      .set({ arbiterId })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .execute();
    const assigned = await findDispute(tx, workspaceId, id);
    const data = { dispute_id: id, arbiter_id: arbiterId };
    const subject = { type: "review", id: review.id };
    await recordAuditEntry(tx, workspaceId, { actor, action: "dispute.assigned", subject, data });
    return assigned;
  });
}
