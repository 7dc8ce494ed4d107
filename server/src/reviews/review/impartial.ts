import type { Db } from "../../platform/database/database.ts";
import { notArbiter, ownCall } from "../errors.ts";
import type { ReviewRow } from "./find-review.ts";
import type { ReviewViewer } from "./review-viewer.ts";

/** These users and API keys, and the users who made the keys: actions of a key count as those of its maker. */
export async function withMakers(
  tx: Db,
  workspaceId: string,
  ids: readonly (string | null | undefined)[],
): Promise<Set<string>> {
  const known = ids.filter((id) => typeof id === "string");
  if (known.length === 0) return new Set();
  const keys = await tx
    .selectFrom("apiKey")
    .select("createdBy")
    .where("workspaceId", "=", workspaceId)
    .where("id", "in", known)
    .where("createdBy", "is not", null)
    .execute();
  return new Set([...known, ...keys.flatMap(({ createdBy }) => createdBy ?? [])]);
}

/** Whether the viewer is, with their own hands or by a key, one of these users and API keys. */
export async function isOneOf(
  tx: Db,
  { workspaceId, id }: ReviewViewer,
  ids: readonly (string | null | undefined)[],
): Promise<boolean> {
  const [viewers, others] = [await withMakers(tx, workspaceId, [id]), await withMakers(tx, workspaceId, ids)];
  return [...viewers].some((viewer) => others.has(viewer));
}

/** Whether the viewer may correct the review: not their own call, and not against a dispute about their own review. */
export const isImpartial = async (tx: Db, review: ReviewRow, viewer: ReviewViewer): Promise<boolean> =>
  !(await isOneOf(tx, viewer, [review.agentId, ...(review.dispute === "open" ? [review.reviewerId] : [])]));

/** Whether the viewer may void the review, or lower its score: after a decision on it, its reviewer may not. */
export const isThirdPerson = async (tx: Db, review: ReviewRow, viewer: ReviewViewer): Promise<boolean> =>
  !(await isOneOf(tx, viewer, [review.agentId, ...(review.dispute === null ? [] : [review.reviewerId])]));

export async function rejectOwnCall(tx: Db, { agentId }: Pick<ReviewRow, "agentId">, viewer: ReviewViewer) {
  if (await isOneOf(tx, viewer, [agentId])) throw ownCall();
}

export async function requireImpartial(tx: Db, review: ReviewRow, viewer: ReviewViewer): Promise<void> {
  await rejectOwnCall(tx, review, viewer);
  if (!(await isImpartial(tx, review, viewer))) throw notArbiter();
}

export async function requireThirdPerson(tx: Db, review: ReviewRow, viewer: ReviewViewer): Promise<void> {
  await requireImpartial(tx, review, viewer);
  if (await isThirdPerson(tx, review, viewer)) return;
  throw notArbiter.withDetail(
    "Once an objection is decided, the reviewer can neither lower the score nor void the review. Another supervisor can.",
  );
}
