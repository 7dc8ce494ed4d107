import { type Items, paged } from "./pages.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type { DisputeBody, DisputePageBody, OpenDisputeBody, ResolveDisputeBody } from "./wire.ts";

export interface ListDisputes extends RequestOptions {
  /** Default: open. */
  readonly state?: "open" | "resolved" | undefined;
  /** true: only disputes that you decide. */
  readonly mine?: boolean | undefined;
  readonly reviewId?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export function openDisputes(transport: Transport) {
  const list = paged(
    ({ signal, ...query }: ListDisputes) =>
      transport.json<DisputePageBody>({ method: "GET", path: "/disputes", query, signal }),
    ({ disputes, next }) => ({ items: disputes, next }),
  );
  return {
    /** Open disputes oldest first, resolved ones newest first. */
    list: (filter: ListDisputes = {}): Items<DisputeBody> => list.all(filter),
    page: (filter: ListDisputes = {}): Promise<DisputePageBody> => list.page(filter),
    find: (id: string, options: RequestOptions = {}): Promise<DisputeBody> =>
      transport.json({ method: "GET", path: pathOf(id), ...options }),
    /** Objects to answers of a released review of your call. */
    open: (reviewId: string, items: OpenDisputeBody["items"], options: RequestOptions = {}): Promise<DisputeBody> =>
      transport.json({
        method: "POST",
        path: `/reviews/${encodeURIComponent(reviewId)}/disputes`,
        body: { items },
        ...options,
      }),
    /** Gives an open dispute to another arbiter. */
    assign: (id: string, arbiterId: string, options: RequestOptions = {}): Promise<DisputeBody> =>
      transport.json({ method: "PATCH", path: pathOf(id), body: { arbiter_id: arbiterId }, ...options }),
    /** Keeps a decided dispute as a test case of its scorecard, with this name. null: no longer. */
    keepAsTestCase: (id: string, name: string | null, options: RequestOptions = {}): Promise<DisputeBody> =>
      transport.json({ method: "PATCH", path: pathOf(id), body: { test_case: name }, ...options }),
    /** Decides every question of a dispute. */
    resolve: (id: string, items: ResolveDisputeBody["items"], options: RequestOptions = {}): Promise<DisputeBody> =>
      transport.json({ method: "POST", path: pathOf(id, "/resolve"), body: { items }, ...options }),
  };
}
export type Disputes = ReturnType<typeof openDisputes>;

const pathOf = (id: string, rest = "") => `/disputes/${encodeURIComponent(id)}${rest}`;
