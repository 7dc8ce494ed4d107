import { CallPageBody, SearchCallsQuery } from "@hearback/contract";
import type { App } from "../../platform/app.ts";
import { allRoles, type Caller } from "../../platform/caller.ts";
import { route } from "../../platform/http/route.ts";
import { parseSearchQuery } from "../../platform/http/search-query.ts";
import type { Api } from "../../platform/http/server.ts";
import { toCallItem } from "../call/call-item.ts";
import { allReviews, type ReviewScope } from "../call/review-scope.ts";
import { happenedAt } from "./call-filters.ts";
import { searchCalls } from "./search-calls.ts";

/** Reviewers do not see what others think about a call before they have reviewed it; agents see what was released. */
function reviewScopeOf(caller: Caller): ReviewScope {
  if (caller.kind === "key") return allReviews;
  if (caller.role === "agent") return { ...allReviews, agentId: caller.userId };
  if (caller.role === "reviewer") return { ...allReviews, reviewerId: caller.userId };
  return { ...allReviews, userId: caller.userId };
}

export function searchRoutes(api: Api, app: App): void {
  route(api, {
    method: "GET",
    path: "/calls",
    id: "listCalls",
    tag: "Calls",
    summary: "Search calls",
    description:
      "Returns the calls that match all filters, newest conversation first. To get the next page, pass `next` from the response as `cursor`, until it is null. If matches are rare, a page may be short or empty although `next` is not null; see docs/searching.md.",
    access: ["read"],
    roles: allRoles,
    campaignKeys: true,
    query: SearchCallsQuery,
    parseQuery: parseSearchQuery,
    answers: { 200: [CallPageBody, "A page of calls."] },
  }).handle(async ({ caller, query, about }) => {
    const { calls, next, short, estimate } = await searchCalls(
      app,
      { ...caller, reviews: reviewScopeOf(caller) },
      query,
    );
    about.calls = calls.length;
    return {
      calls: calls.map(toCallItem),
      next,
      ...(short && next && { searched_to: happenedAt(next).toISOString() }),
      ...(estimate && { estimate }),
    };
  });
}
