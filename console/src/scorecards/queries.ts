import type {
  ChangeScorecard,
  CreateScorecard,
  ScorecardDetailBody,
  StartWhatIf,
  UserBody,
  WhatIfBody,
} from "@hearback/sdk";
import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { client } from "../client.ts";
import { useMutationWithInvalidate } from "../ui/form/use-mutation-with-invalidate.ts";

const all = ["scorecards"];
const whatIfs = ["what-ifs"];
const arbiterRoles = ["admin", "supervisor", "reviewer"] as const;

/** Queries for scorecards. Components never build query keys themselves. */
export const scorecardQueries = {
  list: (filter: { readonly retired: boolean }) =>
    infiniteQueryOptions({
      queryKey: [...all, "list", filter],
      queryFn: ({ pageParam, signal }) => client.scorecards.page({ ...filter, limit: 100, cursor: pageParam, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  one: (id: string) =>
    queryOptions({
      queryKey: [...all, "one", id],
      queryFn: ({ signal }) => client.scorecards.find(id, { signal }),
    }),
  versions: (id: string) =>
    infiniteQueryOptions({
      queryKey: [...all, "one", id, "versions"],
      queryFn: ({ pageParam, signal }) => client.scorecards.versionsPage(id, { limit: 50, cursor: pageParam, signal }),
      initialPageParam: undefined as number | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  /** A published version never changes. */
  version: (id: string, version: number) =>
    queryOptions({
      queryKey: [...all, "version", id, version],
      queryFn: ({ signal }) => client.scorecards.version(id, version, { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  /** Decisions of disputes that are kept as test cases. */
  testCases: (id: string) =>
    queryOptions({
      queryKey: [...all, "one", id, "test-cases"],
      queryFn: ({ signal }) => client.scorecards.testCases(id, { signal }),
    }),
  /** The newest run of a scorecard, without its result; null: none. */
  latestWhatIf: (id: string) =>
    queryOptions({
      queryKey: [...whatIfs, "latest", id],
      queryFn: async ({ signal }) => (await client.whatIfs.page(id, { limit: 1, signal })).what_ifs[0] ?? null,
    }),
  whatIf: (id: string) =>
    queryOptions({
      queryKey: [...whatIfs, "one", id],
      queryFn: ({ signal }) => client.whatIfs.find(id, { signal }),
      refetchInterval: ({ state: { data } }) => (data && isWhatIfRunning(data) ? 1_000 : false),
    }),
  /** Users who can decide disputes, or may have published a version. */
  staff: queryOptions({
    queryKey: ["users", "staff"],
    queryFn: async ({ signal }): Promise<UserBody[]> => {
      const pages = await Promise.all(arbiterRoles.map((role) => client.users.page({ role, limit: 500, signal })));
      return pages.flatMap(({ users }) => users);
    },
    staleTime: 60_000,
  }),
};

export const isWhatIfRunning = ({ state }: Pick<WhatIfBody, "state">): boolean =>
  state === "queued" || state === "running";

export const useStartWhatIf = (id: string) =>
  useMutationWithInvalidate(whatIfs, (run: StartWhatIf) => client.whatIfs.start(id, run));

export const useCancelWhatIf = (id: string) =>
  useMutationWithInvalidate(whatIfs, (_: object) => client.whatIfs.cancel(id));

export const useCreateScorecard = () =>
  useMutationWithInvalidate(all, (scorecard: CreateScorecard) => client.scorecards.create(scorecard));

export const useChangeScorecard = (id: string) =>
  useMutationWithInvalidate(all, (change: ChangeScorecard) => client.scorecards.change(id, change));

/** Not invalidated: the page shows the new state itself, see `refreshScorecard`. */
export const useDiscardDraft = (id: string) =>
  useMutation({ mutationFn: (ifMatch: number) => client.scorecards.discardDraft(id, { ifMatch }), gcTime: 0 });

export const usePublish = (id: string) =>
  useMutation({ mutationFn: (ifMatch: number) => client.scorecards.publish(id, { ifMatch }), gcTime: 0 });

/** Loads a scorecard again, after its draft was published, discarded or changed elsewhere. */
export function useReloadScorecard(id: string): () => Promise<ScorecardDetailBody> {
  const queries = useQueryClient();
  return async () => {
    await queries.invalidateQueries({ queryKey: all, refetchType: "none" });
    const scorecard = await queries.fetchQuery({ ...scorecardQueries.one(id), staleTime: 0 });
    void queries.invalidateQueries({ queryKey: scorecardQueries.versions(id).queryKey });
    return scorecard;
  };
}

/** Keeps the cache in step with a draft that was saved. Lists are loaded again when they are shown next. */
export function rememberScorecard(queries: QueryClient, scorecard: ScorecardDetailBody): void {
  queries.setQueryData(scorecardQueries.one(scorecard.id).queryKey, scorecard);
  void queries.invalidateQueries({ queryKey: [...all, "list"], refetchType: "none" });
}
