import type { CallDetailBody, CallItem } from "@hearback/sdk";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useSession } from "../access/queries.ts";
import { readFilters, toCallFilter } from "../calls/call-filters.ts";
import type { SearchParams } from "../search-params.ts";
import { prefetchReview, reviewScreenQueries } from "./queries.ts";

/** Finds the next call of the list to review and loads it. null: none is left. */
export function useNextCall(list: SearchParams, { id }: Pick<CallDetailBody, "id">): CallItem | null | undefined {
  const { user } = useSession();
  const queries = useQueryClient();
  // Resolved once: the list must not change while the page is open.
  const [filter] = useState(() => toCallFilter(readFilters(list)));
  const seesOwnReviews = user.role === "reviewer";
  const { data: next } = useQuery(reviewScreenQueries.next({ filter, id, userId: user.id, seesOwnReviews }));
  useEffect(() => {
    if (next) void prefetchReview(queries, next, user.id).catch(() => undefined);
  }, [queries, next, user.id]);
  return next;
}
