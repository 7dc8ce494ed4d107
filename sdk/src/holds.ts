import { type Items, paged } from "./pages.ts";
import { inSnakeCase } from "./snake-case.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type { HoldBody, HoldPageBody } from "./wire.ts";

/** Holds a call, or all calls of an agent or a campaign. */
export type CreateHold = RequestOptions & { readonly reason: string } & (
    | { readonly callId: string }
    | { readonly agentId: string }
    | { readonly campaignId: string }
  );

export interface ListHolds extends RequestOptions {
  /** all: include released holds. */
  readonly state?: "active" | "all" | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export function openHolds(transport: Transport) {
  const list = paged(
    ({ signal, ...query }: ListHolds) => transport.json<HoldPageBody>({ method: "GET", path: "/holds", query, signal }),
    ({ holds, next }) => ({ items: holds, next }),
  );
  return {
    /** Creates a legal hold, which prevents erasure until it is released. */
    create: ({ signal, ...hold }: CreateHold): Promise<HoldBody> =>
      transport.json({ method: "POST", path: "/holds", body: inSnakeCase(hold), signal }),
    list: (filter: ListHolds = {}): Items<HoldBody> => list.all(filter),
    page: (filter: ListHolds = {}): Promise<HoldPageBody> => list.page(filter),
    release: (id: string, options: RequestOptions = {}): Promise<void> =>
      transport.remove(`/holds/${encodeURIComponent(id)}`, options),
  };
}
export type Holds = ReturnType<typeof openHolds>;
