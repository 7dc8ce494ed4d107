import { type Items, paged } from "./pages.ts";
import { inSnakeCase, toQuery } from "./snake-case.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type { CampaignBody, CampaignPageBody } from "./wire.ts";

export interface ListCampaigns extends RequestOptions {
  /** Those that are archived, are not (if absent), or all. */
  readonly archived?: boolean | "all" | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface CreateCampaign extends RequestOptions {
  readonly name: string;
  /** What imports name; one is made up if absent. */
  readonly id?: string | undefined;
  /** On which channel of a stereo recording its agents are. */
  readonly agentChannel?: "left" | "right" | "unknown" | undefined;
}

export interface ChangeCampaign extends RequestOptions {
  readonly name?: string | undefined;
  readonly agentChannel?: "left" | "right" | "unknown" | undefined;
  /** How many days after the conversation its calls are erased; null: they are kept. */
  readonly retentionDays?: number | null | undefined;
  /** true: takes no more calls and keeps those that it has. */
  readonly archived?: boolean | undefined;
}

export function openCampaigns(transport: Transport) {
  const list = paged(
    ({ signal, ...query }: ListCampaigns) =>
      transport.json<CampaignPageBody>({ method: "GET", path: "/campaigns", query: toQuery(query), signal }),
    ({ campaigns, next }) => ({ items: campaigns, next }),
  );
  return {
    list: (filter: ListCampaigns = {}): Items<CampaignBody> => list.all(filter),
    page: (filter: ListCampaigns = {}): Promise<CampaignPageBody> => list.page(filter),
    find: (id: string, options: RequestOptions = {}): Promise<CampaignBody> =>
      transport.json({ method: "GET", path: pathOf(id), ...options }),
    /** With an id it is safe to repeat: a campaign that exists is a ServiceError with the code "campaign_exists". */
    create: ({ signal, ...campaign }: CreateCampaign): Promise<CampaignBody> => {
      const repeatable = campaign.id !== undefined;
      return transport.json({ method: "POST", path: "/campaigns", body: inSnakeCase(campaign), signal, repeatable });
    },
    change: (id: string, { signal, ...change }: ChangeCampaign): Promise<CampaignBody> =>
      transport.json({ method: "PATCH", path: pathOf(id), body: inSnakeCase(change), signal }),
  };
}
export type Campaigns = ReturnType<typeof openCampaigns>;

const pathOf = (id: string) => `/campaigns/${encodeURIComponent(id)}`;
