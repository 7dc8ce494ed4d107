import { passingScore } from "@hearback/scoring/passing-score";
import { useQueries, useQuery } from "@tanstack/react-query";
import { reviewQueries } from "../reviews/queries.ts";
import { sharedTarget } from "./shared-target.ts";

/** More scorecards hardly have the same passing score. */
const maxScorecards = 10;

/**
 * The passing score in hundredths that these scorecards share in their latest versions. Without scorecards: that all published ones
 * share. null: there is none.
 */
export function useTarget(scorecardIds: readonly string[] | undefined): number | null {
  const { data: scorecards = [] } = useQuery(reviewQueries.scorecards);
  const used = scorecards.flatMap(({ id, latest_version: version }) =>
    version !== null && (scorecardIds?.includes(id) ?? true) ? [{ id, version }] : [],
  );
  const versions = useQueries({
    queries: used.length > maxScorecards ? [] : used.map(({ id, version }) => reviewQueries.version(id, version)),
  });
  return sharedTarget(versions.map(({ data }) => (data ? passingScore(data.document) : null)));
}
