import type { SearchCallsQuery } from "@hearback/contract";
import { record } from "../audit/record.ts";
import type { Actor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { type ExportOptions, writeRows } from "../platform/export/write-rows.ts";
import { callSheet } from "./call-sheet.ts";
import type { CallViewer } from "./find-call.ts";
import type { ListedCall } from "./find-calls.ts";
import { searchCalls } from "./search-calls.ts";

export type CallSearch = Omit<SearchCallsQuery, "limit" | "after" | "count">;

export interface ExportCallsInput extends ExportOptions {
  readonly search: CallSearch;
  readonly metadataColumns: readonly string[];
}

/** Calls as a file, newest conversation first. Each page is a transaction of its own: a long one would hold back events. */
export async function exportCalls(
  app: App,
  viewer: CallViewer & { readonly actor: Actor },
  { search, metadataColumns, ...options }: ExportCallsInput,
): Promise<AsyncGenerator<string>> {
  const { workspaceId, actor } = viewer;
  await inWorkspace(app, workspaceId, (tx) =>
    record(tx, workspaceId, {
      actor,
      action: "calls.exported",
      subject: { type: "workspace", id: workspaceId },
      data: { format: options.format, filters: filtersOf(search) },
    }),
  );
  return writeRows<ListedCall, string>(callSheet(metadataColumns), options, async (after, limit) => {
    const { calls, next } = await searchCalls(app, viewer, { ...search, after, limit });
    return { rows: calls, next: next ?? undefined };
  });
}

/** Which filters were given: their names, never what was asked for. */
const filtersOf = (search: CallSearch): string[] =>
  Object.entries(search).flatMap(([name, value]) =>
    value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [name],
  );
