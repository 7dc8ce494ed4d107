import type { DisputeBody, OpenDisputeBody, ResolveDisputeBody, ReviewAnswers, ReviewDetailBody } from "@hearback/sdk";
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client } from "../client.ts";
import type { ReviewFilter } from "./list/filter.ts";
import { releaseInBatches } from "./list/release-in-batches.ts";
import { readReviewPage } from "./read-review-page.ts";

const all = ["reviews"];
const aMinute = 60_000;

/** Queries for reviews and disputes. Components never build query keys themselves. */
export const reviewQueries = {
  /** Newest first. */
  list: (filter: ReviewFilter) =>
    infiniteQueryOptions({
      queryKey: [...all, "list", filter],
      queryFn: ({ pageParam, signal }) => readReviewPage(client.reviews.page, filter, { cursor: pageParam, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  one: (id: string) =>
    queryOptions({ queryKey: [...all, "one", id], queryFn: ({ signal }) => client.reviews.find(id, { signal }) }),
  /** Disputes of a review, oldest first. */
  disputesOf: (reviewId: string) =>
    queryOptions({
      queryKey: [...all, "one", reviewId, "disputes"],
      async queryFn({ signal }): Promise<DisputeBody[]> {
        const states = ["open", "resolved"] as const;
        const pages = await Promise.all(states.map((state) => client.disputes.page({ state, reviewId, signal })));
        return pages.flatMap(({ disputes }) => disputes).sort((a, b) => (a.id < b.id ? -1 : 1));
      },
    }),
  disputes: (filter: { readonly state: "open" | "resolved"; readonly mine: boolean }) =>
    infiniteQueryOptions({
      queryKey: [...all, "disputes", filter],
      queryFn: ({ pageParam, signal }) => client.disputes.page({ ...filter, limit: 50, cursor: pageParam, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  /** A published version never changes. */
  version: (id: string, version: number) =>
    queryOptions({
      queryKey: ["scorecards", "version", id, version],
      queryFn: ({ signal }) => client.scorecards.version(id, version, { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  /** Scorecards to choose from, retired ones last. */
  scorecards: queryOptions({
    queryKey: ["scorecards", "choices"],
    async queryFn({ signal }) {
      const pages = await Promise.all(
        [false, true].map((retired) => client.scorecards.page({ retired, limit: 200, signal })),
      );
      return pages.flatMap(({ scorecards }) => scorecards);
    },
    staleTime: aMinute,
  }),
};

/**
 * Takes over the review from the response, and fetches lists and counts again. `onDone` runs after that, and also if the
 * new state of the review has removed the component.
 */
function useReviewAction<Input>(act: (input: Input) => Promise<ReviewDetailBody>, onDone: Done<ReviewDetailBody>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    async onSuccess(review) {
      queries.setQueryData(reviewQueries.one(review.id).queryKey, review);
      await queries.invalidateQueries({ queryKey: all });
      onDone(review);
    },
    gcTime: 0,
  });
}

type Done<Answer> = (answer: Answer) => void;
type ReviewDone = Done<ReviewDetailBody>;

export const useRelease = (id: string, onDone: ReviewDone) => useReviewAction(() => client.reviews.release(id), onDone);
export const useReopen = (id: string, onDone: ReviewDone) => useReviewAction(() => client.reviews.reopen(id), onDone);
export const useVoid = (id: string, onDone: ReviewDone) =>
  useReviewAction((reason: string) => client.reviews.void(id, reason), onDone);
export const useAcknowledge = (id: string, onDone: ReviewDone) =>
  useReviewAction((note: string) => client.reviews.acknowledge(id, note || undefined), onDone);

interface Correction {
  readonly answers: ReviewAnswers;
  readonly reason: string;
}

export const useCorrect = (id: string, onDone: ReviewDone) =>
  useReviewAction((correction: Correction) => client.reviews.correct(id, correction), onDone);

export function useReleaseMany(onProgress: (done: number) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (ids: readonly string[]) => releaseInBatches(client.reviews.releaseMany, ids, onProgress),
    // After an error, some may be released.
    onSettled: () => queries.invalidateQueries({ queryKey: all }),
    gcTime: 0,
  });
}

function useDisputeAction<Input>(act: (input: Input) => Promise<DisputeBody>, onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: all });
      onDone();
    },
    gcTime: 0,
  });
}

export const useOpenDispute = (reviewId: string, onDone: () => void) =>
  useDisputeAction((items: OpenDisputeBody["items"]) => client.disputes.open(reviewId, items), onDone);
export const useResolveDispute = (id: string, onDone: () => void) =>
  useDisputeAction((items: ResolveDisputeBody["items"]) => client.disputes.resolve(id, items), onDone);
export const useAssignDispute = (id: string, onDone: () => void) =>
  useDisputeAction((arbiterId: string) => client.disputes.assign(id, arbiterId), onDone);
export const useKeepAsTestCase = (id: string, onDone: () => void) =>
  useDisputeAction((name: string | null) => client.disputes.keepAsTestCase(id, name), onDone);
