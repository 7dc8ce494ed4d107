import type { CampaignBody, ChangeCampaign, CreateCampaign, ListCampaigns } from "@hearback/sdk";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { client } from "../client.ts";
import { useChange } from "../ui/use-change.ts";

const all = ["campaigns"];
/** More are no choice for a list; the interface takes any. */
const mostChoices = 2_000;

/** What the console asks about campaigns. Components never build a query key themselves. */
export const campaignQueries = {
  list: (filter: Pick<ListCampaigns, "archived"> = {}) =>
    infiniteQueryOptions({
      queryKey: [...all, "list", filter],
      queryFn: ({ pageParam, signal }) => client.campaigns.page({ ...filter, limit: 100, cursor: pageParam, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  /** Those that can be chosen from, archived ones last. */
  choices: queryOptions({
    queryKey: [...all, "choices"],
    queryFn: async ({ signal }) => {
      const campaigns: CampaignBody[] = [];
      for await (const campaign of client.campaigns.list({ archived: "all", limit: 500, signal })) {
        if (campaigns.push(campaign) >= mostChoices) break;
      }
      return campaigns.toSorted((one, other) => Number(one.archived) - Number(other.archived));
    },
  }),
};

export const useCreateCampaign = () => useChange(all, (campaign: CreateCampaign) => client.campaigns.create(campaign));

export const useChangeCampaign = () =>
  useChange(all, ({ id, ...change }: ChangeCampaign & { readonly id: string }) => client.campaigns.change(id, change));
