import type { ScoreEstimate } from "@hearback/contract";
import type { Answers } from "@hearback/scoring/answers";
import type { ClusterSums } from "@hearback/scoring/statistics/intervals";
import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import { openTimeSlices } from "../../platform/async/time-slices.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { estimateClusters } from "../../scores/estimates.ts";
import { matchesReviews, type ScoreFilter } from "../../scores/score-filter.ts";
import { comparePair } from "../agreement/collect-agreements.ts";
import { joinFirstReview, submittedAnswers } from "../agreement/first-review.ts";
import { findReviewedVersion } from "../review/scorecard-documents.ts";

const maxPairs = 20_000;
/** Pairs that one transaction reads: up to 150 answers of each review. */
const batchSize = 500;
/** Then the numbers are about what was read so far. */
const maxReadMs = 5_000;
const highestUuid = "ffffffff-ffff-ffff-ffff-ffffffffffff";

interface PairRow {
  readonly id: string;
  readonly callId: string;
  readonly scorecardId: string;
  readonly reviewerId: string;
  readonly version: number;
  readonly answers: Answers;
  /** Null: there is no first review. */
  readonly firstReviewerId: string | null;
  readonly firstVersion: number | null;
  readonly firstAnswers: Answers | null;
}

/** The next second reviews, latest call first, each with the first review of its call. */
async function readPairs(tx: Db, filter: ScoreFilter, after: PairRow | undefined): Promise<PairRow[]> {
  const { rows } = await sql<PairRow>`
    select second.id, second.call_id, second.scorecard_id, second.reviewer_id, second.version,
      ${submittedAnswers("second")} as answers, first.reviewer_id as first_reviewer_id, first.version as first_version,
      first.answers as first_answers
    from (
      select workspace_id, id, call_id, scorecard_id, reviewer_id, version from review
      where ${matchesReviews(filter)} and selection = 'second' and state = 'submitted'
        and (call_id, id) < (${after?.callId ?? highestUuid}::uuid, ${after?.id ?? highestUuid}::uuid)
      order by call_id desc, id desc limit ${batchSize}) as second
    ${joinFirstReview}
    order by second.call_id desc, second.id desc`.execute(tx);
  return rows;
}

type PairSums = { -readonly [Key in keyof ClusterSums]: ClusterSums[Key] };
const emptySums = (): PairSums => ({
  clusters: 0,
  count: 0,
  total: 0,
  squaredTotals: 0,
  products: 0,
  squaredCounts: 0,
});

/** A pair is a cluster: its answers are dependent. `total` is in hundredths of a percent. */
function addPair(sums: PairSums, count: number, total: number): void {
  sums.clusters += 1;
  sums.count += count;
  sums.total += total;
  sums.squaredTotals += total * total;
  sums.products += count * total;
  sums.squaredCounts += count * count;
}

export interface ReviewerAgreements {
  readonly of: (reviewerId: string) => ScoreEstimate;
  /** False: there are more pairs than were read. */
  readonly complete: boolean;
}

/**
 * Rates of equal answers in the pairs of a first and a second review of each reviewer. Reads in batches, so that memory does not grow
 * with the number of pairs, and stops at a number of pairs or after a time.
 */
export async function findReviewerAgreements(
  app: App,
  filter: ScoreFilter,
  reviewerIds: readonly string[],
): Promise<ReviewerAgreements> {
  const { workspaceId } = filter;
  const counts = new Map(reviewerIds.map((id) => [id, emptySums()]));
  const deadline = Date.now() + maxReadMs;
  let read = 0;
  let isEnd = reviewerIds.length === 0;
  let last: PairRow | undefined;
  while (!isEnd && read < maxPairs && Date.now() < deadline) {
    const rows = await inWorkspace(app, workspaceId, async (tx) => {
      const pairs = await readPairs(tx, filter, last);
      const slices = openTimeSlices();
      for (const pair of pairs) {
        const { scorecardId, version, answers, firstVersion, firstAnswers } = pair;
        const reviewers = [pair.reviewerId, pair.firstReviewerId ?? ""].flatMap((id) => counts.get(id) ?? []);
        if (firstVersion === null || firstAnswers === null || reviewers.length === 0) continue;
        const used = await findReviewedVersion(tx, { workspaceId, scorecardId, version });
        const firstUsed = await findReviewedVersion(tx, { workspaceId, scorecardId, version: firstVersion });
        const { compared, equal } = comparePair(
          { document: firstUsed.document, answers: firstAnswers },
          { document: used.document, answers },
        );
        if (compared > 0) for (const sums of reviewers) addPair(sums, compared, equal * 10_000);
        if (slices.isUsedUp()) await slices.yield();
      }
      return pairs;
    });
    read += rows.length;
    isEnd = rows.length < batchSize;
    last = rows.at(-1);
  }
  const of = (id: string) => estimateClusters(counts.get(id) ?? emptySums());
  return { of, complete: isEnd };
}
