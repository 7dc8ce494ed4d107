import { maxScoreItems, type OwnScoresBody, type ScoreItem, type ScoreWeek } from "@hearback/contract";
import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { estimateMean, estimateRate } from "./estimates.ts";
import { addMeasures, type Measures, noMeasures } from "./measures.ts";

/** Sums of whole reviews in a week, by version. */
export interface WeekSums extends Measures {
  readonly week: string;
  readonly scorecardId: string;
  readonly version: number;
  readonly firstDay: string;
}

/** Sums of a question or section over the whole period. */
export interface ItemSums extends Pick<Measures, "scored" | "unscored" | "failed" | "scoreTotal" | "scoreSquares"> {
  readonly scorecardId: string;
  readonly itemId: string;
}

/** The Monday of a day. 2001-01-01 was one. Integers, because date_trunc depends on the time zone. */
export const weekOf = sql<string>`(day - (day - date '2001-01-01') % 7)`;

/** Sums the measures of rows, as columns. */
export const sumColumns = sql.raw(
  [
    "scored",
    "unscored",
    "passed",
    "failed",
    "failed_call",
    "score_total",
    "score_squares",
    "disputes",
    "disputes_changed",
  ]
    .concat(["release_seconds", "acknowledged", "acknowledgement_seconds"])
    .map((column) => `coalesce(sum(${column}), 0)::bigint as ${column}`)
    .join(", "),
);

export const totalOf = (rows: readonly Measures[]): Measures =>
  rows.reduce<Measures>((sum, row) => addMeasures(sum, row), noMeasures);

export const reviewsOf = ({ scored, unscored }: Measures) => scored + unscored;
/** Reviews that are not scored neither pass nor fail. */
export const estimatePassed = ({ passed, failed }: Measures) => estimateRate(passed, passed + failed);

export function toWeeks(rows: readonly WeekSums[]): ScoreWeek[] {
  const weeks = Map.groupBy(rows, ({ week }) => week);
  return [...weeks]
    .map(([week, of]) => ({ week, total: totalOf(of) }))
    .filter(({ total }) => reviewsOf(total) > 0)
    .map(({ week, total }) => ({
      week,
      reviews: reviewsOf(total),
      score: estimateMean(total),
      passed: estimatePassed(total),
    }))
    .sort((a, b) => (a.week < b.week ? -1 : 1));
}

/** Versions that are not the first of their scorecard in the period. */
export function toVersions(rows: readonly WeekSums[]): OwnScoresBody["versions"] {
  const ofScorecards = Map.groupBy(
    rows.filter((row) => reviewsOf(row) > 0),
    ({ scorecardId }) => scorecardId,
  );
  return [...ofScorecards].flatMap(([scorecard_id, of]) => {
    const versions = Map.groupBy(of, ({ version }) => version);
    const [, ...later] = [...versions].sort(([a], [b]) => a - b);
    return later.map(([version, weeks]) => ({
      scorecard_id,
      version,
      first_day: weeks.map(({ firstDay }) => firstDay).sort()[0] ?? "",
    }));
  });
}

/** Highest fail rate first. */
export function toItems(rows: readonly ItemSums[], items: Items): ScoreItem[] {
  return rows
    .filter(({ scored, unscored }) => scored + unscored > 0)
    .map((row) => {
      const item = items.get(`${row.scorecardId}/${row.itemId}`);
      return {
        scorecard_id: row.scorecardId,
        id: row.itemId,
        title: item?.title ?? null,
        not_applicable: row.unscored,
        // The other share of the fail rate, also if all answers are equal.
        score: item?.isYesNo ? estimateRate(row.scored - row.failed, row.scored) : estimateMean(row),
        failed: estimateRate(row.failed, row.scored),
      };
    })
    .sort((a, b) => (b.failed.value ?? -1) - (a.failed.value ?? -1) || (a.id < b.id ? -1 : 1))
    .slice(0, maxScoreItems);
}

interface Item {
  readonly title: string;
  /** A question with full points for yes and none for no. */
  readonly isYesNo: boolean;
}
type Items = ReadonlyMap<string, Item>;

/** Questions and sections by scorecard and id, in the latest version of each scorecard that was used. */
export async function findItems(tx: Db, workspaceId: string, rows: readonly WeekSums[]): Promise<Items> {
  const used = Map.groupBy(rows, ({ scorecardId }) => scorecardId);
  const latest = [...used].map(([scorecard_id, of]) => ({
    scorecard_id,
    version: Math.max(...of.map(({ version }) => version)),
  }));
  const { rows: found } = await sql<Item & { scorecardId: string; id: string }>`
    with documents as (
      select stored.scorecard_id, section
      from jsonb_to_recordset(${JSON.stringify(latest)}::jsonb) as used (scorecard_id uuid, version integer)
      join scorecard_version as stored on stored.workspace_id = ${workspaceId} and stored.scorecard_id = used.scorecard_id
        and stored.version = used.version
      cross join jsonb_array_elements(stored.document -> 'sections') as section)
    select scorecard_id, section ->> 'id' as id, section ->> 'title' as title, false as is_yes_no from documents
    union all
    select scorecard_id, question ->> 'id', question ->> 'title', question ->> 'type' = 'yes_no'
    from documents cross join jsonb_array_elements(section -> 'questions') as question`.execute(tx);
  return new Map(found.map(({ scorecardId, id, ...item }) => [`${scorecardId}/${id}`, item]));
}
