import type { Download } from "./download.ts";
import { type Items, paged } from "./pages.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type { DrawBody, DrawPageBody, DrawReviewersBody } from "./wire.ts";

export interface ListDraws extends RequestOptions {
  readonly planId?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export function openDraws(transport: Transport) {
  const list = paged(
    ({ signal, ...query }: ListDraws) => transport.json<DrawPageBody>({ method: "GET", path: "/draws", query, signal }),
    ({ draws, next }) => ({ items: draws, next }),
  );
  return {
    /** Draws, newest first. */
    list: (filter: ListDraws = {}): Items<DrawBody> => list.all(filter),
    page: (filter: ListDraws = {}): Promise<DrawPageBody> => list.page(filter),
    find: (id: string, options: RequestOptions = {}): Promise<DrawBody> =>
      transport.json({ method: "GET", path: pathOf(id), ...options }),
    /** Sets the text that becomes part of the seed. */
    setNonce: (id: string, nonce: string, options: RequestOptions = {}): Promise<DrawBody> =>
      transport.json({ method: "PATCH", path: pathOf(id), body: { nonce }, ...options }),
    /** The proof as JSON lines, of all agents or of one. */
    proof: (
      id: string,
      { agentId, signal }: RequestOptions & { readonly agentId?: string | undefined } = {},
    ): Promise<Download> =>
      transport.download({ method: "GET", path: pathOf(id, "/proof"), query: { agentId }, signal }),
    /** How many reviews each reviewer has to do and has done. */
    reviewers: (id: string, options: RequestOptions = {}): Promise<DrawReviewersBody> =>
      transport.json({ method: "GET", path: pathOf(id, "/reviewers"), ...options }),
  };
}
export type Draws = ReturnType<typeof openDraws>;

const pathOf = (id: string, rest = "") => `/draws/${encodeURIComponent(id)}${rest}`;
