import { ImportSummaryBody, ImportSummaryParameters, ImportSummaryQuery } from "@hearback/contract";
import type { App } from "../platform/app.ts";
import { supervisors } from "../platform/caller.ts";
import { errorAnswers } from "../platform/http/error-answers.ts";
import type { Api } from "../platform/http/server.ts";
import { importSummary } from "./import-summary.ts";
import { toImportSummaryBody } from "./import-summary-body.ts";
import { readSearch } from "./search-routes.ts";

/** Imports of the last days at a glance. */
export function summaryRoutes(api: Api, app: App): void {
  api.get(
    "/imports/summary",
    {
      config: { access: ["read", "manage"], roles: supervisors },
      schema: {
        ...{ operationId: "summarizeImports", summary: "Imports of the last days", tags: ["Calls"] },
        description:
          "How many calls came in on each of the last days, by campaign, and what became of them; why some could not be prepared, and why imports were refused. Days begin at the midnights of `time_zone`.",
        querystring: ImportSummaryParameters,
        response: {
          200: ImportSummaryBody.describe("What came in, and what did not."),
          ...errorAnswers(401, 403, 422, 500, 503),
        },
      },
    },
    async (request) => {
      const { caller } = request;
      const { days, time_zone: zone } = readSearch(ImportSummaryQuery, request.query);
      request.about = { workspaceId: caller.workspaceId, days };
      return toImportSummaryBody(await importSummary(app, caller, { days, zone }), zone);
    },
  );
}
