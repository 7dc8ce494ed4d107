import { ImportSummaryBody, ImportSummaryQuery } from "@hearback/contract";
import type { App } from "../../platform/app.ts";
import { supervisors } from "../../platform/caller.ts";
import { route } from "../../platform/http/route.ts";
import { parseSearchQuery } from "../../platform/http/search-query.ts";
import type { Api } from "../../platform/http/server.ts";
import { importSummary } from "./import-summary.ts";
import { toImportSummaryBody } from "./import-summary-body.ts";

export function summaryRoutes(api: Api, app: App): void {
  route(api, {
    method: "GET",
    path: "/imports/summary",
    id: "getImportSummary",
    tag: "Calls",
    summary: "Summarize recent imports",
    description:
      "Counts the calls imported on each of the last days, by campaign and status, with the reasons for failed preparations and refused imports. Days start at midnight in `time_zone`.",
    access: ["read", "manage"],
    roles: supervisors,
    query: ImportSummaryQuery,
    parseQuery: parseSearchQuery,
    answers: { 200: [ImportSummaryBody, "The counts by day, campaign and reason."] },
  }).handle(async ({ caller, query: { days, time_zone: zone }, about }) => {
    about.days = days;
    return toImportSummaryBody(await importSummary(app, caller, { days, zone }));
  });
}
