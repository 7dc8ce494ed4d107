import type { CallFilter } from "@hearback/sdk";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import {
  afterOf,
  type CallList,
  hasEnded,
  missingPages,
  newCallsSince,
  pageOf,
  pageSize,
  withPage,
  withUpdates,
} from "./call-list.ts";
import { callQueries, changeList } from "./queries.ts";

export interface RowRange {
  readonly first: number;
  readonly last: number;
}

/** Short responses to follow automatically before asking the user to continue. */
const autoFollow = 20;

/**
 * Search result as one list. Fetches visible pages and prefetches the next one. Starts fresh, or restores the cached
 * list when the user returns to it.
 */
export function useCallList(filter: CallFilter, isComingBack: boolean) {
  const queries = useQueryClient();
  const refetchOnMount = isComingBack ? false : "always";
  const { data: list, error, refetch } = useQuery({ ...callQueries.list(filter), refetchOnMount });
  const [problem, setProblem] = useState<unknown>(null);
  const [further, setFurther] = useState(0);
  const range = useRef<RowRange>({ first: 0, last: 0 });
  const underWay = useRef(new Set<string>());
  const resting = list !== undefined && isPaused(list, further);

  const load = useCallback(
    async (from: CallList, page: number) => {
      const after = afterOf(from, page);
      // Page number plus cursor: a reloaded list has other pages with the same numbers.
      const name = `${page} ${after}`;
      if (underWay.current.has(name)) return;
      underWay.current.add(name);
      try {
        const body = await queries.fetchQuery(callQueries.page(filter, after));
        // Skip if the list was reloaded and the page has another cursor.
        changeList(queries, filter, (now) => (afterOf(now, page) === after ? withPage(now, page, body) : now));
        setProblem(null);
      } catch (error) {
        setProblem(error);
      } finally {
        underWay.current.delete(name);
      }
    },
    [queries, filter],
  );

  const fill = useCallback(() => {
    if (!list || problem) return;
    const wanted = missingPages(list, range.current);
    const atEnd = range.current.last + 2 * pageSize > list.rows && !hasEnded(list) && !isPaused(list, further);
    for (const page of atEnd ? [...wanted, list.starts.length] : wanted) void load(list, page);
  }, [list, problem, further, load]);
  useEffect(fill, [fill]);

  /** Reports the visible rows. */
  const look = useCallback(
    (now: RowRange) => {
      range.current = now;
      fill();
    },
    [fill],
  );
  return {
    list,
    error,
    problem,
    look,
    resting,
    retry() {
      setProblem(null);
      if (error) void refetch();
    },
    searchFurther: () => setFurther((list?.shortAnswers ?? 0) + autoFollow),
  };
}

const isPaused = (list: CallList, further: number) =>
  list.next !== null && list.shortAnswers >= Math.max(autoFollow, further);

/** Refreshes the visible calls in place when the user returns. */
export function useRefreshVisible(filter: CallFilter, row: number | undefined): void {
  const queries = useQueryClient();
  useEffect(() => {
    const list = queries.getQueryData(callQueries.list(filter).queryKey);
    if (!list || row === undefined || list.rows === 0) return;
    void queries
      .fetchQuery(callQueries.page(filter, afterOf(list, pageOf(list, row))))
      .then(({ calls }) => changeList(queries, filter, (now) => withUpdates(now, calls)))
      // Keep what is shown.
      .catch(() => {});
  }, [queries, filter, row]);
}

/** Number of new calls since the list was read. Status changes are applied at once. */
export function useNewCalls(filter: CallFilter, list: CallList) {
  const queries = useQueryClient();
  const { data, dataUpdatedAt: askedAt } = useQuery({
    ...callQueries.newest(filter),
    initialDataUpdatedAt: () => queries.getQueryState(callQueries.list(filter).queryKey)?.dataUpdatedAt,
  });
  useEffect(() => changeList(queries, filter, (now) => withUpdates(now, data)), [queries, filter, data]);
  return { count: useMemo(() => newCallsSince(list, data).length, [list, data]), askedAt };
}
