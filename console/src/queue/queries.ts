import type { AssignmentBody, SkipReason } from "@hearback/sdk";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { client } from "../client.ts";
import { useMutationWithInvalidate } from "../ui/form/use-mutation-with-invalidate.ts";
import { nextDrawAt } from "./next-draw-at.ts";

/** Also of the queue's counts, and of the assignments of a draw. */
const all = ["assignments"];
const pageSize = 50;

export interface AssignmentFilter {
  readonly drawId?: string | undefined;
  /** "none": unassigned. */
  readonly reviewerId?: string | undefined;
  readonly state?: AssignmentBody["state"] | undefined;
}

export const assignmentQueries = {
  /** Open ones in the order of the queue, others newest first. */
  list: (filter: AssignmentFilter) =>
    infiniteQueryOptions({
      queryKey: [...all, "list", filter],
      queryFn: ({ pageParam, signal }) =>
        client.assignments.page({ ...filter, limit: pageSize, cursor: pageParam, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
      staleTime: 0,
    }),
  /** The first open assignments of a reviewer. */
  first: (reviewerId: string) =>
    queryOptions({
      queryKey: [...all, "first", reviewerId],
      queryFn: async ({ signal }) =>
        (await client.assignments.page({ reviewerId, limit: pageSize, signal })).assignments,
      staleTime: 0,
    }),
  /** When a plan of this reviewer draws calls next. null: no plan does. */
  nextDraw: (reviewerId: string) =>
    queryOptions({
      queryKey: ["draws", "next", reviewerId],
      async queryFn({ signal }) {
        const [{ plans }, { draws }] = await Promise.all([
          client.plans.page({ limit: 100, signal }),
          client.draws.page({ limit: 100, signal }),
        ]);
        return nextDrawAt(plans, draws, reviewerId);
      },
    }),
};

interface Skip {
  readonly reason: SkipReason;
  readonly note: string;
}

export const useSkip = (id: string, onDone: () => void) =>
  useMutationWithInvalidate(all, (skip: Skip) => client.assignments.skip(id, skip), onDone);
export const useHandBack = (onDone: () => void) =>
  useMutationWithInvalidate(all, (id: string) => client.assignments.handBack(id), onDone);

interface Reassignment {
  readonly reviewerId: string;
  readonly discardDraft: boolean;
}

export const useReassign = (id: string, onDone: () => void) =>
  useMutationWithInvalidate(
    all,
    ({ reviewerId, discardDraft }: Reassignment) => client.assignments.reassign(id, reviewerId, { discardDraft }),
    onDone,
  );
