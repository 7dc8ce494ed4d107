import { ListMatchesQuery, TranscriptMatchesBody } from "@hearback/contract";
import { callNotFound } from "../../calls/errors.ts";
import type { App } from "../../platform/app.ts";
import { allRoles } from "../../platform/caller.ts";
import { storageUnavailable } from "../../platform/errors.ts";
import { route } from "../../platform/http/route.ts";
import type { Api } from "../../platform/http/server.ts";
import { listMatches } from "./list-matches.ts";

export function matchesRoutes(api: Api, app: App): void {
  route(api, {
    method: "GET",
    path: "/calls/:id/transcript/matches",
    id: "listTranscriptMatches",
    tag: "Calls",
    summary: "Find where something was said",
    description:
      "Returns the sentences of a call in which `said` was said, as in `GET /calls`: what to show below a call that was found, and where to start playing it. Empty if the call has no transcript. The audit log records reading them as reading the transcript: one entry per API key or user, call and 30 minutes.",
    access: ["read"],
    roles: allRoles,
    campaignKeys: true,
    query: ListMatchesQuery,
    answers: { 200: [TranscriptMatchesBody, "In order of time."] },
    errors: [callNotFound, storageUnavailable],
  }).handle(async ({ caller, params: { id }, query, about }) => {
    about.callId = id.slice(0, 36);
    return listMatches(app, caller, id, query);
  });
}
