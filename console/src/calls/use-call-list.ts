import type { CallFilter } from "@hearback/sdk";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import {
  afterOf,
  type CallList,
  cameSince,
  hasEnded,
  missingPages,
  pageOf,
  pageSize,
  withNews,
  withPage,
} from "./call-list.ts";
import { callQueries, changeList } from "./queries.ts";

export interface RowRange {
  readonly first: number;
  readonly last: number;
}

/** So many short answers are followed by themselves before somebody is asked whether to look further back. */
const patience = 20;

/**
 * A search as one long list, of which what is looked at is fetched, and what comes next a little ahead. Whoever begins at
 * its top sees what is there now; whoever comes back to a place in it finds it as it was.
 */
export function useCallList(filter: CallFilter, isComingBack: boolean) {
  const queries = useQueryClient();
  const refetchOnMount = isComingBack ? false : "always";
  const { data: list, error, refetch } = useQuery({ ...callQueries.list(filter), refetchOnMount });
  const [problem, setProblem] = useState<unknown>(null);
  const [further, setFurther] = useState(0);
  const range = useRef<RowRange>({ first: 0, last: 0 });
  const underWay = useRef(new Set<string>());
  const resting = list !== undefined && isResting(list, further);

  const load = useCallback(
    async (from: CallList, page: number) => {
      const after = afterOf(from, page);
      // A list that was read anew has other pages by the same numbers: those are not under way.
      const name = `${page} ${after}`;
      if (underWay.current.has(name)) return;
      underWay.current.add(name);
      try {
        const body = await queries.fetchQuery(callQueries.page(filter, after));
        // Unless the list was read anew meanwhile, and the page begins elsewhere.
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
    const atEnd = range.current.last + 2 * pageSize > list.rows && !hasEnded(list) && !isResting(list, further);
    for (const page of atEnd ? [...wanted, list.starts.length] : wanted) void load(list, page);
  }, [list, problem, further, load]);
  useEffect(fill, [fill]);

  /** Says which rows are looked at. */
  const look = useCallback(
    (now: RowRange) => {
      range.current = now;
      fill();
    },
    [fill],
  );
  return {
    ...{ list, error, problem, look, resting },
    retry() {
      setProblem(null);
      if (error) void refetch();
    },
    searchFurther: () => setFurther((list?.shortAnswers ?? 0) + patience),
  };
}

const isResting = (list: CallList, further: number) =>
  list.next !== null && list.shortAnswers >= Math.max(patience, further);

/** Looks again at what is shown, for somebody who comes back: calls are renewed where they are, none moves. */
export function useRenewal(filter: CallFilter, row: number | undefined): void {
  const queries = useQueryClient();
  useEffect(() => {
    const list = queries.getQueryData(callQueries.list(filter).queryKey);
    if (!list || row === undefined || list.rows === 0) return;
    void queries
      .fetchQuery(callQueries.page(filter, afterOf(list, pageOf(list, row))))
      .then(({ calls }) => changeList(queries, filter, (now) => withNews(now, calls)))
      // What is shown stays as it was.
      .catch(() => {});
  }, [queries, filter, row]);
}

/** How many calls came since the list was read, as known when; what is new about the others is shown at once. */
export function useNewCalls(filter: CallFilter, list: CallList) {
  const queries = useQueryClient();
  const { data, dataUpdatedAt: askedAt } = useQuery({
    ...callQueries.newest(filter),
    initialDataUpdatedAt: () => queries.getQueryState(callQueries.list(filter).queryKey)?.dataUpdatedAt,
  });
  useEffect(() => changeList(queries, filter, (now) => withNews(now, data)), [queries, filter, data]);
  return { count: useMemo(() => cameSince(list, data).length, [list, data]), askedAt };
}
