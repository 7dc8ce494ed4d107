import { queryOptions } from "@tanstack/react-query";
import { client } from "../../client.ts";

/** Counts of reviews and disputes that the user has to handle, for the badges in the navigation. Invalidated with the reviews. */
export const waitingQuery = queryOptions({
  queryKey: ["reviews", "waiting"],
  queryFn: ({ signal }) => client.reviews.waiting({ signal }),
  refetchInterval: 60_000,
  refetchOnWindowFocus: "always",
});
