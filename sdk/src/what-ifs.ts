import { ifMatchHeader } from "./if-match.ts";
import { type Items, paged } from "./pages.ts";
import { inSnakeCase } from "./snake-case.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type { WhatIfBody, WhatIfPageBody } from "./wire.ts";

export interface StartWhatIf extends RequestOptions {
  /** Reviews that were started at or after this time. */
  readonly from: Date;
  /** Reviews that were started before this time. Default: now. */
  readonly to?: Date | undefined;
  /** The changed scorecard. It is not saved as a draft. Default: the draft. */
  readonly document?: Readonly<Record<string, unknown>> | undefined;
  /** The number of the draft that you loaded. If it has another number now, nothing starts: "draft_changed". */
  readonly ifMatch?: number | undefined;
}

export interface ListWhatIfs extends RequestOptions {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Runs that replay the reviews of a period on a changed scorecard. */
export function openWhatIfs(transport: Transport) {
  const list = paged(
    ({ scorecardId, signal, ...query }: ListWhatIfs & { readonly scorecardId: string }) =>
      transport.json<WhatIfPageBody>({ method: "GET", path: ofScorecard(scorecardId), query, signal }),
    ({ what_ifs, next }) => ({ items: what_ifs, next }),
  );
  return {
    /** The runs of a scorecard without their results, newest first. */
    list: (scorecardId: string, filter: ListWhatIfs = {}): Items<WhatIfPageBody["what_ifs"][number]> =>
      list.all({ ...filter, scorecardId }),
    page: (scorecardId: string, filter: ListWhatIfs = {}): Promise<WhatIfPageBody> =>
      list.page({ ...filter, scorecardId }),
    /** Queues a run. Call `find` until its state is `done`. */
    start: (scorecardId: string, { signal, document, ifMatch, ...period }: StartWhatIf): Promise<WhatIfBody> =>
      transport.json({
        method: "POST",
        path: ofScorecard(scorecardId),
        // The members of a document keep their names.
        body: { ...inSnakeCase(period), ...(document && { document }) },
        headers: ifMatchHeader(ifMatch),
        signal,
      }),
    find: (id: string, options: RequestOptions = {}): Promise<WhatIfBody> =>
      transport.json({ method: "GET", path: pathOf(id), ...options }),
    /** A run that has ended stays as it is. */
    cancel: (id: string, options: RequestOptions = {}): Promise<void> =>
      transport.send({ method: "DELETE", path: pathOf(id), ...options }),
  };
}
export type WhatIfs = ReturnType<typeof openWhatIfs>;

const ofScorecard = (id: string) => `/scorecards/${encodeURIComponent(id)}/what-if`;
const pathOf = (id: string) => `/what-ifs/${encodeURIComponent(id)}`;
