import type { DrawReviewersBody } from "@hearback/contract";
import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import type { DrawRow } from "./find-draw.ts";
import type { Staffing } from "./hash-agents.ts";

type ReviewerBody = DrawReviewersBody["reviewers"][number];

/** Counts the assignments of a draw for each reviewer: those of the plan, and others who got some since. */
export async function countReviewers(tx: Db, draw: DrawRow): Promise<DrawReviewersBody> {
  const { reviewers } = (draw.staffing ?? { reviewers: [] }) as unknown as Staffing;
  const { rows } = await sql<Omit<ReviewerBody, "user_id" | "capacity"> & { reviewerId: string }>`
    select reviewer_id, count(*) filter (where state = 'open')::int as open,
      count(*) filter (where state = 'open' and due_at < now())::int as overdue,
      count(*) filter (where state = 'done')::int as done, count(*) filter (where state = 'skipped')::int as skipped
    from assignment where workspace_id = ${draw.workspaceId} and draw_id = ${draw.id} and reviewer_id is not null
    group by reviewer_id order by reviewer_id limit 1000`.execute(tx);
  const counts = new Map(rows.map(({ reviewerId, ...count }) => [reviewerId, count]));
  const capacities = new Map(reviewers.map(({ userId, capacity }) => [userId, capacity]));
  const none = { open: 0, overdue: 0, done: 0, skipped: 0 };
  const ids = [...new Set([...capacities.keys(), ...counts.keys()])];
  return {
    reviewers: ids.map((id) => ({ user_id: id, capacity: capacities.get(id) ?? 0, ...none, ...counts.get(id) })),
  };
}
