import {
  ChangeDisputeBody,
  DisputeBody,
  DisputePageBody,
  ListDisputesQuery,
  OpenDisputeBody,
  ResolveDisputeBody,
  TestCasesBody,
} from "@hearback/contract";
import { actorOf } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { allRoles, reviewers, supervisors } from "../../platform/caller.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { fieldInvalid, memberMissing } from "../../platform/errors.ts";
import { route } from "../../platform/http/route.ts";
import type { Api } from "../../platform/http/server.ts";
import { scorecardNotFound } from "../../scorecards/errors.ts";
import { findScorecard, scorecardViewerOf } from "../../scorecards/find-scorecard.ts";
import {
  callErased,
  disputeLowersScore,
  disputeNotFound,
  disputeResolved,
  notArbiter,
  notDisputable,
  reviewIncomplete,
  reviewNotFound,
  reviewStateWrong,
} from "../errors.ts";
import { viewerOf } from "../review/review-viewer.ts";
import { assignArbiter } from "./assign-arbiter.ts";
import { listDisputes } from "./list-disputes.ts";
import { findVisibleDispute } from "./lock-dispute.ts";
import { openDispute } from "./open-dispute.ts";
import { resolveDispute } from "./resolve-dispute.ts";
import { keepAsTestCase, listTestCases } from "./test-cases.ts";

const tag = "Disputes";
const readable = { tag, access: ["read", "review"], roles: allRoles, campaignKeys: true } as const;

export function disputeRoutes(api: Api, app: App): void {
  route(api, {
    tag,
    access: "session",
    roles: ["agent"],
    method: "POST",
    path: "/reviews/:id/disputes",
    id: "openDispute",
    summary: "Dispute a review",
    description:
      "Objects to answers of a released review of your call. The person who decides is neither you nor the reviewer. A dispute never lowers the score.",
    body: OpenDisputeBody,
    answers: { 201: [DisputeBody, "Dispute opened."] },
    errors: [reviewNotFound, reviewStateWrong, notDisputable, callErased],
  }).handle(async ({ caller, params: { id }, body: { items }, about }) => {
    about.reviewId = id;
    return openDispute(app, viewerOf(caller), { id, actor: actorOf(caller), items });
  });

  route(api, {
    ...readable,
    method: "GET",
    path: "/disputes",
    id: "listDisputes",
    summary: "List disputes",
    description:
      "Lists disputes: open ones oldest first, resolved ones newest first. Agents see their own; reviewers those that they decide.",
    query: ListDisputesQuery,
    answers: { 200: [DisputePageBody, "A page of disputes."] },
  }).handle(({ caller, query: { review_id: reviewId, mine = false, state, cursor, limit } }) =>
    inWorkspace(app, caller.workspaceId, (tx) =>
      listDisputes(tx, viewerOf(caller), { state, mine, reviewId, cursor, limit }),
    ),
  );

  route(api, {
    ...readable,
    method: "GET",
    path: "/disputes/:id",
    id: "getDispute",
    summary: "Get a dispute",
    description: "Returns a dispute with its questions and decisions.",
    answers: { 200: [DisputeBody, "The dispute."] },
    errors: [disputeNotFound],
  }).handle(({ caller, params: { id } }) =>
    inWorkspace(app, caller.workspaceId, (tx) => findVisibleDispute(tx, viewerOf(caller), id)),
  );
  decideRoutes(api, app);
}

function decideRoutes(api: Api, app: App): void {
  route(api, {
    tag,
    access: ["review"],
    roles: supervisors,
    campaignKeys: true,
    method: "PATCH",
    path: "/disputes/:id",
    id: "changeDispute",
    summary: "Change a dispute",
    description:
      "Gives an open dispute to another arbiter, or keeps a decided one as a test case of its scorecard (`GET /scorecards/{id}/test-cases`).",
    body: ChangeDisputeBody,
    answers: { 200: [DisputeBody, "The dispute."] },
    errors: [disputeNotFound, disputeResolved, notArbiter],
  }).handle(({ caller, params: { id }, body: { arbiter_id: arbiterId, test_case: name } }) => {
    const actor = actorOf(caller);
    if (arbiterId !== undefined && name !== undefined)
      throw fieldInvalid("test_case", "not_allowed", "Send either arbiter_id or test_case.");
    if (arbiterId !== undefined) return assignArbiter(app, viewerOf(caller), { id, arbiterId, actor });
    if (name !== undefined) return keepAsTestCase(app, viewerOf(caller), { id, name, actor });
    throw memberMissing(["arbiter_id"]);
  });

  route(api, {
    tag: "Scorecards",
    access: ["read", "review"],
    roles: supervisors,
    campaignKeys: true,
    method: "GET",
    path: "/scorecards/:id/test-cases",
    id: "listTestCases",
    summary: "List test cases of a scorecard",
    description:
      "Returns the decided disputes that are kept as test cases: answers, and the score that they must have. The response is a file for `hearback scorecards test`.",
    answers: { 200: [TestCasesBody, "The test cases."] },
    errors: [scorecardNotFound],
  }).handle(({ caller, params: { id } }) =>
    inWorkspace(app, caller.workspaceId, async (tx) => {
      await findScorecard(tx, caller.workspaceId, id, scorecardViewerOf(caller));
      return listTestCases(tx, viewerOf(caller), id);
    }),
  );

  route(api, {
    tag,
    access: ["review"],
    roles: reviewers,
    campaignKeys: true,
    method: "POST",
    path: "/disputes/:id/resolve",
    id: "resolveDispute",
    summary: "Decide a dispute",
    description:
      "Upholds or changes each disputed answer, with an explanation that the agent reads. Changed answers make a new revision of the review.",
    body: ResolveDisputeBody,
    answers: { 200: [DisputeBody, "The decided dispute."] },
    errors: [disputeNotFound, notArbiter, disputeResolved, disputeLowersScore, reviewIncomplete, callErased],
  }).handle(({ caller, params: { id }, body: { items } }) =>
    resolveDispute(app, viewerOf(caller), { id, actor: actorOf(caller), items }),
  );
}
