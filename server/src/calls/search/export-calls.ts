import type { SearchCallsQuery } from "@hearback/contract";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import type { Actor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { type ExportOptions, writeRows } from "../../platform/export/write-rows.ts";
import type { CallViewer } from "../call/find-call.ts";
import { exportColumns } from "./export-columns.ts";
import type { ExportedCall, ReadTranscripts } from "./exported-transcript.ts";
import { searchCalls } from "./search-calls.ts";

export type CallSearch = Omit<SearchCallsQuery, "limit" | "cursor" | "count">;

export interface ExportCallsInput extends ExportOptions {
  readonly search: CallSearch;
  readonly metadataColumns: readonly string[];
  /** Present: transcripts are exported, too. */
  readonly readTranscripts?: ReadTranscripts | undefined;
}

/** Exports calls, newest conversation first. One transaction per page: a long transaction would delay event delivery. */
export async function exportCalls(
  app: App,
  viewer: CallViewer & { readonly actor: Actor },
  { search, metadataColumns, readTranscripts, ...options }: ExportCallsInput,
): Promise<AsyncGenerator<string>> {
  const { workspaceId, actor } = viewer;
  await inWorkspace(app, workspaceId, (tx) =>
    recordAuditEntry(tx, workspaceId, {
      actor,
      action: "calls.exported",
      subject: { type: "workspace", id: workspaceId },
      data: {
        format: options.format,
        filters: filtersOf(search),
        ...(readTranscripts && { transcripts: true }),
      },
    }),
  );
  const sheet = exportColumns(metadataColumns, { transcripts: readTranscripts !== undefined });
  const read = async (cursor: string | undefined, limit: number) => {
    const { calls, next } = await searchCalls(app, viewer, { ...search, cursor, limit });
    return { rows: calls, next: next ?? undefined };
  };
  const complete = readTranscripts && withTranscripts(workspaceId, readTranscripts);
  return writeRows<ExportedCall, string>(sheet, options, read, complete);
}

const withTranscripts =
  (workspaceId: string, readTranscripts: ReadTranscripts) =>
  async (calls: readonly ExportedCall[]): Promise<ExportedCall[]> => {
    const found = await readTranscripts(workspaceId, calls);
    return calls.map((call) => ({ ...call, transcript: found.get(call.id) ?? null }));
  };

/** Names of the filters in use. Their values are never recorded. */
const filtersOf = (search: CallSearch): string[] =>
  Object.entries(search).flatMap(([name, value]) =>
    value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [name],
  );
