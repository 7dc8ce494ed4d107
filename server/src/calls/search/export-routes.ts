import { ExportCallsQuery } from "@hearback/contract";
import { actorOf } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { supervisors } from "../../platform/caller.ts";
import { exportFiles, sendExport } from "../../platform/http/body/send-export.ts";
import { route } from "../../platform/http/route.ts";
import { parseSearchQuery } from "../../platform/http/search-query.ts";
import type { Api } from "../../platform/http/server.ts";
import { exportCalls } from "./export-calls.ts";
import type { ReadTranscripts } from "./exported-transcript.ts";

export function exportRoutes(api: Api, app: App, readTranscripts: ReadTranscripts): void {
  route(api, {
    method: "GET",
    path: "/calls/export",
    id: "exportCalls",
    tag: "Calls",
    summary: "Export calls",
    description:
      "Exports all calls that match the filters, newest conversation first, without a limit. CSV cells are escaped so that spreadsheets do not run them as formulas; see docs/exports.md for the format and how to read it back. If the export fails midway, the connection is closed before the end of the file.",
    access: ["read"],
    roles: supervisors,
    campaignKeys: true,
    download: true,
    exposeHeadRoute: false,
    query: ExportCallsQuery,
    parseQuery: parseSearchQuery,
    answers: { 200: { description: "The matching calls.", files: exportFiles } },
  }).handle(async ({ caller, query }, reply) => {
    const { workspaceId, campaignIds, agentId } = caller;
    const { format, bom, separator, metadata_columns: metadataColumns, transcripts, ...search } = query;
    const viewer = { workspaceId, campaignIds, agentId, actor: actorOf(caller) };
    const chunks = await exportCalls(app, viewer, {
      search,
      format,
      bom,
      separator,
      metadataColumns,
      readTranscripts: transcripts ? readTranscripts : undefined,
    });
    return sendExport(reply, { name: "calls", format }, chunks);
  });
}
