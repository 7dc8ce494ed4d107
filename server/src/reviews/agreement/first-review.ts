import type { Answers } from "@hearback/scoring/answers";
import { sql } from "kysely";

/** What the reviewer submitted first: before they could see the other review, corrections and decisions on disputes. */
export const submittedAnswers = (review: string) => {
  const table = sql.table(review);
  return sql<Answers>`(select answers from review_revision as revision
    where revision.workspace_id = ${table}.workspace_id and revision.review_id = ${table}.id and cause = 'submitted'
    order by number limit 1)`;
};

/** Joins the second review of a call, `second`, with the review that it checks, `first`. */
export const joinFirstReview = sql`left join lateral (
      select review.reviewer_id, review.version, ${submittedAnswers("review")} as answers from review
      where review.workspace_id = second.workspace_id and review.call_id = second.call_id
        and review.scorecard_id = second.scorecard_id and review.selection in ('drawn', 'picked')
        and review.state in ('submitted', 'released') and review.reviewer_id <> second.reviewer_id
      -- The review that the second one checks is drawn as well.
      order by review.selection = 'drawn' desc, review.id limit 1) as first on true`;
