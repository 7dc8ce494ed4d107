import { type RawBuilder, sql } from "kysely";
import { firstCallId } from "../calls/search/call-filters.ts";
import type { Caller } from "../platform/caller.ts";

export interface ScoreFilter {
  readonly workspaceId: string;
  /** Dates, both inclusive. */
  readonly from: string;
  readonly to: string;
  readonly selection: "drawn" | "picked" | "both";
  readonly scorecardId: string | undefined;
  readonly teamId: string | undefined;
  readonly campaignId: string | undefined;
  /** The caller may see only these campaigns; null: all. */
  readonly within: readonly string[] | null;
  /** Only later calls than this one. */
  readonly afterCall?: string | undefined;
}

interface Query {
  readonly from: string;
  readonly to: string;
  readonly selection?: ScoreFilter["selection"];
  readonly scorecard_id?: string | undefined;
  readonly team_id?: string | undefined;
  readonly campaign_id?: string | undefined;
}

export const scoreFilterOf = ({ workspaceId, campaignIds }: Caller, query: Query): ScoreFilter => ({
  workspaceId,
  from: query.from,
  to: query.to,
  selection: query.selection ?? "both",
  scorecardId: query.scorecard_id,
  teamId: query.team_id,
  campaignId: query.campaign_id,
  within: campaignIds,
});

const dayMs = 24 * 3600_000;

/** Condition on score_sum or agent_score_sum. */
export function matches(filter: ScoreFilter): RawBuilder<boolean> {
  const { workspaceId, from, to, selection } = filter;
  const selections = selection === "both" ? ["drawn", "picked"] : [selection];
  return sql<boolean>`(workspace_id = ${workspaceId} and day between ${from}::date and ${to}::date
    and selection = any (${selections}::text[]) ${groupConditions(filter)})`;
}

/** Condition on review, of every selection: the conversation is in the period. */
export const matchesReviews = (filter: ScoreFilter): RawBuilder<boolean> =>
  sql<boolean>`(${isOfPeriod(filter)} ${groupConditions(filter)})`;

/** The same, whatever the scorecard, team and campaign. */
export const isOfPeriod = ({ workspaceId, from, to, afterCall }: ScoreFilter): RawBuilder<boolean> =>
  sql<boolean>`(workspace_id = ${workspaceId} and call_id >= ${firstCallId(Date.parse(from))}
    and call_id < ${firstCallId(Date.parse(to) + dayMs)}
    ${afterCall === undefined ? sql`` : sql`and call_id > ${afterCall}::uuid`})`;

const groupConditions = ({ scorecardId, teamId, campaignId, within }: ScoreFilter) =>
  sql.join(
    [
      ...(scorecardId === undefined ? [] : [sql`and scorecard_id = ${scorecardId}`]),
      ...(teamId === undefined ? [] : [sql`and team_id = ${teamId}`]),
      ...(campaignId === undefined ? [] : [sql`and campaign_id = ${campaignId}`]),
      ...(within === null ? [] : [sql`and campaign_id = any (${[...within]}::text[])`]),
    ],
    sql` `,
  );
