import { queryOptions } from "@tanstack/react-query";
import { client } from "../client.ts";

/** Counts of the user's queue and its next call. Also for the badge in the navigation. */
export const queueQuery = queryOptions({
  queryKey: ["assignments", "queue"],
  queryFn: ({ signal }) => client.assignments.queue({ signal }),
  refetchInterval: 60_000,
  refetchOnWindowFocus: "always",
});
