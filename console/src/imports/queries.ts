import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { client } from "../client.ts";

export const importQueries = {
  summary: (days: number) =>
    queryOptions({
      queryKey: ["imports", "summary", days],
      queryFn: ({ signal }) => client.imports.summary({ days, signal }),
      staleTime: 15_000,
      refetchInterval: 30_000,
      // Keep the previous data while another period loads.
      placeholderData: keepPreviousData,
    }),
};
