import { ExportCallsParameters, ExportCallsQuery } from "@hearback/contract";
import { z } from "zod";
import { actorOf } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { errorAnswers } from "../platform/http/error-answers.ts";
import { parseFields } from "../platform/http/parse.ts";
import { sendExport } from "../platform/http/send-export.ts";
import type { Api } from "../platform/http/server.ts";
import { exportCalls } from "./export-calls.ts";

export function exportRoutes(api: Api, app: App): void {
  api.get(
    "/calls/export",
    {
      exposeHeadRoute: false,
      config: { access: ["read"], campaignKeys: true },
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
      const { workspaceId, campaignIds } = caller;
      const query = parseFields(ExportCallsQuery, request.query as Record<string, unknown>, {
        missingCode: "member_missing",
      });
      const { format, bom, separator, metadata_columns: metadataColumns, ...filters } = query;
      const { campaign, from, to } = filters;
      request.about = { workspaceId };
      // A key that is restricted gets its own campaigns, whichever it asks for.
      const asked = campaign && campaignIds ? campaign.filter((id) => campaignIds.includes(id)) : campaign;
      const chunks = await exportCalls(
        app,
        { workspaceId, actor: actorOf(caller) },
        {
          ...{ format, bom, separator, metadataColumns },
          filter: { campaigns: asked ?? campaignIds ?? undefined, from, to },
          filterNames: Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [name])),
        },
      );
      return sendExport(reply, { name: "calls", format }, chunks);
    },
  );
}
