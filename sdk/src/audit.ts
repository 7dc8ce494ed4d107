import type { ExportFormat } from "./call-files.ts";
import type { Download } from "./download.ts";
import { type Items, paged } from "./pages.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type { AuditAction, AuditEntryBody, AuditPageBody } from "./wire.ts";

export interface AuditFilter {
  readonly action?: AuditAction | readonly AuditAction[] | undefined;
  /** A type and an id, such as call:0190… */
  readonly subject?: string | undefined;
  /** The id of an API key or a user. */
  readonly actor?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Entries after this number, oldest first; 0 starts at the first entry. Omit for newest first. */
  readonly after?: number | undefined;
}

export interface ListAudit extends AuditFilter, RequestOptions {
  readonly before?: number | undefined;
  readonly limit?: number | undefined;
}

export interface ExportAudit extends AuditFilter, ExportFormat, RequestOptions {}

export function openAudit(transport: Transport) {
  const list = paged(
    ({ signal, ...query }: ListAudit) =>
      transport.json<AuditPageBody>({ method: "GET", path: "/audit", query, signal }),
    ({ entries, next }) => ({ items: entries, next }),
    ({ after }) => (after === undefined ? "before" : "after"),
  );
  return {
    list: (filter: ListAudit = {}): Items<AuditEntryBody> => list.all(filter),
    page: (filter: ListAudit = {}): Promise<AuditPageBody> => list.page(filter),
    /** Exports all matching entries as CSV or JSON lines. */
    export: ({ signal, ...query }: ExportAudit): Promise<Download> =>
      transport.download({ method: "GET", path: "/audit/export", query, signal }),
  };
}
export type Audit = ReturnType<typeof openAudit>;
