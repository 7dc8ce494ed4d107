import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { client } from "../client.ts";
import { useMutationWithInvalidate } from "../ui/form/use-mutation-with-invalidate.ts";

const all = ["teams"];

export const teamQueries = {
  /** All teams, ordered by name. A workspace has at most 500. */
  list: queryOptions({ queryKey: [...all, "list"], queryFn: ({ signal }) => client.teams.list({ signal }) }),
};

/** Creates a team, or renames the one with this ID. */
export const useSaveTeam = () =>
  useMutationWithInvalidate(all, ({ id, name }: { readonly id: string | undefined; readonly name: string }) =>
    id ? client.teams.rename(id, { name }) : client.teams.create({ name }),
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
