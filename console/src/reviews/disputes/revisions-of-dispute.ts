import type { DisputeBody, ReviewDetailBody } from "@hearback/sdk";

type Revision = ReviewDetailBody["revisions"][number];

interface ScoreChange {
  readonly before: Revision;
  readonly after: Revision;
}

/**
 * The revisions before and after the decision on a dispute. Undefined: it changed no answer, so it has no revision.
 * Disputes are in order, revisions newest first.
 */
export function revisionsOfDispute(
  { revisions }: Pick<ReviewDetailBody, "revisions">,
  disputes: readonly DisputeBody[],
  dispute: DisputeBody,
): ScoreChange | undefined {
  const hasChanged = ({ items }: DisputeBody) => items.some(({ decision }) => decision === "changed");
  if (!hasChanged(dispute)) return undefined;
  const position = disputes.slice(0, disputes.indexOf(dispute)).filter(hasChanged).length;
  const oldestFirst = revisions.toReversed();
  const after = oldestFirst.filter(({ cause }) => cause === "dispute")[position];
  const before = after && oldestFirst[oldestFirst.indexOf(after) - 1];
  return after && before && { before, after };
}
