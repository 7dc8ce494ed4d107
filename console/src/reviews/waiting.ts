import { queryOptions } from "@tanstack/react-query";
import { client } from "../client.ts";

/** What waits for the user, for the badges in the navigation. Invalidated with the reviews. */
export const waitingQuery = queryOptions({
  queryKey: ["reviews", "waiting"],
  queryFn: ({ signal }) => client.reviews.waiting({ signal }),
  refetchInterval: 60_000,
  refetchOnWindowFocus: "always",
});
