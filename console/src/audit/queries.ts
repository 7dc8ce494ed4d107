import type { AuditEntryBody, AuditFilter, ExportAudit } from "@hearback/sdk";
import { infiniteQueryOptions, useMutation } from "@tanstack/react-query";
import { client } from "../client.ts";
import { saveFile } from "../ui/save-file.ts";

interface AuditPage {
  readonly entries: readonly AuditEntryBody[];
  readonly next: number | null;
}

const pageSize = 50;
/** A page may be empty although there is more: so often it is asked for the next before somebody has to press a button. */
const mostAsked = 10;

async function readPage(filter: AuditFilter, before: number | undefined, signal: AbortSignal): Promise<AuditPage> {
  const entries: AuditEntryBody[] = [];
  let next: number | null | undefined = before;
  for (let asked = 0; asked < mostAsked && next !== null && entries.length < pageSize; asked++) {
    const page = await client.audit.page({ ...filter, before: next, limit: pageSize, signal });
    entries.push(...page.entries);
    next = page.next;
  }
  return { entries, next: next ?? null };
}

/** What the console asks about the audit log. */
export const auditQueries = {
  list: (filter: AuditFilter) =>
    infiniteQueryOptions({
      queryKey: ["audit", "list", filter],
      queryFn: ({ pageParam, signal }) => readPage(filter, pageParam, signal),
      initialPageParam: undefined as number | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
      // Somebody who looks again wants to see what has just happened.
      staleTime: 0,
    }),
};

/** The log as a file on the reader's machine. */
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
