import type { PlanInput } from "@hearback/sdk";
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { client } from "../client.ts";
import { useMutationWithInvalidate } from "../ui/form/use-mutation-with-invalidate.ts";

const plans = ["plans"];
const draws = ["draws"];

export const planQueries = {
  /** Newest first. */
  list: (filter: { readonly ended: boolean }) =>
    infiniteQueryOptions({
      queryKey: [...plans, "list", filter],
      queryFn: ({ pageParam, signal }) => client.plans.page({ ...filter, limit: 50, cursor: pageParam, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  one: (id: string) =>
    queryOptions({ queryKey: [...plans, "one", id], queryFn: ({ signal }) => client.plans.find(id, { signal }) }),
  /** Counts the reviews that a draw with these rules would create. */
  preview: (plan: Partial<PlanInput> | undefined) =>
    queryOptions({
      queryKey: [...plans, "preview", plan],
      queryFn: ({ signal }) => client.plans.preview(plan ?? {}, { signal }),
      enabled: plan !== undefined,
      placeholderData: keepPreviousData,
      staleTime: 0,
    }),
  /** Draws of a plan, or of all, newest first. */
  draws: (filter: { readonly planId?: string }) =>
    infiniteQueryOptions({
      queryKey: [...draws, "list", filter],
      queryFn: ({ pageParam, signal }) => client.draws.page({ ...filter, limit: 20, cursor: pageParam, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  /** Below the assignments, because it changes with them. */
  reviewers: (drawId: string) =>
    queryOptions({
      queryKey: ["assignments", "reviewers", drawId],
      queryFn: async ({ signal }) => (await client.draws.reviewers(drawId, { signal })).reviewers,
    }),
};

/** Changes of a plan also change its draws. */
function usePlanChange<Input, Answer>(act: (input: Input) => Promise<Answer>, onDone: (answer: Answer) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    async onSuccess(answer) {
      await Promise.all([plans, draws].map((queryKey) => queries.invalidateQueries({ queryKey })));
      onDone(answer);
    },
    gcTime: 0,
  });
}

export const useCreatePlan = (onDone: (plan: { readonly id: string }) => void) =>
  usePlanChange((plan: PlanInput) => client.plans.create(plan), onDone);
export const useChangePlan = (id: string, onDone: () => void) =>
  usePlanChange((plan: PlanInput) => client.plans.change(id, plan), onDone);
export const useEndPlan = (id: string, onDone: () => void) => usePlanChange(() => client.plans.end(id), onDone);
export const useSetNonce = (id: string, onDone: () => void) =>
  useMutationWithInvalidate(draws, (nonce: string) => client.draws.setNonce(id, nonce), onDone);
