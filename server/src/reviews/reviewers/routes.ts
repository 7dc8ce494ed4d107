import { ReviewerScorePageBody, ReviewerScoresQuery } from "@hearback/contract";
import type { App } from "../../platform/app.ts";
import { supervisors } from "../../platform/caller.ts";
import { route } from "../../platform/http/route.ts";
import type { Api } from "../../platform/http/server.ts";
import { scoreFilterOf } from "../../scores/score-filter.ts";
import { listReviewers } from "./list-reviewers.ts";

export function reviewerRoutes(api: Api, app: App): void {
  route(api, {
    tag: "Scores",
    access: ["read", "review"],
    roles: supervisors,
    campaignKeys: true,
    method: "GET",
    path: "/scores/reviewers",
    id: "listReviewerScores",
    summary: "List reviewers",
    description: "Lists reviewers with released reviews in the period, in the order of their ids. This is no ranking.",
    query: ReviewerScoresQuery,
    answers: { 200: [ReviewerScorePageBody, "A page of reviewers."] },
  }).handle(({ caller, query }) => listReviewers(app, scoreFilterOf(caller, query), query));
}
