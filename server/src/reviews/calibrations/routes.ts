import {
  CalibrationAnswersBody,
  CalibrationDecidedBody,
  CalibrationDetailBody,
  CalibrationPageBody,
  CalibrationResultsBody,
  ChangeCalibrationBody,
  CreateCalibrationBody,
  DecideCalibrationBody,
  ListCalibrationsQuery,
} from "@hearback/contract";
import { z } from "zod";
import { actorOf } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { reviewers, supervisors } from "../../platform/caller.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { route } from "../../platform/http/route.ts";
import type { Api } from "../../platform/http/server.ts";
import { scorecardNotFound } from "../../scorecards/errors.ts";
import {
  calibrationClosed,
  calibrationNotFound,
  calibrationOpen,
  calibrationStarted,
  ownCall,
  scorecardNotForCall,
} from "../errors.ts";
import { viewerOf } from "../review/review-viewer.ts";
import { changeCalibration } from "./change-calibration.ts";
import { closeCalibration, deleteCalibration } from "./close-calibration.ts";
import { createCalibration } from "./create-calibration.ts";
import { decide } from "./decide.ts";
import { findCalibration, listCalibrations, toCalibrationBody, toCalibrationDetail } from "./find-calibration.ts";
import { findAnswers, findResults, questionNotFound } from "./results.ts";

const tag = "Calibration";
const readable = { tag, access: ["read", "review"], roles: reviewers } as const;
const managed = { tag, access: ["review"], roles: supervisors } as const;
const question = z.string().meta({ example: "greeting" });

export function calibrationRoutes(api: Api, app: App): void {
  readRoutes(api, app);
  resultRoutes(api, app);
  manageRoutes(api, app);
}

function readRoutes(api: Api, app: App): void {
  route(api, {
    ...readable,
    method: "GET",
    path: "/calibrations",
    id: "listCalibrations",
    summary: "List calibration sessions",
    description: "Lists calibration sessions, newest first. Reviewers see those that they take part in.",
    query: ListCalibrationsQuery,
    answers: { 200: [CalibrationPageBody, "A page of sessions."] },
  }).handle(({ caller, query: { state, cursor, limit } }) =>
    inWorkspace(app, caller.workspaceId, async (tx) => {
      const { rows, next } = await listCalibrations(tx, viewerOf(caller), { state, cursor, limit });
      return { calibrations: rows.map(toCalibrationBody), next };
    }),
  );

  route(api, {
    ...readable,
    method: "GET",
    path: "/calibrations/:id",
    id: "getCalibration",
    summary: "Get a calibration session",
    description: "Returns a session with its calls and who has submitted how many reviews.",
    answers: { 200: [CalibrationDetailBody, "The session."] },
    errors: [calibrationNotFound],
  }).handle(({ caller, params: { id } }) =>
    inWorkspace(app, caller.workspaceId, async (tx) => {
      const viewer = viewerOf(caller);
      return toCalibrationDetail(tx, await findCalibration(tx, viewer, id), viewer);
    }),
  );
}

function resultRoutes(api: Api, app: App): void {
  route(api, {
    ...readable,
    method: "GET",
    path: "/calibrations/:id/results",
    id: "getCalibrationResults",
    summary: "Get the results of a calibration session",
    description:
      "Returns scores, agreement per question and each participant's distance from the expert or the median. Only after the session is closed.",
    answers: { 200: [CalibrationResultsBody, "The results."] },
    errors: [calibrationNotFound, calibrationOpen],
  }).handle(({ caller, params: { id } }) =>
    inWorkspace(app, caller.workspaceId, (tx) => findResults(tx, viewerOf(caller), id)),
  );

  route(api, {
    ...readable,
    method: "GET",
    path: "/calibrations/:id/answers/:question",
    id: "getCalibrationAnswers",
    summary: "Get the answers to a question of a calibration session",
    description:
      "Returns the answers of all participants side by side, with comments and moments. Only after the session is closed.",
    params: { question },
    answers: { 200: [CalibrationAnswersBody, "The answers."] },
    errors: [calibrationNotFound, calibrationOpen, questionNotFound],
  }).handle(({ caller, params }) =>
    inWorkspace(app, caller.workspaceId, (tx) =>
      findAnswers(tx, viewerOf(caller), { id: params.id, questionId: params.question }),
    ),
  );

  route(api, {
    ...managed,
    method: "PUT",
    path: "/calibrations/:id/decisions/:question",
    id: "decideCalibration",
    summary: "Save what was decided about a question",
    description:
      "Saves the decision of a closed session. With `apply`, adds it to the guidance of the question in the draft of the scorecard, which is created from the latest version if there is none.",
    params: { question },
    body: DecideCalibrationBody,
    answers: { 200: [CalibrationDecidedBody, "The decision."] },
    errors: [calibrationNotFound, calibrationOpen, questionNotFound],
  }).handle(({ caller, params, body: { text, apply = false } }) =>
    decide(app, viewerOf(caller), {
      id: params.id,
      questionId: params.question,
      text,
      apply,
      actor: actorOf(caller),
    }),
  );
}

function manageRoutes(api: Api, app: App): void {
  route(api, {
    ...managed,
    method: "POST",
    path: "/calibrations",
    id: "createCalibration",
    summary: "Create a calibration session",
    description:
      "Several reviewers score the same calls, blind: until the session is closed, nobody sees the answers and scores of others, not even supervisors and API keys.",
    body: CreateCalibrationBody,
    answers: { 201: [CalibrationDetailBody, "Session created."] },
    errors: [scorecardNotFound, scorecardNotForCall, ownCall],
  }).handle(({ caller, body }) =>
    createCalibration(app, viewerOf(caller), {
      name: body.name,
      scorecardId: body.scorecard_id,
      callIds: body.call_ids,
      participantIds: body.participant_ids,
      dueAt: body.due_at ?? null,
      expertId: body.expert_id ?? null,
      actor: actorOf(caller),
    }),
  );

  route(api, {
    ...managed,
    method: "PATCH",
    path: "/calibrations/:id",
    id: "changeCalibration",
    summary: "Change a calibration session",
    description:
      "Changes an open session. Calls and participants that are removed lose their drafts. After the first submission, they can only be added.",
    body: ChangeCalibrationBody,
    answers: { 200: [CalibrationDetailBody, "The session."] },
    errors: [calibrationNotFound, calibrationClosed, calibrationStarted, scorecardNotForCall, ownCall],
  }).handle(({ caller, params: { id }, body }) =>
    changeCalibration(app, viewerOf(caller), {
      id,
      actor: actorOf(caller),
      name: body.name,
      dueAt: body.due_at,
      expertId: body.expert_id,
      calls: { add: body.add_call_ids, remove: body.remove_call_ids },
      participants: { add: body.add_participant_ids, remove: body.remove_participant_ids },
    }),
  );

  route(api, {
    ...managed,
    method: "POST",
    path: "/calibrations/:id/close",
    id: "closeCalibration",
    summary: "Close a calibration session",
    description:
      "Makes the answers visible to the participants and to supervisors. Drafts can no longer be submitted. A session cannot be opened again.",
    answers: { 200: [CalibrationDetailBody, "The closed session."] },
    errors: [calibrationNotFound],
  }).handle(({ caller, params: { id } }) => closeCalibration(app, viewerOf(caller), { id, actor: actorOf(caller) }));

  route(api, {
    ...managed,
    method: "DELETE",
    path: "/calibrations/:id",
    id: "deleteCalibration",
    summary: "Delete a calibration session",
    description: "Deletes an open session and its drafts, while nobody has submitted a review.",
    answers: { 204: "The session is deleted." },
    errors: [calibrationNotFound, calibrationClosed, calibrationStarted],
  }).handle(({ caller, params: { id } }) => deleteCalibration(app, viewerOf(caller), { id, actor: actorOf(caller) }));
}
