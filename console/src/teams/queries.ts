import { keepPreviousData, queryOptions, useQueryClient } from "@tanstack/react-query";
import { client } from "../client.ts";
import { useMutationWithInvalidate } from "../ui/form/use-mutation-with-invalidate.ts";

const all = ["teams"];

export const teamQueries = {
  /** All teams, ordered by name. A workspace has at most 500. */
  list: queryOptions({ queryKey: [...all, "list"], queryFn: ({ signal }) => client.teams.list({ signal }) }),
  /** People to choose a lead from, in any role. */
  people: queryOptions({
    queryKey: ["users", "names", "known"],
    queryFn: async ({ signal }) => (await client.users.page({ limit: 500, signal })).users,
    staleTime: 60_000,
  }),
  /** A lead who is not among the first people. */
  person: (id: string) =>
    queryOptions({
      queryKey: ["users", "names", id],
      queryFn: ({ signal }) => client.users.find(id, { signal }),
      staleTime: 600_000,
    }),
  /** People whose name or email address matches. */
  search: (words: string) =>
    queryOptions({
      queryKey: ["users", "search", "any", words],
      queryFn: async ({ signal }) =>
        (await client.users.page({ ...(words && { search: words }), limit: 50, signal })).users,
      staleTime: 60_000,
      placeholderData: keepPreviousData,
    }),
};

/** Creates a team, or renames the one with this ID. */
export const useSaveTeam = () =>
  useMutationWithInvalidate(all, ({ id, name }: { readonly id: string | undefined; readonly name: string }) =>
    id ? client.teams.rename(id, { name }) : client.teams.create({ name }),
  );

/** Says who leads the team. null: nobody. */
export const useSetLead = () =>
  useMutationWithInvalidate(all, ({ id, leadId }: { readonly id: string; readonly leadId: string | null }) =>
    client.teams.setLead(id, leadId),
  );

export function useDeleteTeam() {
  const queries = useQueryClient();
  return useMutationWithInvalidate(
    all,
    (id: string) => client.teams.delete(id),
    // Its members have no team now.
    () => void queries.invalidateQueries({ queryKey: ["users"] }),
  );
}

/** Refetches the teams and their numbers of members. */
export function useRefreshTeams() {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: all });
}
