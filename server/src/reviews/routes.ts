import {
  AcknowledgeReviewBody,
  ChangeReviewBody,
  CorrectReviewBody,
  ExportReviewsQuery,
  ListReviewsQuery,
  ReleaseReviewsBody,
  ReviewDetailBody,
  ReviewPageBody,
  ReviewsReleasedBody,
  SaveAnswerBody,
  SavedBody,
  StartReviewBody,
  VoidReviewBody,
  WaitingBody,
} from "@hearback/contract";
import { z } from "zod";
import { callNotFound } from "../calls/errors.ts";
import { assignmentClosed } from "../plans/errors.ts";
import { actorOf } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { allRoles, type Caller, reviewers, supervisors } from "../platform/caller.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { ifMatchMissing, memberMissing } from "../platform/errors.ts";
import { exportFiles, sendExport } from "../platform/http/body/send-export.ts";
import { requireIfMatch } from "../platform/http/if-match.ts";
import { route } from "../platform/http/route.ts";
import type { Api } from "../platform/http/server.ts";
import { scorecardNotFound } from "../scorecards/errors.ts";
import {
  answerInvalid,
  calibrationClosed,
  calibrationNotFound,
  callErased,
  draftExists,
  notArbiter,
  nothingCorrected,
  notParticipant,
  notYourReview,
  ownCall,
  pickingOff,
  reopenedDraft,
  reviewChanged,
  reviewIncomplete,
  reviewNotCounted,
  reviewNotFound,
  reviewStateWrong,
  scorecardNotForCall,
} from "./errors.ts";
import { exportReviews } from "./read/export-reviews.ts";
import { listReviews } from "./read/list-reviews.ts";
import { countWaiting } from "./read/waiting.ts";
import { findReview, type ReviewRow } from "./review/find-review.ts";
import { toReviewBody, toReviewDetail } from "./review/review-body.ts";
import { viewerOf } from "./review/review-viewer.ts";
import { acknowledgeReview } from "./write/acknowledge-review.ts";
import { discardDraft, saveActiveTime, saveComment } from "./write/change-draft.ts";
import { correctReview } from "./write/correct-review.ts";
import { releaseReview, releaseReviews } from "./write/release-review.ts";
import { reopenReview } from "./write/reopen-review.ts";
import { saveAnswer } from "./write/save-answer.ts";
import { startReview } from "./write/start-review.ts";
import { submitReview } from "./write/submit-review.ts";
import { voidReview } from "./write/void-review.ts";

const tag = "Reviews";
const readable = { tag, access: ["read", "review"], roles: allRoles, campaignKeys: true } as const;
const written = { tag, access: ["review"], roles: reviewers, campaignKeys: true } as const;
const managed = { tag, access: ["review"], roles: supervisors, campaignKeys: true } as const;
const ofAgents = { tag, access: "session", roles: ["agent"] } as const;

export function reviewRoutes(api: Api, app: App): void {
  readRoutes(api, app);
  draftRoutes(api, app);
  submitRoutes(api, app);
  manageRoutes(api, app);
  agentRoutes(api, app);
  waitingRoutes(api, app);
}

/** The review with everything that the caller may see of it. */
const detail = (app: App, caller: Caller, review: ReviewRow) =>
  inWorkspace(app, caller.workspaceId, (tx) => toReviewDetail(tx, review, viewerOf(caller)));

const filterOf = (query: Omit<ListReviewsQuery, "cursor" | "limit">) => ({
  callId: query.call_id,
  agentId: query.agent_id,
  reviewerId: query.reviewer_id,
  scorecardId: query.scorecard_id,
  campaignId: query.campaign_id,
  teamId: query.team_id,
  state: query.state,
  outcome: query.outcome,
  selection: query.selection,
  failedQuestion: query.failed_question,
  calledFrom: query.called_from,
  calledTo: query.called_to,
  disputed: query.disputed,
  from: query.from,
  to: query.to,
});

function readRoutes(api: Api, app: App): void {
  route(api, {
    ...readable,
    method: "GET",
    path: "/reviews",
    id: "listReviews",
    summary: "List reviews",
    description:
      "Lists reviews, newest first. Agents see their own released reviews. Reviewers see their own and, with `call_id`, those of others after they submitted one for the same call. A page can be shorter than `limit`; `next` is null only at the end.",
    query: ListReviewsQuery,
    answers: { 200: [ReviewPageBody, "A page of reviews."] },
  }).handle(async ({ caller, query }) => {
    const { cursor, limit } = query;
    const input = { ...filterOf(query), cursor, limit };
    const page = await inWorkspace(app, caller.workspaceId, (tx) => listReviews(tx, viewerOf(caller), input));
    return { reviews: page.reviews.map(toReviewBody), next: page.next };
  });

  route(api, {
    tag,
    access: ["read", "review"],
    roles: supervisors,
    campaignKeys: true,
    download: true,
    exposeHeadRoute: false,
    method: "GET",
    path: "/reviews/export",
    id: "exportReviews",
    summary: "Export reviews",
    description:
      "Exports all reviews that match the filters, newest first, with one row per review or per answer. See docs/exports.md for the format. If the export fails midway, the connection is closed before the end of the file.",
    query: ExportReviewsQuery,
    answers: { 200: { description: "The matching reviews.", files: exportFiles } },
  }).handle(async ({ caller, query }, reply) => {
    const { format, bom, separator, rows } = query;
    const input = { rows, filter: filterOf(query), actor: actorOf(caller), format, bom, separator };
    return sendExport(reply, { name: rows, format }, await exportReviews(app, viewerOf(caller), input));
  });

  route(api, {
    ...readable,
    method: "GET",
    path: "/reviews/:id",
    id: "getReview",
    summary: "Get a review",
    description:
      "Returns a review with its answers, score breakdown and history. The answers of a draft are visible to its reviewer only.",
    answers: { 200: [ReviewDetailBody, "The review."] },
    errors: [reviewNotFound],
  }).handle(({ caller, params: { id } }) =>
    inWorkspace(app, caller.workspaceId, async (tx) => {
      const viewer = viewerOf(caller);
      return toReviewDetail(tx, await findReview(tx, viewer, id), viewer);
    }),
  );
}

function draftRoutes(api: Api, app: App): void {
  route(api, {
    ...written,
    method: "POST",
    path: "/reviews",
    id: "startReview",
    summary: "Start a review",
    description:
      "Starts a review of a call on the latest version of a scorecard. With `calibration_id`, for a calibration session, on its version. If you have started it already, returns it with status 200.",
    body: StartReviewBody,
    answers: {
      200: [ReviewDetailBody, "Your draft, which existed already."],
      201: [ReviewDetailBody, "Review started."],
    },
    errors: [
      callNotFound,
      scorecardNotFound,
      calibrationNotFound,
      ownCall,
      pickingOff,
      notParticipant,
      scorecardNotForCall,
      draftExists,
      calibrationClosed,
    ],
  }).handle(async ({ caller, body, about }, reply) => {
    const { call_id: callId, scorecard_id: scorecardId, calibration_id: calibrationId } = body;
    if (scorecardId === undefined && calibrationId === undefined) throw memberMissing(["scorecard_id"]);
    const input = { callId, scorecardId, calibrationId, reviewer: actorOf(caller) };
    const { review, started } = await startReview(app, viewerOf(caller), caller, input);
    about.reviewId = review.id;
    if (started) reply.code(201);
    return detail(app, caller, review);
  });

  route(api, {
    ...written,
    method: "PUT",
    path: "/reviews/:id/answers/:question",
    id: "saveAnswer",
    summary: "Save an answer",
    description:
      "Saves the answer to one question of your draft, with its comment and moments. An empty object removes the answer. If the draft was changed meanwhile, nothing is saved, and the response contains its current state (412).",
    params: { question: z.string().meta({ example: "greeting" }) },
    body: SaveAnswerBody,
    ifMatch: true,
    answers: { 200: [SavedBody, "The answer is saved."] },
    errors: [reviewNotFound, notYourReview, reviewStateWrong, reviewChanged, ifMatchMissing, answerInvalid],
  }).handle(async (request) => {
    const { caller, params, body } = request;
    const input = { id: params.id, question: params.question, answer: body, ifMatch: requireIfMatch(request) };
    return { number: await saveAnswer(app, viewerOf(caller), input) };
  });

  route(api, {
    ...written,
    method: "PATCH",
    path: "/reviews/:id",
    id: "changeReview",
    summary: "Update a draft",
    description:
      "Saves the comment on the whole review, and the time that you worked on it. The comment needs `If-Match`; the time does not, and does not change the number.",
    body: ChangeReviewBody,
    ifMatch: true,
    answers: { 200: [SavedBody, "The draft is saved."] },
    errors: [reviewNotFound, notYourReview, reviewStateWrong, reviewChanged, ifMatchMissing],
  }).handle(async (request) => {
    const { caller, params, body } = request;
    const viewer = viewerOf(caller);
    if (body.comment !== undefined) {
      const ifMatch = requireIfMatch(request);
      await saveComment(app, viewer, { id: params.id, comment: body.comment, ifMatch });
    }
    return { number: await saveActiveTime(app, viewer, params.id, body.active_ms ?? 0) };
  });

  route(api, {
    ...written,
    method: "DELETE",
    path: "/reviews/:id",
    id: "discardReview",
    summary: "Discard a draft",
    description: "Deletes your draft. A review that was submitted once cannot be deleted.",
    answers: { 204: "The draft is deleted." },
    errors: [reviewNotFound, notYourReview, reviewStateWrong, reopenedDraft],
  }).handle(async ({ caller, params: { id }, about }) => {
    await discardDraft(app, viewerOf(caller), { id, actor: actorOf(caller) });
    about.reviewId = id;
  });
}

function submitRoutes(api: Api, app: App): void {
  route(api, {
    ...written,
    method: "POST",
    path: "/reviews/:id/submit",
    id: "submitReview",
    summary: "Submit a review",
    description:
      "Checks that every visible question is answered, calculates the score and writes a revision, which never changes. If the scorecard says so, the agent sees the review at once.",
    ifMatch: true,
    answers: { 200: [ReviewDetailBody, "The submitted review."] },
    errors: [
      reviewNotFound,
      notYourReview,
      reviewStateWrong,
      calibrationClosed,
      ownCall,
      reviewChanged,
      ifMatchMissing,
      reviewIncomplete,
      assignmentClosed,
    ],
  }).handle(async (request) => {
    const { caller, params, about } = request;
    const input = { id: params.id, actor: actorOf(caller), ifMatch: requireIfMatch(request) };
    const review = await submitReview(app, viewerOf(caller), input);
    about.reviewId = review.id;
    return detail(app, caller, review);
  });

  route(api, {
    ...written,
    method: "POST",
    path: "/reviews/:id/reopen",
    id: "reopenReview",
    summary: "Reopen a review",
    description:
      "Makes a submitted review, which is not released yet, a draft of its reviewer again. For the reviewer and for supervisors.",
    answers: { 200: [ReviewDetailBody, "The review as a draft."] },
    errors: [
      reviewNotFound,
      notYourReview,
      reviewStateWrong,
      reviewNotCounted,
      calibrationClosed,
      draftExists,
      callNotFound,
    ],
  }).handle(async ({ caller, params: { id }, about }) => {
    const review = await reopenReview(app, viewerOf(caller), id, actorOf(caller));
    about.reviewId = review.id;
    return detail(app, caller, review);
  });
}

function manageRoutes(api: Api, app: App): void {
  route(api, {
    ...managed,
    method: "POST",
    path: "/reviews/release",
    id: "releaseReviews",
    summary: "Release reviews",
    description:
      "Releases up to 200 reviews. Those that do not wait for release, are never released, or do not exist, are skipped.",
    body: ReleaseReviewsBody,
    answers: { 200: [ReviewsReleasedBody, "What was released."] },
  }).handle(({ caller, body }) => releaseReviews(app, viewerOf(caller), body.ids, actorOf(caller)));

  route(api, {
    ...managed,
    method: "POST",
    path: "/reviews/:id/release",
    id: "releaseReview",
    summary: "Release a review",
    description: "Makes a submitted review visible to the agent. From now on the agent can acknowledge and dispute it.",
    answers: { 200: [ReviewDetailBody, "The released review."] },
    errors: [reviewNotFound, reviewStateWrong, reviewNotCounted, ownCall],
  }).handle(async ({ caller, params: { id }, about }) => {
    const review = await releaseReview(app, viewerOf(caller), id, actorOf(caller));
    about.reviewId = review.id;
    return detail(app, caller, review);
  });

  route(api, {
    ...managed,
    method: "POST",
    path: "/reviews/:id/correct",
    id: "correctReview",
    summary: "Correct a review",
    description:
      "Changes answers of a submitted or released review. Adds a revision with your reason; earlier revisions and scores stay visible.",
    body: CorrectReviewBody,
    answers: { 200: [ReviewDetailBody, "The corrected review."] },
    errors: [
      reviewNotFound,
      reviewStateWrong,
      reviewNotCounted,
      ownCall,
      notArbiter,
      nothingCorrected,
      reviewIncomplete,
      callErased,
    ],
  }).handle(async ({ caller, params: { id }, body: { answers, reason }, about }) => {
    const review = await correctReview(app, viewerOf(caller), { id, actor: actorOf(caller), answers, reason });
    about.reviewId = review.id;
    return detail(app, caller, review);
  });

  route(api, {
    ...managed,
    method: "POST",
    path: "/reviews/:id/void",
    id: "voidReview",
    summary: "Void a review",
    description:
      "Voids a submitted or released review: it counts nowhere from now on, and stays visible with your reason.",
    body: VoidReviewBody,
    answers: { 200: [ReviewDetailBody, "The voided review."] },
    errors: [reviewNotFound, reviewStateWrong, ownCall, notArbiter, callErased],
  }).handle(async ({ caller, params: { id }, body: { reason }, about }) => {
    const review = await voidReview(app, viewerOf(caller), { id, actor: actorOf(caller), reason });
    about.reviewId = review.id;
    return detail(app, caller, review);
  });
}

function agentRoutes(api: Api, app: App): void {
  route(api, {
    ...ofAgents,
    method: "POST",
    path: "/reviews/:id/acknowledge",
    id: "acknowledgeReview",
    summary: "Acknowledge a review",
    description: "Records that you have read the review of your call. Optionally with a note.",
    body: AcknowledgeReviewBody.optional(),
    answers: { 200: [ReviewDetailBody, "The acknowledged review."] },
    errors: [reviewNotFound, reviewStateWrong, callErased],
  }).handle(async ({ caller, params: { id }, body, about }) => {
    const review = await acknowledgeReview(app, viewerOf(caller), { id, actor: actorOf(caller), note: body.note });
    about.reviewId = review.id;
    return detail(app, caller, review);
  });
}

function waitingRoutes(api: Api, app: App): void {
  route(api, {
    tag,
    access: "session",
    roles: allRoles,
    method: "GET",
    path: "/reviews/waiting",
    id: "getWaiting",
    summary: "Count what waits for you",
    description:
      "Counts your drafts, reviews to release or to acknowledge, and disputes to decide. Each count stops at 100.",
    answers: { 200: [WaitingBody, "The counts."] },
  }).handle(({ caller }) => inWorkspace(app, caller.workspaceId, (tx) => countWaiting(tx, caller)));
}
