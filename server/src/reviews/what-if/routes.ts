import { ListWhatIfsQuery, StartWhatIfBody, WhatIfBody, WhatIfPageBody } from "@hearback/contract";
import { actingFor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { supervisors } from "../../platform/caller.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { readIfMatch } from "../../platform/http/if-match.ts";
import { route } from "../../platform/http/route.ts";
import type { Api } from "../../platform/http/server.ts";
import { draftChanged, draftMissing, scorecardInvalid, scorecardNotFound } from "../../scorecards/errors.ts";
import { findScorecard } from "../../scorecards/find-scorecard.ts";
import { scorecardNotPublished, whatIfLimitReached, whatIfNotFound } from "../errors.ts";
import { cancelWhatIf } from "./end-what-if.ts";
import { findWhatIf, listWhatIfs, toWhatIfBody } from "./find-what-if.ts";
import { startWhatIf } from "./start-what-if.ts";

const managed = { tag: "Scorecards", access: ["review"], roles: supervisors } as const;
/** A draft has at most 300 KB as JSON; with white space it may be larger. */
const bodyLimit = 500_000;

export function whatIfRoutes(api: Api, app: App): void {
  route(api, {
    ...managed,
    method: "POST",
    path: "/scorecards/:id/what-if",
    id: "startWhatIf",
    summary: "Start a what-if run",
    description:
      "Replays the released reviews of a period, at most the newest 200,000, on the draft or on the document in the body, and compares them with the published version. Changes no review. Poll `GET /what-ifs/{id}`. Deleted after 30 days.",
    body: StartWhatIfBody,
    bodyLimit,
    ifMatch: true,
    answers: { 202: [WhatIfBody, "The run is queued."] },
    errors: [
      scorecardNotFound,
      draftMissing,
      scorecardNotPublished,
      whatIfLimitReached,
      draftChanged,
      scorecardInvalid,
    ],
  }).handle((request) => {
    const { caller, params, body, about } = request;
    about.scorecardId = params.id;
    const input = { scorecardId: params.id, ...body, ifMatch: readIfMatch(request) };
    return startWhatIf(app, actingFor(caller), input);
  });

  route(api, {
    ...managed,
    method: "GET",
    path: "/scorecards/:id/what-if",
    id: "listWhatIfs",
    summary: "List what-if runs of a scorecard",
    description: "Lists the runs of the last 30 days without their results, newest first.",
    query: ListWhatIfsQuery,
    answers: { 200: [WhatIfPageBody, "A page of runs."] },
    errors: [scorecardNotFound],
  }).handle(({ caller: { workspaceId }, params: { id }, query }) =>
    inWorkspace(app, workspaceId, async (tx) => {
      await findScorecard(tx, workspaceId, id);
      return listWhatIfs(tx, workspaceId, { scorecardId: id, ...query });
    }),
  );

  route(api, {
    ...managed,
    method: "GET",
    path: "/what-ifs/:id",
    id: "getWhatIf",
    summary: "Get a what-if run",
    description: "Returns the progress of a run and, once it is done, its result.",
    answers: { 200: [WhatIfBody, "The run."] },
    errors: [whatIfNotFound],
  }).handle(({ caller: { workspaceId }, params: { id } }) =>
    inWorkspace(app, workspaceId, async (tx) => toWhatIfBody(tx, await findWhatIf(tx, workspaceId, id))),
  );

  route(api, {
    ...managed,
    method: "DELETE",
    path: "/what-ifs/:id",
    id: "cancelWhatIf",
    summary: "Cancel a what-if run",
    description: "Cancels a run. A run that has ended stays as it is.",
    answers: { 204: "The run is cancelled, or had ended." },
    errors: [whatIfNotFound],
  }).handle(({ caller, params: { id } }) => cancelWhatIf(app, caller.workspaceId, id));
}
