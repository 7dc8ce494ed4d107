import type { Db } from "../platform/database/database.ts";
import { type CountedReview, contributionOf } from "./contribution.ts";
import { readCounted } from "./read-counted.ts";
import { agentScoreSum, deletedScoreSum, deleteEmptySums, scoreSum, subtractSums, writeSums } from "./sums.ts";

interface ReviewRef {
  readonly workspaceId: string;
  readonly id: string;
  readonly state: string;
}

const sumsOf = (reviews: readonly CountedReview[]) => reviews.flatMap((review) => contributionOf(review).sums);
const agentSumsOf = (reviews: readonly CountedReview[]) =>
  reviews.flatMap((review) => contributionOf(review).agentSums);

/** What a review counts before a change. Pass it to `countChange`. */
export const readBefore = async (tx: Db, { workspaceId, id, state }: ReviewRef): Promise<CountedReview[]> =>
  state === "released" ? readCounted(tx, workspaceId, [id]) : [];

/**
 * Adds to the sums what changed since `before`. Call it after all changes of the review, and before the audit entry: the order of
 * locks is review, sums, audit log.
 */
export async function countChange(
  tx: Db,
  { workspaceId, id }: Pick<ReviewRef, "workspaceId" | "id">,
  before: readonly CountedReview[],
): Promise<void> {
  const after = await readCounted(tx, workspaceId, [id]);
  await writeSums(tx, workspaceId, scoreSum, subtractSums(scoreSum, sumsOf(after), sumsOf(before)));
  const ofAgent = subtractSums(agentScoreSum, agentSumsOf(after), agentSumsOf(before));
  await writeSums(tx, workspaceId, agentScoreSum, ofAgent);
}

/**
 * Reviews are about to be deleted: their sums stay without the agent, and the agent's are subtracted. Returns the writes, for
 * after the deletion.
 */
export async function keepSumsOfDeleted(
  tx: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<() => Promise<void>> {
  const deleted = await readCounted(tx, workspaceId, ids);
  const ofAgents = subtractSums(agentScoreSum, [], agentSumsOf(deleted));
  return async () => {
    await writeSums(tx, workspaceId, deletedScoreSum, subtractSums(deletedScoreSum, sumsOf(deleted), []));
    await writeSums(tx, workspaceId, agentScoreSum, ofAgents);
    await deleteEmptySums(tx, workspaceId, ofAgents);
  };
}
