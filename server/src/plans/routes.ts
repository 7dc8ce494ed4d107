import {
  AssignmentBody,
  AssignmentPageBody,
  ChangePlanBody,
  CreatePlanBody,
  DrawBody,
  DrawPageBody,
  DrawReviewersBody,
  ListAssignmentsQuery,
  ListDrawsQuery,
  ListPlansQuery,
  PlanBody,
  PlanPageBody,
  PlanPreviewBody,
  PreviewPlanBody,
  ProofQuery,
  QueueBody,
  ReassignBody,
  SetNonceBody,
  SkipAssignmentBody,
} from "@hearback/contract";
import { actingFor, actorOf } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { allRoles, reviewers, supervisors } from "../platform/caller.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { sendExport } from "../platform/http/body/send-export.ts";
import { route } from "../platform/http/route.ts";
import type { Api } from "../platform/http/server.ts";
import { scorecardNotFound } from "../scorecards/errors.ts";
import { handBackAssignment, reassign, skipAssignment } from "./assignments/change-assignment.ts";
import { assignmentViewerOf } from "./assignments/find-assignment.ts";
import { listAssignments, readQueue } from "./assignments/list-assignments.ts";
import { countReviewers } from "./draws/count-reviewers.ts";
import { findDraw, listDraws, toDrawBodies } from "./draws/find-draw.ts";
import { setNonce } from "./draws/set-nonce.ts";
import { writeProof } from "./draws/write-proof.ts";
import {
  assignmentClosed,
  assignmentNotFound,
  draftComplete,
  drawNotDrawn,
  drawNotFound,
  nonceFixed,
  planEnded,
  planLimitReached,
  planNotFound,
  reviewerExcluded,
} from "./errors.ts";
import { findPlan, listPlans, toPlanBody } from "./find-plan.ts";
import { previewPlan } from "./preview-plan.ts";
import { changePlan, createPlan, rulesOf } from "./save-plan.ts";

const readable = { tag: "Plans", access: ["read", "review"], roles: allRoles } as const;
const managed = { tag: "Plans", access: ["review"], roles: supervisors } as const;
const queued = { tag: "Assignments", access: ["review"], roles: reviewers } as const;

export function planRoutes(api: Api, app: App): void {
  readRoutes(api, app);
  manageRoutes(api, app);
  drawRoutes(api, app);
  assignmentRoutes(api, app);
}

function readRoutes(api: Api, app: App): void {
  route(api, {
    ...readable,
    method: "GET",
    path: "/plans",
    id: "listPlans",
    summary: "List review plans",
    description: "Lists the plans by which calls are drawn for review, newest first.",
    query: ListPlansQuery,
    answers: { 200: [PlanPageBody, "A page of plans."] },
  }).handle(({ caller, query: { ended = false, cursor, limit } }) =>
    inWorkspace(app, caller.workspaceId, async (tx) => {
      const { plans, next } = await listPlans(tx, caller.workspaceId, { ended, cursor, limit });
      return { plans: plans.map((plan) => toPlanBody(plan, caller)), next };
    }),
  );

  route(api, {
    ...readable,
    method: "GET",
    path: "/plans/:id",
    id: "getPlan",
    summary: "Get a review plan",
    description: "Returns a plan.",
    answers: { 200: [PlanBody, "The plan."] },
    errors: [planNotFound],
  }).handle(({ caller, params: { id } }) =>
    inWorkspace(app, caller.workspaceId, async (tx) => toPlanBody(await findPlan(tx, caller.workspaceId, id), caller)),
  );
}

function manageRoutes(api: Api, app: App): void {
  route(api, {
    ...managed,
    method: "POST",
    path: "/plans",
    id: "createPlan",
    summary: "Create a review plan",
    description: "Creates a plan. Its first period begins now and ends with the current day, week or month.",
    body: CreatePlanBody,
    answers: { 201: [PlanBody, "Plan created."] },
    errors: [scorecardNotFound, planLimitReached],
  }).handle(async ({ caller, body, about }) => {
    const plan = await createPlan(app, actingFor(caller), body);
    about.planId = plan.id;
    return toPlanBody(plan, caller);
  });

  route(api, {
    ...managed,
    method: "POST",
    path: "/plans/preview",
    id: "previewPlan",
    summary: "Preview a review plan",
    description: "Counts the calls of the last day, week or month that match, and the reviews that a draw would make.",
    body: PreviewPlanBody,
    answers: { 200: [PlanPreviewBody, "The counts."] },
  }).handle(({ caller: { workspaceId }, body }) =>
    inWorkspace(app, workspaceId, (tx) =>
      previewPlan(tx, workspaceId, {
        rules: rulesOf(body),
        secondPercent: body.second_percent,
        capacity: body.reviewers.reduce((sum, { capacity }) => sum + capacity, 0),
      }),
    ),
  );

  route(api, {
    ...managed,
    method: "PATCH",
    path: "/plans/:id",
    id: "changePlan",
    summary: "Update a review plan",
    description:
      "Changes a plan, or ends it after its current period. Rules apply from the next period on; reviewers, due date and second reviews from the next draw on.",
    body: ChangePlanBody,
    answers: { 200: [PlanBody, "The updated plan."] },
    errors: [planNotFound, planEnded, scorecardNotFound],
  }).handle(async ({ caller, params: { id }, body, about }) => {
    about.planId = id;
    return toPlanBody(await changePlan(app, actingFor(caller), id, body), caller);
  });
}

function drawRoutes(api: Api, app: App): void {
  route(api, {
    ...readable,
    method: "GET",
    path: "/draws",
    id: "listDraws",
    summary: "List draws",
    description:
      "Lists draws, newest first: what was published before each period, and after it. Agents see how many of their own calls were drawn.",
    query: ListDrawsQuery,
    answers: { 200: [DrawPageBody, "A page of draws."] },
  }).handle(({ caller, query: { plan_id: planId, cursor, limit } }) =>
    inWorkspace(app, caller.workspaceId, async (tx) => {
      const { draws, next } = await listDraws(tx, caller.workspaceId, { planId, cursor, limit });
      return { draws: await toDrawBodies(tx, caller, draws), next };
    }),
  );

  route(api, {
    ...readable,
    method: "GET",
    path: "/draws/:id",
    id: "getDraw",
    summary: "Get a draw",
    description: "Returns a draw.",
    answers: { 200: [DrawBody, "The draw."] },
    errors: [drawNotFound],
  }).handle(({ caller, params: { id } }) =>
    inWorkspace(app, caller.workspaceId, async (tx) => {
      const [body] = await toDrawBodies(tx, caller, [await findDraw(tx, caller.workspaceId, id)]);
      if (!body) throw drawNotFound();
      return body;
    }),
  );

  route(api, {
    ...managed,
    method: "PATCH",
    path: "/draws/:id",
    id: "setDrawNonce",
    summary: "Set the nonce of a draw",
    description:
      "Sets a text that nobody could know when the service committed to the draw, for example lottery numbers. It becomes part of the seed.",
    body: SetNonceBody,
    answers: { 200: [DrawBody, "The draw."] },
    errors: [drawNotFound, nonceFixed],
  }).handle(async ({ caller, params: { id }, body: { nonce } }) => {
    const draw = await setNonce(app, actingFor(caller), id, nonce);
    const [body] = await inWorkspace(app, caller.workspaceId, (tx) => toDrawBodies(tx, caller, [draw]));
    return body as DrawBody;
  });

  route(api, {
    ...readable,
    roles: ["agent", "supervisor", "admin"],
    method: "GET",
    path: "/draws/:id/proof",
    id: "getDrawProof",
    summary: "Get the proof of a draw",
    description:
      "Returns a file with which anyone can recompute the draw: `hearback draws verify`, or docs/verify-draw.py. Agents get the part with their own calls. See docs/fairness.md.",
    query: ProofQuery,
    answers: { 200: { description: "The proof, as JSON lines.", files: ["application/x-ndjson"] } },
    errors: [drawNotFound, drawNotDrawn],
  }).handle(async ({ caller, params: { id }, query }, reply) => {
    const draw = await inWorkspace(app, caller.workspaceId, (tx) => findDraw(tx, caller.workspaceId, id));
    if (draw.state !== "drawn") throw drawNotDrawn(draw.closesAt);
    const isAgent = caller.kind === "session" && caller.role === "agent";
    const agentId = isAgent ? caller.userId : query.agent_id;
    return sendExport(reply, { name: "draw", format: "jsonl" }, writeProof(app, draw, agentId));
  });

  route(api, {
    ...managed,
    method: "GET",
    path: "/draws/:id/reviewers",
    id: "listDrawReviewers",
    summary: "List the reviewers of a draw",
    description: "Returns how many reviews of a draw each reviewer has to do and has done.",
    answers: { 200: [DrawReviewersBody, "The reviewers."] },
    errors: [drawNotFound],
  }).handle(({ caller: { workspaceId }, params: { id } }) =>
    inWorkspace(app, workspaceId, async (tx) => countReviewers(tx, await findDraw(tx, workspaceId, id))),
  );
}

function assignmentRoutes(api: Api, app: App): void {
  route(api, {
    ...queued,
    method: "GET",
    path: "/assignments",
    id: "listAssignments",
    summary: "List assignments",
    description:
      "Lists drawn calls: open ones in the order of the queue, others newest first. Reviewers see their own; supervisors all.",
    query: ListAssignmentsQuery,
    answers: { 200: [AssignmentPageBody, "A page of assignments."] },
  }).handle(({ caller, query: { draw_id: drawId, reviewer_id: reviewerId, state, cursor, limit } }) =>
    inWorkspace(app, caller.workspaceId, (tx) =>
      listAssignments(tx, assignmentViewerOf(caller), { drawId, reviewerId, state, cursor, limit }),
    ),
  );

  route(api, {
    ...queued,
    access: "session",
    method: "GET",
    path: "/assignments/queue",
    id: "getQueue",
    summary: "Get your review queue",
    description: "Returns what you have to review, what you did this week, and the next call.",
    answers: { 200: [QueueBody, "Your queue."] },
  }).handle(({ caller }) =>
    inWorkspace(app, caller.workspaceId, (tx) => readQueue(tx, caller.workspaceId, caller.userId)),
  );

  route(api, {
    ...queued,
    method: "POST",
    path: "/assignments/:id/skip",
    id: "skipAssignment",
    summary: "Skip a drawn call",
    description:
      "Skips a call that cannot be reviewed. The agent's next ticket takes its place. Reasons are counted and visible to agents.",
    body: SkipAssignmentBody,
    answers: { 200: [AssignmentBody, "The skipped assignment."] },
    errors: [assignmentNotFound, assignmentClosed],
  }).handle(({ caller, params: { id }, body: { reason, note } }) =>
    skipAssignment(app, assignmentViewerOf(caller), { id, actor: actorOf(caller), reason, note }),
  );

  route(api, {
    ...queued,
    method: "POST",
    path: "/assignments/:id/hand-back",
    id: "handBackAssignment",
    summary: "Hand back a drawn call",
    description: "Gives the call to another reviewer of the plan. If nobody can review it, it waits for a supervisor.",
    answers: { 200: [AssignmentBody, "The assignment with its new reviewer."] },
    errors: [assignmentNotFound, assignmentClosed],
  }).handle(({ caller, params: { id } }) =>
    handBackAssignment(app, assignmentViewerOf(caller), { id, actor: actorOf(caller) }),
  );

  route(api, {
    ...queued,
    roles: supervisors,
    method: "PATCH",
    path: "/assignments/:id",
    id: "reassign",
    summary: "Reassign a drawn call",
    description: "Gives a drawn call to another reviewer. A draft that was started for it is deleted.",
    body: ReassignBody,
    answers: { 200: [AssignmentBody, "The assignment."] },
    errors: [assignmentNotFound, assignmentClosed, reviewerExcluded, draftComplete],
  }).handle(({ caller, params: { id }, body: { reviewer_id: reviewerId, discard_draft: discardsDraft } }) =>
    reassign(app, assignmentViewerOf(caller), { id, actor: actorOf(caller), reviewerId, discardsDraft }),
  );
}
