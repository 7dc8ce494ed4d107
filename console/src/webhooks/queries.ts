import type { ChangeWebhook, CreateWebhook, DeliveryBody, DeliveryState, WebhookWithSecretBody } from "@hearback/sdk";
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client } from "../client.ts";
import { useMutationWithInvalidate } from "../ui/form/use-mutation-with-invalidate.ts";
import { replayAll } from "./replay-all.ts";

const all = ["webhooks"];
const deliveriesOf = (id: string) => [...all, "one", id, "deliveries"];

const pollMs = { waiting: 2_000, settled: 10_000 };
/** Polling stops when the user has loaded more pages than this. */
const maxPolledPages = 4;

const soon = ({ state, next_attempt_at }: DeliveryBody) =>
  state === "pending" && (next_attempt_at === null || Date.parse(next_attempt_at) < Date.now() + 15_000);

/** Queries for webhooks. Components never build query keys themselves. */
export const webhookQueries = {
  list: queryOptions({
    queryKey: [...all, "list"],
    queryFn: ({ signal }) => client.webhooks.list({ signal }),
  }),
  one: (id: string) =>
    queryOptions({
      queryKey: [...all, "one", id],
      queryFn: ({ signal }) => client.webhooks.find(id, { signal }),
      refetchInterval: pollMs.settled,
    }),
  deliveries: (id: string, state: DeliveryState | undefined) =>
    infiniteQueryOptions({
      queryKey: [...deliveriesOf(id), state ?? "all"],
      queryFn: ({ pageParam, signal }) =>
        client.webhooks.deliveriesPage(id, { state, limit: 50, cursor: pageParam, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
      refetchInterval: ({ state: { data } }) => {
        if (data && data.pages.length > maxPolledPages) return false;
        return data?.pages[0]?.deliveries.some(soon) ? pollMs.waiting : pollMs.settled;
      },
    }),
};

/** Shows the secret even if the form was closed in the meantime. */
type Show = (webhook: WebhookWithSecretBody) => void;

export const useCreateWebhook = (show: Show) =>
  useMutationWithInvalidate(all, (webhook: CreateWebhook) => client.webhooks.create(webhook), show);

export const useChangeWebhook = (id: string) =>
  useMutationWithInvalidate(all, (change: ChangeWebhook) => client.webhooks.change(id, change));

export const useRotateSecret = (id: string, show: Show) =>
  useMutationWithInvalidate(all, (overlapHours: number) => client.webhooks.rotateSecret(id, { overlapHours }), show);

export const useTestWebhook = (id: string) => useMutationWithInvalidate(all, () => client.webhooks.test(id));

export const useReplayEvent = (id: string) =>
  useMutationWithInvalidate(all, (eventId: string) => client.webhooks.replay(id, { eventId }));

export const useReplaySince = (id: string, onProgress: (queued: number) => void) =>
  useMutationWithInvalidate(all, ({ from, signal }: { readonly from: Date; readonly signal: AbortSignal }) =>
    replayAll((part) => client.webhooks.replay(id, { ...part, signal }), { from, onProgress }),
  );

export function useDeleteWebhook(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.webhooks.delete(id),
    onSuccess() {
      queries.removeQueries({ queryKey: [...all, "one", id] });
      return queries.invalidateQueries({ queryKey: [...all, "list"] });
    },
  });
}
