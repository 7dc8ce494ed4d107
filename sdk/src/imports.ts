import type { RequestOptions, Transport } from "./transport.ts";
import type { ImportSummaryBody } from "./wire.ts";

export interface SummarizeImports extends RequestOptions {
  /** Number of days, including today; at most 31. */
  readonly days?: number | undefined;
  /** IANA time zone that defines where days start, such as Europe/Paris. Default: the time zone of the workspace. */
  readonly timeZone?: string | undefined;
}

export function openImports(transport: Transport) {
  return {
    /** Returns import counts by day and campaign, and the reasons for failures and refusals. */
    summary: ({ signal, ...query }: SummarizeImports = {}): Promise<ImportSummaryBody> =>
      transport.json({ method: "GET", path: "/imports/summary", query, signal }),
  };
}
export type Imports = ReturnType<typeof openImports>;
