import type { ReviewerScorePageBody } from "@hearback/contract";
import { sql } from "kysely";
import { happenedAt } from "../../calls/search/call-filters.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { toPage } from "../../platform/database/pages.ts";
import { lowestUuid } from "../../platform/is-uuid.ts";
import { estimateRate } from "../../scores/estimates.ts";
import { readMinReviews } from "../../scores/min-reviews.ts";
import { isOfPeriod, matchesReviews, type ScoreFilter } from "../../scores/score-filter.ts";
import { findReviewerAgreements } from "./reviewer-agreement.ts";
import { reviewerSettings } from "./reviewer-settings.ts";
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

/** Reviews that are read at most. With more in the period, the numbers are of its latest calls. */
const maxReviews = 100_000;

/** Reviewers with released reviews in the period, in the order of their ids: never ranked. */
export async function listReviewers(
  app: App,
  filter: ScoreFilter,
  { mostReviews = maxReviews, ...paging }: Paging & { readonly mostReviews?: number },
): Promise<ReviewerScorePageBody> {
  const { workspaceId } = filter;
  const readPage = async (tx: Db) => {
    const afterCall = await findCallBefore(tx, filter, mostReviews);
    const read = { ...filter, afterCall };
    return {
      read,
      page: toPage(await readReviewers(tx, read, paging), paging.limit, ({ reviewerId }) => reviewerId),
      minReviews: await readMinReviews(tx, workspaceId),
    };
  };
  const { read, page, minReviews } = await inWorkspace(app, workspaceId, readPage, reviewerSettings);
  const ids = page.rows.map(({ reviewerId }) => reviewerId);
  const severities = await inWorkspace(app, workspaceId, (tx) => findSeverities(tx, read, ids), severitySettings);
  const agreements = await findReviewerAgreements(app, filter, ids);
  return {
    min_reviews: minReviews,
    calls_after: read.afterCall === undefined ? null : happenedAt(read.afterCall).toISOString(),
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

/** The last call before the latest `most` reviews of the period. Undefined: there are no more. An index has what it reads. */
async function findCallBefore(tx: Db, filter: ScoreFilter, most: number): Promise<string | undefined> {
  const { rows } = await sql<{ callId: string }>`
    select call_id from review where ${isOfPeriod(filter)} order by call_id desc offset ${most} limit 1`.execute(tx);
  return rows[0]?.callId;
}

async function readReviewers(tx: Db, filter: ScoreFilter, { cursor, limit }: Paging): Promise<ReviewerRow[]> {
  const { workspaceId } = filter;
  const { rows } = await sql<ReviewerRow>`
    with counted as materialized (
      select id, reviewer_id, active_ms, dispute is not null as is_disputed from review
      where ${matchesReviews(filter)} and state = 'released' and selection in ('drawn', 'picked')
        and reviewer_id > ${cursor ?? lowestUuid}),
    page as materialized (
      select reviewer_id, count(*) as reviews,
        percentile_cont(0.5) within group (order by active_ms) filter (where active_ms > 0) as median_active_ms
      from counted group by reviewer_id order by reviewer_id limit ${limit + 1}),
    disputes as materialized (
      select reviewer_id, count(*) as disputed, count(*) filter (where state = 'resolved') as decided,
        count(resolved_revision) as changed
      from (select id, reviewer_id from counted where is_disputed) as disputed
      cross join lateral (select state, resolved_revision from dispute
        where workspace_id = ${workspaceId} and review_id = disputed.id offset 0) as dispute
      group by reviewer_id)
    select reviewer_id, reviews, median_active_ms, coalesce(disputed, 0) as disputed, coalesce(decided, 0) as decided,
      coalesce(changed, 0) as changed, coalesce(
        (select name from app_user where workspace_id = ${workspaceId} and id = reviewer_id),
        (select name from api_key where workspace_id = ${workspaceId} and id = reviewer_id)) as name
    from page left join disputes using (reviewer_id) order by reviewer_id`.execute(tx);
  return rows;
}
