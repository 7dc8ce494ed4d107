import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { findEarlierReviewers } from "../draws/earlier-reviews.ts";
import { findExclusions } from "../draws/exclusions.ts";
import type { DrawRow } from "../draws/find-draw.ts";
import type { AssignmentRow } from "./find-assignment.ts";

type Assigned = Pick<
  AssignmentRow,
  "workspaceId" | "drawId" | "scorecardId" | "callId" | "agentId" | "kind" | "declinedBy"
>;

/** Whether the user may review the call: not their own, not of their team, not one that they review or have reviewed. */
export async function mayReview(tx: Db, draw: DrawRow, assignment: Assigned, userId: string): Promise<boolean> {
  const { isExcluded } = await findExclusions(tx, draw, new Set([assignment.agentId]));
  return !isExcluded(userId, assignment.agentId) && !(await findOtherReviewers(tx, assignment)).has(userId);
}

async function findOtherReviewers(
  tx: Db,
  { workspaceId, drawId, scorecardId, callId, kind }: Assigned,
): Promise<Set<string | null>> {
  const rows = await tx
    .selectFrom("assignment")
    .select("reviewerId")
    .where("workspaceId", "=", workspaceId)
    .where("drawId", "=", drawId)
    .where("callId", "=", callId)
    .where("kind", "!=", kind)
    .where("state", "!=", "skipped")
    .execute();
  const earlier = await findEarlierReviewers(tx, { workspaceId, scorecardId, callIds: [callId] });
  return new Set([...rows.map(({ reviewerId }) => reviewerId), ...(earlier.get(callId) ?? [])]);
}

/**
 * The reviewer of the plan with the smallest part of their capacity taken. Undefined: nobody can. The caller has locked the reviewers
 * of the plan (`keepReviewersOf`).
 */
export async function chooseReviewer(
  tx: Db,
  draw: DrawRow,
  assignment: Assigned,
  except: readonly string[] = [],
): Promise<string | undefined> {
  const { reviewers, isExcluded } = await findExclusions(tx, draw, new Set([assignment.agentId]));
  const others = await findOtherReviewers(tx, assignment);
  const refused = new Set([...assignment.declinedBy, ...except]);
  const candidates = reviewers.filter(
    ({ id }) => !isExcluded(id, assignment.agentId) && !others.has(id) && !refused.has(id),
  );
  const { rows } = await sql<{ reviewerId: string; open: number }>`
    select reviewer_id, count(*)::int as open from assignment
    where workspace_id = ${draw.workspaceId} and reviewer_id = any (${candidates.map(({ id }) => id)}::uuid[]) and state = 'open'
    group by reviewer_id`.execute(tx);
  const open = new Map(rows.map((row) => [row.reviewerId, row.open]));
  const load = ({ id, capacity }: (typeof candidates)[number]) => (open.get(id) ?? 0) / capacity;
  return candidates.toSorted((a, b) => load(a) - load(b) || (a.id < b.id ? -1 : 1))[0]?.id;
}
