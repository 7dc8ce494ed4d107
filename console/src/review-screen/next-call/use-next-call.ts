import type { CallDetailBody } from "@hearback/sdk";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useSession } from "../../access/queries.ts";
import { calibrationOf } from "../../calibrations/calibration-link.ts";
import { nextSessionCallQuery } from "../../calibrations/next-session-call.ts";
import { readFilters, toCallFilter } from "../../calls/filters/call-filters.ts";
import { playerQueries } from "../../player/queries.ts";
import { nextAssignmentQuery } from "../../queue/next-assignment.ts";
import { isFromQueue } from "../../queue/queue-link.ts";
import type { SearchParams } from "../../search-params.ts";
import { prefetchReview, reviewScreenQueries } from "../queries.ts";

export interface NextCall {
  readonly id: string;
  /** The scorecard that the plan or the session asks for. Absent: chosen on the screen. */
  readonly scorecardId?: string;
}

/** Finds the next call of the list, the queue or the calibration session and loads it. null: none is left. */
export function useNextCall(list: SearchParams, { id }: Pick<CallDetailBody, "id">): NextCall | null | undefined {
  const { user } = useSession();
  const queries = useQueryClient();
  const calibrationId = calibrationOf(list);
  const isSession = calibrationId !== undefined;
  const isQueue = !isSession && isFromQueue(list);
  // Resolved once: the list must not change while the page is open.
  const [filter] = useState(() => toCallFilter(readFilters(list)));
  const seesOwnReviews = user.role === "reviewer";
  const { data: listed } = useQuery({
    ...reviewScreenQueries.next({ filter, id, userId: user.id, seesOwnReviews }),
    enabled: !isQueue && !isSession,
  });
  const { data: assigned } = useQuery({ ...nextAssignmentQuery(user.id, id), enabled: isQueue });
  const { data: inSession } = useQuery({ ...nextSessionCallQuery(calibrationId ?? "", id), enabled: isSession });
  const given = isSession ? inSession : assigned;
  const isGiven = isSession || isQueue;
  const { data: givenCall } = useQuery({
    ...playerQueries.call(given?.call_id ?? ""),
    enabled: isGiven && given != null,
  });
  const next = isGiven ? givenCall : listed;
  useEffect(() => {
    if (next) void prefetchReview(queries, next, user.id).catch(() => undefined);
  }, [queries, next, user.id]);
  if (!isGiven) return listed;
  return given && { id: given.call_id, scorecardId: given.scorecard_id };
}
