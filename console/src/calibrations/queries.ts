import type { ChangeCalibration, CreateCalibration, DecideCalibration, FindAgreement } from "@hearback/sdk";
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client } from "../client.ts";
import { useMutationWithInvalidate } from "../ui/form/use-mutation-with-invalidate.ts";

const all = ["calibrations"];

interface CallSearch {
  readonly campaign?: string | undefined;
  readonly agent?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** Calls that a search for calls of a session shows. */
const foundAtOnce = 20;

/** Queries for calibration sessions. Components never build query keys themselves. */
export const calibrationQueries = {
  /** Newest first. Reviewers see those that they take part in. */
  list: (state: "open" | "closed") =>
    infiniteQueryOptions({
      queryKey: [...all, "list", state],
      queryFn: ({ pageParam, signal }) => client.calibrations.page({ state, limit: 50, cursor: pageParam, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  one: (id: string) =>
    queryOptions({
      queryKey: [...all, "one", id],
      queryFn: ({ signal }) => client.calibrations.find(id, { signal }),
    }),
  results: (id: string) =>
    queryOptions({
      queryKey: [...all, "results", id],
      queryFn: ({ signal }) => client.calibrations.results(id, { signal }),
    }),
  answers: (id: string, question: string) =>
    queryOptions({
      queryKey: [...all, "answers", id, question],
      queryFn: ({ signal }) => client.calibrations.answers(id, question, { signal }),
    }),
  /** Agreement of second reviews. */
  agreement: ({ scorecardId, from, to }: Omit<FindAgreement, "signal">) =>
    queryOptions({
      queryKey: ["agreement", scorecardId, from, to],
      queryFn: ({ signal }) => client.calibrations.agreement({ scorecardId, from, to, signal }),
    }),
  /** Calls that can be scored, newest first. */
  calls: (search: CallSearch) =>
    queryOptions({
      queryKey: ["calls", "for-calibration", search],
      queryFn: async ({ signal }) =>
        (await client.calls.page({ ...search, status: "ready", limit: foundAtOnce, signal })).calls,
    }),
};

type Done<Answer> = (answer: Answer) => void;

export const useCreateSession = (onDone: Done<{ readonly id: string }>) =>
  useMutationWithInvalidate(all, (session: CreateCalibration) => client.calibrations.create(session), onDone);
export const useChangeSession = (id: string, onDone: () => void) =>
  useMutationWithInvalidate(all, (change: ChangeCalibration) => client.calibrations.change(id, change), onDone);
export const useCloseSession = (id: string, onDone: () => void) =>
  useMutationWithInvalidate(all, () => client.calibrations.close(id), onDone);

export function useDeleteSession(id: string, onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.calibrations.delete(id),
    async onSuccess() {
      onDone();
      // The page of the deleted session is being left.
      queries.removeQueries({ queryKey: calibrationQueries.one(id).queryKey });
      await queries.invalidateQueries({ queryKey: [...all, "list"] });
    },
    gcTime: 0,
  });
}

export function useDecide(id: string, question: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (decision: DecideCalibration) => client.calibrations.decide(id, question, decision),
    async onSuccess({ applied }) {
      await Promise.all([
        queries.invalidateQueries({ queryKey: calibrationQueries.results(id).queryKey }),
        queries.invalidateQueries({ queryKey: calibrationQueries.answers(id, question).queryKey }),
        // The draft of the scorecard has changed.
        applied === "added" && queries.invalidateQueries({ queryKey: ["scorecards"] }),
      ]);
    },
    gcTime: 0,
  });
}
