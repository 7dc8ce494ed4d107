import type { AssignmentBody } from "@hearback/sdk";
import type { SearchParams } from "../search-params.ts";

/** Search parameters of the review screen that mean: the call is from the queue. */
export const queueSearch = { from: "queue" } as const;

export const isFromQueue = (search: SearchParams): boolean => search.from === queueSearch.from;

/** Link to the screen where the call is reviewed. It continues with the queue. */
export const queueLink = ({ call_id, scorecard_id }: Pick<AssignmentBody, "call_id" | "scorecard_id">) => ({
  to: `/calls/${call_id}/review` as string,
  search: { scorecard: scorecard_id, ...queueSearch },
});
