import type { ChangeKey, CreateKey, NewKeyBody, RotateKey } from "@hearback/sdk";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { client } from "../client.ts";
import { useMutationWithInvalidate } from "../ui/form/use-mutation-with-invalidate.ts";

const all = ["keys"];

export const keyQueries = {
  list: infiniteQueryOptions({
    queryKey: [...all, "list"],
    queryFn: ({ pageParam, signal }) => client.keys.page({ limit: 100, cursor: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  }),
};

/** Shows the new key even if the form was closed in the meantime. */
type Show = (key: NewKeyBody) => void;

export const useCreateKey = (show: Show) =>
  useMutationWithInvalidate(all, (key: CreateKey) => client.keys.create(key), show);

export const useChangeKey = () =>
  useMutationWithInvalidate(all, ({ id, ...change }: ChangeKey & { readonly id: string }) =>
    client.keys.change(id, change),
  );

export const useRotateKey = (show: Show) =>
  useMutationWithInvalidate(
    all,
    ({ id, ...how }: RotateKey & { readonly id: string }) => client.keys.rotate(id, how),
    show,
  );

export const useRevokeKey = () => useMutationWithInvalidate(all, (id: string) => client.keys.revoke(id));
