import type { ChangeKey, CreateKey, NewKeyBody, RotateKey } from "@hearback/sdk";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { client } from "../client.ts";
import { useChange } from "../ui/use-change.ts";

const all = ["keys"];

/** What the console asks about keys. */
export const keyQueries = {
  list: infiniteQueryOptions({
    queryKey: [...all, "list"],
    queryFn: ({ pageParam, signal }) => client.keys.page({ limit: 100, cursor: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  }),
};

/** A key that was made is shown, even if its form was closed meanwhile. */
type Show = (key: NewKeyBody) => void;

export const useCreateKey = (show: Show) => useChange(all, (key: CreateKey) => client.keys.create(key), show);

export const useChangeKey = () =>
  useChange(all, ({ id, ...change }: ChangeKey & { readonly id: string }) => client.keys.change(id, change));

export const useRotateKey = (show: Show) =>
  useChange(all, ({ id, ...how }: RotateKey & { readonly id: string }) => client.keys.rotate(id, how), show);

export const useRevokeKey = () => useChange(all, (id: string) => client.keys.revoke(id));
