import { ExportCallsParameters, ExportCallsQuery } from "@hearback/contract";
import { z } from "zod";
import { actorOf } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { supervisors } from "../platform/caller.ts";
import { errorAnswers } from "../platform/http/error-answers.ts";
import { sendExport } from "../platform/http/send-export.ts";
import type { Api } from "../platform/http/server.ts";
import { exportCalls } from "./export-calls.ts";
import { readSearch } from "./search-routes.ts";

export function exportRoutes(api: Api, app: App): void {
  api.get(
    "/calls/export",
    {
      exposeHeadRoute: false,
      config: { access: ["read"], roles: supervisors, campaignKeys: true },
      schema: {
        ...{ operationId: "exportCalls", summary: "Calls as a file", tags: ["Calls"] },
        description:
          "All calls that the filters choose, newest conversation first, however many they are. No cell of a CSV file is run as a formula: docs/exports.md says how, and how to read it back. If the file ends early, the connection is cut.",
        querystring: ExportCallsParameters,
        response: {
          200: {
            description: "The calls.",
            content: { "text/csv": { schema: z.string() }, "application/x-ndjson": { schema: z.string() } },
          },
          ...errorAnswers(400, 401, 403, 422, 500, 503),
        },
      },
    },
    async (request, reply) => {
      const { caller } = request;
      const { workspaceId, campaignIds, agentId } = caller;
      const query = readSearch(ExportCallsQuery, request.query);
      const { format, bom, separator, metadata_columns: metadataColumns, ...search } = query;
      request.about = { workspaceId };
      const viewer = { workspaceId, campaignIds, agentId, actor: actorOf(caller) };
      const chunks = await exportCalls(app, viewer, { search, format, bom, separator, metadataColumns });
      return sendExport(reply, { name: "calls", format }, chunks);
    },
  );
}
