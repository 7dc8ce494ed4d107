import type { DisputeBody } from "@hearback/contract";
import type { ReviewRow } from "../find-review.ts";
import type { ReviewViewer } from "../review-viewer.ts";

/** Whether the viewer may decide: the arbiter or a supervisor, but not the reviewer, the agent or an earlier decider. */
export function isArbiter(
  review: ReviewRow,
  disputes: readonly DisputeBody[],
  { arbiter_id }: DisputeBody,
  viewer: ReviewViewer,
): boolean {
  const earlier = disputes.map(({ resolved_by }) => resolved_by?.id);
  const isExcluded = [review.reviewerId, review.agentId, ...earlier].includes(viewer.id);
  return !isExcluded && (arbiter_id === viewer.id || viewer.sees === "all");
}
