import { toQuery } from "./snake-case.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type { ImportSummaryBody } from "./wire.ts";

export interface SummarizeImports extends RequestOptions {
  /** How many days, today included; 31 at most. */
  readonly days?: number | undefined;
  /** The IANA zone whose midnights part the days, such as Europe/Paris; UTC if absent. */
  readonly timeZone?: string | undefined;
}

export function openImports(transport: Transport) {
  return {
    /** What came in during the last days, by day and campaign, and why some did not. */
    summary: ({ signal, ...query }: SummarizeImports = {}): Promise<ImportSummaryBody> =>
      transport.json({ method: "GET", path: "/imports/summary", query: toQuery(query), signal }),
  };
}
export type Imports = ReturnType<typeof openImports>;
