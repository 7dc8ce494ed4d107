import type { CallItem } from "@hearback/sdk";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { callPageQueries } from "../call-page/queries.ts";
import { client } from "../client.ts";
import { playerQueries, prefetchCall } from "../player/queries.ts";
import { findNextCall, type NextCallOptions } from "./next-call/find-next-call.ts";

const aMinute = 60_000;

export const reviewScreenQueries = {
  /** Published scorecards for calls of a campaign. */
  scorecards: (campaignId: string) =>
    queryOptions({
      queryKey: ["scorecards", "of-campaign", campaignId],
      queryFn: async ({ signal }) => (await client.scorecards.page({ campaignId, limit: 200, signal })).scorecards,
      staleTime: aMinute,
    }),
  /** A published version never changes. */
  version: (id: string, version: number) =>
    queryOptions({
      queryKey: ["scorecards", "version", id, version],
      queryFn: ({ signal }) => client.scorecards.version(id, version, { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  /** Removed when the screen is left, because the screen changes the draft. */
  draft: (id: string) =>
    queryOptions({
      queryKey: ["reviews", "draft", id],
      queryFn: ({ signal }) => client.reviews.find(id, { signal }),
      staleTime: aMinute,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    }),
  /** The next call in the list that the user can review. */
  next: (options: Omit<NextCallOptions, "page" | "reviews" | "signal">) =>
    queryOptions({
      queryKey: ["calls", "next-to-review", options.filter, options.id],
      queryFn: ({ signal }) =>
        findNextCall({ page: client.calls.page, reviews: client.reviews.page, ...options, signal }),
      staleTime: aMinute,
      refetchOnWindowFocus: false,
    }),
};

/** Loads everything that the review of a call needs, so that it opens at once. */
export async function prefetchReview(
  queries: QueryClient,
  call: Pick<CallItem, "id" | "campaign_id">,
  userId: string,
): Promise<void> {
  const { scorecards, version, draft } = reviewScreenQueries;
  await Promise.all([
    prefetchCall(queries, call.id),
    queries.prefetchQuery(playerQueries.waveform(call.id)),
    queries.prefetchQuery(scorecards(call.campaign_id)),
    queries.prefetchQuery(callPageQueries.reviews(call.id)),
  ]);
  const drafts = queries.getQueryData(callPageQueries.reviews(call.id).queryKey) ?? [];
  const mine = drafts.filter(({ state, reviewer }) => state === "draft" && reviewer.id === userId);
  const published = queries.getQueryData(scorecards(call.campaign_id).queryKey) ?? [];
  await Promise.all([
    ...mine.map(({ id }) => queries.prefetchQuery(draft(id))),
    ...mine.map(({ scorecard }) => queries.prefetchQuery(version(scorecard.id, scorecard.version))),
    ...published.slice(0, 5).map(({ id, latest_version }) => queries.prefetchQuery(version(id, latest_version ?? 1))),
  ]);
}
