import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client } from "../client.ts";
import { makeDirectory } from "./names/parse-file-name.ts";

/** Limits for matching file names. */
const mostAgents = 10_000;
const mostCampaigns = 2_000;

export const uploadQueries = {
  known: queryOptions({
    queryKey: ["uploads", "known"],
    async queryFn({ signal }) {
      const [agents, campaigns] = await Promise.all([
        upTo(mostAgents, client.users.list({ role: "agent", limit: 200, signal })),
        upTo(mostCampaigns, client.campaigns.list({ limit: 100, signal })),
      ]);
      return makeDirectory(agents, campaigns);
    },
    staleTime: 30_000,
    // Keep the identity between fetches: rows are resolved again when it changes.
    structuralSharing: false,
  }),
};

/** Creates an agent without an invitation. */
export function useCreateAgent() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (agent: { readonly email: string; readonly name: string }) =>
      client.users.invite({ ...agent, role: "agent", sendInviteEmail: false }),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: uploadQueries.known.queryKey }),
        queries.invalidateQueries({ queryKey: ["users"] }),
      ]),
  });
}

async function upTo<Item>(most: number, items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) {
    if (found.push(item) >= most) break;
  }
  return found;
}
