import { type Items, paged } from "./pages.ts";
import { inSnakeCase } from "./snake-case.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type { CertificateBody, ErasureBody, ErasureKind, ErasurePageBody, ErasurePreviewBody } from "./wire.ts";

/** What to erase: a call, an agent with all calls, or all calls with a metadata entry. */
export type ErasureTarget = RequestOptions &
  (
    | { readonly callId: string }
    | { readonly agentId: string }
    | { readonly metadata: { readonly key: string; readonly value: string } }
  );

export interface ListErasures extends RequestOptions {
  readonly kind?: ErasureKind | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export function openErasures(transport: Transport) {
  const list = paged(
    ({ signal, ...query }: ListErasures) =>
      transport.json<ErasurePageBody>({ method: "GET", path: "/erasures", query, signal }),
    ({ erasures, next }) => ({ items: erasures, next }),
  );
  return {
    /** Returns what would be erased. */
    preview: ({ signal, ...what }: ErasureTarget): Promise<ErasurePreviewBody> => {
      const ask = { method: "POST", path: "/erasures/preview", repeatable: true } as const;
      return transport.json({ ...ask, body: inSnakeCase(what), signal });
    },
    /** Starts a permanent erasure. Use `find` to follow its progress. */
    request: ({ signal, ...what }: ErasureTarget): Promise<ErasureBody> =>
      transport.json({ method: "POST", path: "/erasures", body: inSnakeCase(what), signal }),
    list: (filter: ListErasures = {}): Items<ErasureBody> => list.all(filter),
    page: (filter: ListErasures = {}): Promise<ErasurePageBody> => list.page(filter),
    find: (id: string, options: RequestOptions = {}): Promise<ErasureBody> =>
      transport.json({ method: "GET", path: `/erasures/${encodeURIComponent(id)}`, ...options }),
    /** Returns the certificate of a completed erasure. */
    certificate: (id: string, options: RequestOptions = {}): Promise<CertificateBody> =>
      transport.json({ method: "GET", path: `/erasures/${encodeURIComponent(id)}/certificate`, ...options }),
  };
}
export type Erasures = ReturnType<typeof openErasures>;
