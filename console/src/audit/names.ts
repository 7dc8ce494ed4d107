import { queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { client } from "../client.ts";

/** Page size. Names beyond the first page are fetched by ID. */
const atOnce = 500;

/** Uses the query key of the resource, so that changing a resource refetches its names. */
const nameQuery = <Thing>(of: string, ask: (signal: AbortSignal) => Promise<readonly Thing[]>, part = "known") =>
  queryOptions({ queryKey: [of, "names", part], queryFn: ({ signal }) => ask(signal), staleTime: 60_000 });

const nameQueries = {
  users: nameQuery("users", async (signal) => (await client.users.page({ limit: atOnce, signal })).users),
  keys: nameQuery("keys", async (signal) => (await client.keys.page({ limit: atOnce, signal })).keys),
  scorecards: nameQuery(
    "scorecards",
    async (signal) => (await client.scorecards.page({ limit: 200, signal })).scorecards,
  ),
  teams: nameQuery("teams", (signal) => client.teams.list({ signal })),
  webhooks: nameQuery("webhooks", (signal) => client.webhooks.list({ signal })),
  campaigns: nameQuery(
    "campaigns",
    async (signal) => (await client.campaigns.page({ archived: "all", limit: atOnce, signal })).campaigns,
  ),
  /** Users with any role except agent. Complete even with many agents. */
  staff: nameQuery(
    "users",
    async (signal) => {
      const roles = ["admin", "supervisor", "reviewer"] as const;
      const pages = await Promise.all(roles.map((role) => client.users.page({ role, limit: atOnce, signal })));
      return pages.flatMap(({ users }) => users);
    },
    "staff",
  ),
  user: (id: string) =>
    queryOptions({
      queryKey: ["users", "names", id],
      queryFn: ({ signal }) => client.users.find(id, { signal }),
      staleTime: 600_000,
    }),
};

export interface Named {
  readonly id: string;
  readonly name: string;
}

/** Looks up names by ID. Undefined: unknown or not loaded yet. */
export interface Names {
  readonly user: (id: string) => string | undefined;
  readonly key: (id: string) => string | undefined;
  readonly campaign: (id: string) => string | undefined;
  readonly scorecard: (id: string) => string | undefined;
  readonly team: (id: string) => string | undefined;
  readonly webhook: (id: string) => string | undefined;
  readonly keys: readonly Named[];
}

const finder = (things: readonly Named[] | undefined) => {
  const names = new Map(things?.map(({ id, name }) => [id, name]));
  return (id: string) => names.get(id);
};

/** Loads names for all kinds. Users in `userIds` are always included. */
export function useNames(userIds: readonly string[] = []): Names {
  const { data: users } = useQuery(nameQueries.users);
  const { data: scorecards } = useQuery(nameQueries.scorecards);
  const { data: teams } = useQuery(nameQueries.teams);
  const { data: keys } = useQuery(nameQueries.keys);
  const { data: campaigns } = useQuery(nameQueries.campaigns);
  const { data: webhooks } = useQuery(nameQueries.webhooks);
  const known = new Set(users?.map(({ id }) => id));
  const missing = users ? [...new Set(userIds)].filter((id) => !known.has(id)).slice(0, 50) : [];
  const found = useQueries({ queries: missing.map(nameQueries.user) });
  return {
    user: finder([...(users ?? []), ...found.flatMap(({ data }) => data ?? [])]),
    key: finder(keys),
    campaign: finder(campaigns),
    scorecard: finder(scorecards),
    team: finder(teams),
    webhook: finder(webhooks?.map(({ id, url, description }) => ({ id, name: description || url }))),
    keys: keys ?? [],
  };
}

/** Choices for the actor filter. Agents only play their own calls and are left out. */
export const useStaff = (): readonly Named[] => useQuery(nameQueries.staff).data ?? [];
