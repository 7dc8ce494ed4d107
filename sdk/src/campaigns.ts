import type { CampaignBody, CampaignPageBody } from "@hearback/contract";
import { throughPages } from "./pages.ts";
import type { RequestOptions, Transport } from "./transport.ts";

export function openCampaigns(transport: Transport) {
  const page = (cursor: string | undefined, options: RequestOptions) =>
    transport.json<CampaignPageBody>({
      method: "GET",
      path: "/campaigns",
      query: new URLSearchParams(cursor && { cursor }),
      ...options,
    });
  return {
    /** All campaigns, page by page. */
    list: (options: RequestOptions = {}) =>
      throughPages(
        (cursor) => page(cursor, options),
        ({ campaigns, next }) => ({ items: campaigns, next }),
      ),
    find: (id: string, options: RequestOptions = {}): Promise<CampaignBody> =>
      transport.json({ method: "GET", path: `/campaigns/${encodeURIComponent(id)}`, ...options }),
  };
}
