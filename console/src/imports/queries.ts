import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { client } from "../client.ts";

/** What the console asks about imports. */
export const importQueries = {
  summary: (days: number, timeZone: string) =>
    queryOptions({
      queryKey: ["imports", "summary", days, timeZone],
      queryFn: ({ signal }) => client.imports.summary({ days, timeZone, signal }),
      staleTime: 15_000,
      refetchInterval: 30_000,
      // Another period replaces the numbers, not the page.
      placeholderData: keepPreviousData,
    }),
};
