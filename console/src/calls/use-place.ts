import type { CallFilter } from "@hearback/sdk";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { rowOf } from "./call-list.ts";
import { callQueries, findPlace, keepPlace, type Place } from "./queries.ts";

interface PlaceOptions {
  /** The step in the browser's history that this is. */
  readonly step: string;
  /** What the address bar says. */
  readonly address: string;
  readonly filter: CallFilter;
}

/**
 * Where to begin in the list, and how to keep that for the next time. Whoever goes back in the browser's history, or comes
 * from one of the calls, is where they were, on the call that they saw last; everybody else begins at the top.
 */
export function usePlace({ step, address, filter }: PlaceOptions) {
  const queries = useQueryClient();
  const router = useRouter();
  const [place, setPlace] = useState((): Place | undefined => {
    // At first that is still where one comes from.
    const seen = /\/calls\/([^/]+)$/.exec(router.state.resolvedLocation?.pathname ?? "")?.[1];
    const kept = findPlace(queries, step) ?? (seen ? findPlace(queries, address) : undefined);
    const list = queries.getQueryData(callQueries.list(filter).queryKey);
    if (!kept || !list) return undefined;
    return { ...kept, row: (seen ? rowOf(list, seen) : undefined) ?? kept.row };
  });
  const leave = useCallback(
    (now: Place) => {
      keepPlace(queries, step, now);
      keepPlace(queries, address, now);
    },
    [queries, step, address],
  );
  /** The list is another one now, and begins at its top. */
  const forget = useCallback(() => setPlace(undefined), []);
  return { place, leave, forget };
}
