import { queryOptions } from "@tanstack/react-query";
import { client } from "../client.ts";
import { makeKnown } from "./read-name.ts";

/** Names of files are compared with as many; whoever has more says whose call it is. */
const mostAgents = 10_000;
const mostCampaigns = 2_000;

/** What the console asks before recordings are brought in. */
export const uploadQueries = {
  known: queryOptions({
    queryKey: ["uploads", "known"],
    async queryFn({ signal }) {
      const [agents, campaigns] = await Promise.all([
        upTo(mostAgents, client.users.list({ role: "agent", limit: 200, signal })),
        upTo(mostCampaigns, client.campaigns.list({ limit: 100, signal })),
      ]);
      return makeKnown(agents, campaigns);
    },
    staleTime: 30_000,
    // The same object as long as nothing is asked again: rows are settled anew when it changes.
    structuralSharing: false,
  }),
};

async function upTo<Item>(most: number, items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) {
    if (found.push(item) >= most) break;
  }
  return found;
}
