import type { AuditEntryBody, AuditFilter, ExportAudit } from "@hearback/sdk";
import { infiniteQueryOptions, useMutation } from "@tanstack/react-query";
import { client } from "../client.ts";
import { saveFile } from "../ui/save-file.ts";

interface AuditPage {
  readonly entries: readonly AuditEntryBody[];
  readonly next: number | null;
}

const pageSize = 50;
/** Filtered pages can be empty before the end. Fetch up to this many at once. */
const maxRequests = 10;

async function readPage(filter: AuditFilter, before: number | undefined, signal: AbortSignal): Promise<AuditPage> {
  const entries: AuditEntryBody[] = [];
  let next: number | null | undefined = before;
  for (let asked = 0; asked < maxRequests && next !== null && entries.length < pageSize; asked++) {
    const page = await client.audit.page({ ...filter, before: next, limit: pageSize, signal });
    entries.push(...page.entries);
    next = page.next;
  }
  return { entries, next: next ?? null };
}

export const auditQueries = {
  list: (filter: AuditFilter) =>
    infiniteQueryOptions({
      queryKey: ["audit", "list", filter],
      queryFn: ({ pageParam, signal }) => readPage(filter, pageParam, signal),
      initialPageParam: undefined as number | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
      // Always refetched, so that recent entries show up.
      staleTime: 0,
    }),
};

export const useExportAudit = () =>
  useMutation({
    mutationFn: async (wanted: ExportAudit) => {
      const { body, mediaType } = await client.audit.export(wanted);
      const content = await new Response(body).blob();
      saveFile(
        `audit-${new Date().toISOString().slice(0, 10)}.${wanted.format}`,
        new Blob([content], { type: mediaType }),
      );
    },
  });
