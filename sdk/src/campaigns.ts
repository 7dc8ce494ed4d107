import { type Items, paged } from "./pages.ts";
import { inSnakeCase } from "./snake-case.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type { CampaignBody, CampaignPageBody, Masking } from "./wire.ts";

export interface ListCampaigns extends RequestOptions {
  /** true: only archived campaigns. false (default): only active campaigns. */
  readonly archived?: boolean | "all" | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Only administrators choose these. */
interface TranscriptionChoice {
  /** Language of the calls, such as en or fr; new calls are transcribed. null: they are not. */
  readonly transcriptionLanguage?: string | null | undefined;
  /** What is masked: nothing, the text of transcripts, or also the sound of the playback copy. */
  readonly masking?: Masking | undefined;
  /** true: the original recording is erased once the sound of a call was masked. */
  readonly eraseMaskedOriginals?: boolean | undefined;
}

export interface CreateCampaign extends TranscriptionChoice, RequestOptions {
  readonly name: string;
  /** The id to use in imports. Generated if omitted. */
  readonly id?: string | undefined;
  /** The channel of a stereo recording that carries the agent. */
  readonly agentChannel?: "left" | "right" | "unknown" | undefined;
}

export interface ChangeCampaign extends TranscriptionChoice, RequestOptions {
  readonly name?: string | undefined;
  readonly agentChannel?: "left" | "right" | "unknown" | undefined;
  /** Calls are erased this many days after the conversation. null: calls are kept. */
  readonly retentionDays?: number | null | undefined;
  /** true: stop accepting calls and keep existing ones. */
  readonly archived?: boolean | undefined;
}

export function openCampaigns(transport: Transport) {
  const list = paged(
    ({ signal, ...query }: ListCampaigns) =>
      transport.json<CampaignPageBody>({ method: "GET", path: "/campaigns", query, signal }),
    ({ campaigns, next }) => ({ items: campaigns, next }),
  );
  return {
    list: (filter: ListCampaigns = {}): Items<CampaignBody> => list.all(filter),
    page: (filter: ListCampaigns = {}): Promise<CampaignPageBody> => list.page(filter),
    find: (id: string, options: RequestOptions = {}): Promise<CampaignBody> =>
      transport.json({ method: "GET", path: pathOf(id), ...options }),
    /** Creates a campaign. Throws a ServiceError with code "campaign_exists" if the id is taken. */
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
