import type { ScoresOverviewBody } from "@hearback/contract";
import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { estimateMean } from "./estimates.ts";
import { matches, type ScoreFilter } from "./score-filter.ts";
import {
  estimatePassed,
  findItems,
  reviewsOf,
  sumColumns,
  toItems,
  totalOf,
  toVersions,
  toWeeks,
  type WeekSums,
  weekOf,
} from "./summarize.ts";

type OverviewRow = WeekSums & { readonly part: "review" | "section" | "question"; readonly itemId: string };

/**
 * Forces hash aggregation. The planner expects as many groups as rows, because it has no statistics about expressions, and would sort
 * all sums on disk for a few hundred groups.
 */
export const overviewSettings = { enable_sort: "off", jit: "off" } as const;

/** Scores of a period: by week, question and section. One pass over the sums. */
export async function findOverview(tx: Db, filter: ScoreFilter): Promise<ScoresOverviewBody> {
  // Weeks and versions matter for whole reviews only.
  const { rows } = await sql<OverviewRow>`
    select part, item_id, scorecard_id, week::text, of_version as version, min(day)::text as first_day, ${sumColumns}
    from (select *, case when part = 'review' then ${weekOf} end as week,
        case when part = 'review' then version end as of_version from score_sum where ${matches(filter)}) as sums
    group by part, item_id, scorecard_id, week, of_version`.execute(tx);
  const reviews = rows.filter(({ part }) => part === "review");
  const items = await findItems(tx, filter.workspaceId, reviews);
  const total = totalOf(reviews);
  const hours = (seconds: number, n: number) => ({ n, mean: n === 0 ? null : Math.round(seconds / n / 36) / 100 });
  return {
    reviews: reviewsOf(total),
    score: estimateMean(total),
    passed: estimatePassed(total),
    weeks: toWeeks(reviews),
    questions: toItems(
      rows.filter(({ part }) => part === "question"),
      items,
    ),
    sections: toItems(
      rows.filter(({ part }) => part === "section"),
      items,
    ),
    versions: toVersions(reviews),
    outcomes: {
      passed: total.passed,
      failed: total.failed,
      not_scored: total.unscored,
      failed_call: total.failedCall,
    },
    disputes: { opened: total.disputes, changed: total.disputesChanged },
    hours: {
      to_release: hours(total.releaseSeconds, reviewsOf(total)),
      to_acknowledgement: hours(total.acknowledgementSeconds, total.acknowledged),
    },
  };
}
