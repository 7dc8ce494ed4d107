import type { ReviewBody } from "@hearback/sdk";
import { keepPreviousData, queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { useSession } from "../../access/queries.ts";
import { client } from "../../client.ts";
import { useTexts } from "../texts.ts";

/** Page size. Names beyond the first page are fetched by ID. */
const atOnce = 500;
const aMinute = 60_000;

export const nameQueries = {
  users: queryOptions({
    queryKey: ["users", "names", "known"],
    queryFn: async ({ signal }) => (await client.users.page({ limit: atOnce, signal })).users,
    staleTime: aMinute,
  }),
  user: (id: string) =>
    queryOptions({
      queryKey: ["users", "names", id],
      queryFn: ({ signal }) => client.users.find(id, { signal }),
      staleTime: 10 * aMinute,
    }),
  /** Users whose name or email address matches. */
  search: (words: string, role: "agent" | undefined) =>
    queryOptions({
      queryKey: ["users", "search", role ?? "any", words],
      queryFn: async ({ signal }) =>
        (await client.users.page({ ...(words && { search: words }), ...(role && { role }), limit: 50, signal })).users,
      staleTime: aMinute,
      placeholderData: keepPreviousData,
    }),
  /** Users who can decide disputes. */
  staff: queryOptions({
    queryKey: ["users", "names", "staff"],
    async queryFn({ signal }) {
      const roles = ["admin", "supervisor", "reviewer"] as const;
      const pages = await Promise.all(roles.map((role) => client.users.page({ role, limit: atOnce, signal })));
      return pages.flatMap(({ users }) => users);
    },
    staleTime: aMinute,
  }),
};

type Actor = ReviewBody["reviewer"];

export interface Names {
  /** Name of a user. Agents see their own only. "…" while it is loaded. */
  readonly user: (id: string | null) => string;
  readonly actor: (actor: Actor) => string;
}

/** Looks up the names of these users. */
export function useNames(ids: readonly (string | null)[]): Names {
  const { t } = useTexts();
  const { user: me } = useSession();
  const mayRead = me.role !== "agent";
  const { data: users } = useQuery({ ...nameQueries.users, enabled: mayRead });
  const known = new Map(users?.map(({ id, name }) => [id, name]));
  const missing = users ? [...new Set(ids)].filter((id) => id !== null && !known.has(id)).slice(0, 50) : [];
  const found = useQueries({ queries: missing.map((id) => nameQueries.user(id ?? "")) });
  for (const { data } of found) if (data) known.set(data.id, data.name);
  const isLoading = (mayRead && !users) || found.some(({ isPending }) => isPending);
  const user = (id: string | null) =>
    (id === me.id ? me.name : known.get(id ?? "")) ?? (isLoading ? "…" : t(mayRead ? "formerUser" : "hiddenUser"));
  return { user, actor: ({ type, id }) => (type === "key" ? t("apiKey") : user(id)) };
}
