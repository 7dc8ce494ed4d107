import type { CampaignBody, ChangeCampaign, CreateCampaign, ListCampaigns } from "@hearback/sdk";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { client } from "../client.ts";
import { useMutationWithInvalidate } from "../ui/form/use-mutation-with-invalidate.ts";

const all = ["campaigns"];
/** Upper bound for a select. The API has no such limit. */
const maxChoices = 2_000;

/** Queries for campaigns. Components never build query keys themselves. */
export const campaignQueries = {
  list: (filter: Pick<ListCampaigns, "archived"> = {}) =>
    infiniteQueryOptions({
      queryKey: [...all, "list", filter],
      queryFn: ({ pageParam, signal }) => client.campaigns.page({ ...filter, limit: 100, cursor: pageParam, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  /** Campaigns to choose from, archived ones last. */
  choices: queryOptions({
    queryKey: [...all, "choices"],
    queryFn: async ({ signal }) => {
      const campaigns: CampaignBody[] = [];
      for await (const campaign of client.campaigns.list({ archived: "all", limit: 500, signal })) {
        if (campaigns.push(campaign) >= maxChoices) break;
      }
      return campaigns.toSorted((one, other) => Number(one.archived) - Number(other.archived));
    },
  }),
};

export const useCreateCampaign = () =>
  useMutationWithInvalidate(all, (campaign: CreateCampaign) => client.campaigns.create(campaign));

export const useChangeCampaign = () =>
  useMutationWithInvalidate(all, ({ id, ...change }: ChangeCampaign & { readonly id: string }) =>
    client.campaigns.change(id, change),
  );
