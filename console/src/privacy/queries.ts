import type { CreateHold, ErasureBody, ErasureKind, ErasureTarget } from "@hearback/sdk";
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client } from "../client.ts";
import { saveFile } from "../ui/save-file.ts";
import { findBlockingHolds } from "./find-blocking-holds.ts";

const holds = ["holds"];
const erasures = ["erasures"];

const isRunning = ({ state }: ErasureBody) => state !== "done";

/** Queries for holds and erasures. Components never build query keys themselves. */
export const privacyQueries = {
  holds: (state: "active" | "all") =>
    infiniteQueryOptions({
      queryKey: [...holds, "list", state],
      queryFn: ({ pageParam, signal }) => client.holds.page({ state, limit: 50, cursor: pageParam, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  erasures: (kind: ErasureKind | undefined) =>
    infiniteQueryOptions({
      queryKey: [...erasures, "list", kind ?? "all"],
      queryFn: ({ pageParam, signal }) => client.erasures.page({ kind, limit: 50, cursor: pageParam, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
      refetchInterval: ({ state: { data } }) => (data?.pages[0]?.erasures.some(isRunning) ? 2_000 : false),
    }),
  erasure: (id: string) =>
    queryOptions({
      queryKey: [...erasures, "one", id],
      queryFn: ({ signal }) => client.erasures.find(id, { signal }),
      refetchInterval: ({ state: { data } }) => (data && isRunning(data) ? 1_000 : false),
    }),
  people: (search: string) =>
    queryOptions({
      queryKey: ["users", "found", search],
      queryFn: async ({ signal }) =>
        (await client.users.page({ search: search || undefined, limit: 20, signal })).users,
      staleTime: 60_000,
    }),
};

export function useCreateHold() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (hold: CreateHold) => client.holds.create(hold),
    onSuccess: () => queries.invalidateQueries({ queryKey: holds }),
  });
}

export function useReleaseHold() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => client.holds.release(id),
    onSuccess: () => queries.invalidateQueries({ queryKey: holds }),
  });
}

/** Preview with the holds that block calls. */
export const usePreviewErasure = () =>
  useMutation({
    mutationFn: async (what: ErasureTarget) => {
      const preview = await client.erasures.preview(what);
      return { ...preview, reasons: preview.held > 0 ? await findBlockingHolds(client, what) : [] };
    },
  });

export function useRequestErasure() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (what: ErasureTarget) => client.erasures.request(what),
    onSuccess: (erasure) => {
      queries.setQueryData(privacyQueries.erasure(erasure.id).queryKey, erasure);
      return queries.invalidateQueries({ queryKey: [...erasures, "list"] });
    },
  });
}

/** An erasure invalidates all cached data. */
export function useInvalidateAfterErasure(): () => void {
  const queries = useQueryClient();
  return () => {
    queries.removeQueries({ queryKey: ["calls"] });
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
  };
}

export const useCertificate = () => useMutation({ mutationFn: (id: string) => client.erasures.certificate(id) });

/** Downloads the certificate. */
export const useSaveCertificate = () =>
  useMutation({
    mutationFn: async (id: string) => {
      const certificate = await client.erasures.certificate(id);
      const content = `${JSON.stringify(certificate, undefined, 2)}\n`;
      saveFile(`erasure-${id}.json`, new Blob([content], { type: "application/json" }));
    },
  });
