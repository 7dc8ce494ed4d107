import type { SearchCallsQuery } from "@hearback/contract";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import type { Actor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { type ExportOptions, writeRows } from "../../platform/export/write-rows.ts";
import type { CallViewer } from "../call/find-call.ts";
import type { ListedCall } from "../call/find-calls.ts";
import { exportColumns } from "./export-columns.ts";
import { searchCalls } from "./search-calls.ts";

export type CallSearch = Omit<SearchCallsQuery, "limit" | "cursor" | "count">;

export interface ExportCallsInput extends ExportOptions {
  readonly search: CallSearch;
  readonly metadataColumns: readonly string[];
}

/** Exports calls, newest conversation first. One transaction per page: a long transaction would delay event delivery. */
export async function exportCalls(
  app: App,
  viewer: CallViewer & { readonly actor: Actor },
  { search, metadataColumns, ...options }: ExportCallsInput,
): Promise<AsyncGenerator<string>> {
  const { workspaceId, actor } = viewer;
  await inWorkspace(app, workspaceId, (tx) =>
    recordAuditEntry(tx, workspaceId, {
      actor,
      action: "calls.exported",
      subject: { type: "workspace", id: workspaceId },
      data: { format: options.format, filters: filtersOf(search) },
    }),
  );
  return writeRows<ListedCall, string>(exportColumns(metadataColumns), options, async (cursor, limit) => {
    const { calls, next } = await searchCalls(app, viewer, { ...search, cursor, limit });
    return { rows: calls, next: next ?? undefined };
  });
}

/** Names of the filters in use. Their values are never recorded. */
const filtersOf = (search: CallSearch): string[] =>
  Object.entries(search).flatMap(([name, value]) =>
    value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [name],
  );
