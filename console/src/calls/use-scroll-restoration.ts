import type { CallFilter } from "@hearback/sdk";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { rowOf } from "./call-list.ts";
import { callQueries, findListPosition, type ListPosition, saveListPosition } from "./queries.ts";

interface ScrollRestorationOptions {
  /** Key of this entry in the browser history. */
  readonly step: string;
  /** Query string. */
  readonly address: string;
  readonly filter: CallFilter;
}

/**
 * Restores the scroll position and the last viewed call on back navigation or when returning from a call. Otherwise the
 * list starts at the top.
 */
export function useScrollRestoration({ step, address, filter }: ScrollRestorationOptions) {
  const queries = useQueryClient();
  const router = useRouter();
  const [position, setPosition] = useState((): ListPosition | undefined => {
    // Still the previous location at this point.
    const seen = /\/calls\/([^/]+)$/.exec(router.state.resolvedLocation?.pathname ?? "")?.[1];
    const kept = findListPosition(queries, step) ?? (seen ? findListPosition(queries, address) : undefined);
    const list = queries.getQueryData(callQueries.list(filter).queryKey);
    if (!kept || !list) return undefined;
    return { ...kept, row: (seen ? rowOf(list, seen) : undefined) ?? kept.row };
  });
  const leave = useCallback(
    (now: ListPosition) => {
      saveListPosition(queries, step, now);
      saveListPosition(queries, address, now);
    },
    [queries, step, address],
  );
  /** Resets the position to the top. */
  const forget = useCallback(() => setPosition(undefined), []);
  return { position, leave, forget };
}
