import type { ReviewerScorePageBody } from "@hearback/contract";
import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { toPage } from "../../platform/database/pages.ts";
import { lowestUuid } from "../../platform/is-uuid.ts";
import { estimateRate } from "../../scores/estimates.ts";
import { readMinReviews } from "../../scores/min-reviews.ts";
import { matchesReviews, type ScoreFilter } from "../../scores/score-filter.ts";
import { findReviewerAgreements } from "./reviewer-agreement.ts";
import { findSeverities, severitySettings } from "./reviewer-severity.ts";

interface ReviewerRow {
  readonly reviewerId: string;
  readonly name: string | null;
  readonly reviews: number;
  readonly medianActiveMs: number | null;
  readonly disputed: number;
  readonly decided: number;
  readonly changed: number;
}

interface Paging {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Reviewers with released reviews in the period, in the order of their ids: never ranked. */
export async function listReviewers(app: App, filter: ScoreFilter, paging: Paging): Promise<ReviewerScorePageBody> {
  const { workspaceId } = filter;
  const readPage = async (tx: Db) => ({
    page: toPage(await readReviewers(tx, filter, paging), paging.limit, ({ reviewerId }) => reviewerId),
    minReviews: await readMinReviews(tx, workspaceId),
  });
  const { page, minReviews } = await inWorkspace(app, workspaceId, readPage, { jit: "off" });
  const ids = page.rows.map(({ reviewerId }) => reviewerId);
  const severities = await inWorkspace(app, workspaceId, (tx) => findSeverities(tx, filter, ids), severitySettings);
  const agreements = await findReviewerAgreements(app, filter, ids);
  return {
    min_reviews: minReviews,
    agreement_complete: agreements.complete,
    reviewers: page.rows.map(({ reviewerId, name, reviews, medianActiveMs, disputed, decided, changed }) => ({
      reviewer_id: reviewerId,
      name,
      reviews,
      median_active_seconds: medianActiveMs === null ? null : Math.round(medianActiveMs / 1000),
      severity: severities.get(reviewerId) ?? { n: 0, value: null, low: null, high: null },
      agreement: agreements.of(reviewerId),
      overturned: { disputed, changed, changed_rate: estimateRate(changed, decided) },
    })),
    next: page.next,
  };
}

async function readReviewers(tx: Db, filter: ScoreFilter, { cursor, limit }: Paging): Promise<ReviewerRow[]> {
  const { workspaceId } = filter;
  // The condition of the index.
  const isNext = sql`workspace_id = ${workspaceId} and state in ('submitted', 'released')
    and selection in ('drawn', 'picked') and reviewer_id >`;
  // Skips from reviewer to reviewer in the index, and reads the calls of each. The limit ends the recursion. No join with names: a hash
  // join would lose the order.
  const { rows } = await sql<ReviewerRow>`
    with recursive reviewers as (
      (select reviewer_id from review where ${isNext} ${cursor ?? lowestUuid} order by reviewer_id limit 1)
      union all
      select (select reviewer_id from review where ${isNext} reviewers.reviewer_id order by reviewer_id limit 1)
      from reviewers where reviewers.reviewer_id is not null)
    select reviewers.reviewer_id, done.*, coalesce(
        (select name from app_user where workspace_id = ${workspaceId} and id = reviewers.reviewer_id),
        (select name from api_key where workspace_id = ${workspaceId} and id = reviewers.reviewer_id)) as name
    from reviewers
    cross join lateral (
      select count(*) as reviews,
        percentile_cont(0.5) within group (order by active_ms) filter (where active_ms > 0) as median_active_ms,
        coalesce(sum(disputed), 0)::bigint as disputed, coalesce(sum(decided), 0)::bigint as decided,
        coalesce(sum(changed), 0)::bigint as changed
      from (select id, active_ms, dispute from review where ${matchesReviews(filter)} and reviewer_id = reviewers.reviewer_id
          and state = 'released' and selection in ('drawn', 'picked')) as counted
      cross join lateral (
        select count(*) as disputed, count(*) filter (where state = 'resolved') as decided, count(resolved_revision) as changed
        from dispute where workspace_id = ${workspaceId} and review_id = counted.id and counted.dispute is not null) as disputes
      ) as done
    where reviews > 0
    limit ${limit + 1}`.execute(tx);
  return rows;
}
