import { AgreementQuery, AgreementReportBody } from "@hearback/contract";
import type { App } from "../../platform/app.ts";
import { supervisors } from "../../platform/caller.ts";
import { route } from "../../platform/http/route.ts";
import type { Api } from "../../platform/http/server.ts";
import { scorecardNotFound } from "../../scorecards/errors.ts";
import { findAgreement } from "./find-agreement.ts";

export function agreementRoutes(api: Api, app: App): void {
  route(api, {
    tag: "Calibration",
    access: ["read", "review"],
    roles: supervisors,
    exposeHeadRoute: false,
    method: "GET",
    path: "/agreement",
    id: "getAgreement",
    summary: "Get agreement of second reviews",
    description:
      "Compares first reviews with their blind second reviews, per question of the latest version. See docs/statistics.md for the formulas.",
    query: AgreementQuery,
    answers: { 200: [AgreementReportBody, "Agreement per question."] },
    errors: [scorecardNotFound],
  }).handle(({ caller, query: { scorecard_id: scorecardId, from, to } }) =>
    findAgreement(app, caller.workspaceId, { scorecardId, from, to }),
  );
}
