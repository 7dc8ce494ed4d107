import {
  CallChangePageBody,
  CallDetailBody,
  ChangeCallBody,
  ListCallChangesParameters,
  ListCallChangesQuery,
} from "@hearback/contract";
import { z } from "zod";
import type { App } from "../platform/app.ts";
import { reviewers, supervisors } from "../platform/caller.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError } from "../platform/errors.ts";
import { errorAnswers } from "../platform/http/error-answers.ts";
import { jsonObject, parseFields } from "../platform/http/parse.ts";
import type { Api } from "../platform/http/server.ts";
import { toCallDetailBody } from "./call-detail.ts";
import { type CallChange, changeCall } from "./change-call.ts";
import { listCallChanges } from "./list-call-changes.ts";

const params = z.object({ id: z.uuid() });
const tags = ["Calls"];
const missingCode = "member_missing";

/** Correcting what is said about a call, and what was said before. */
export function changeRoutes(api: Api, app: App): void {
  api.patch(
    "/calls/:id",
    {
      config: { access: ["manage"], roles: supervisors, campaignKeys: true },
      schema: {
        ...{ operationId: "changeCall", summary: "Correct a call", tags, params, body: ChangeCallBody },
        description:
          "Gives the call to another agent, says on which channel the agent is, adds and removes metadata. What it was before is kept and shown by `GET /calls/{id}/changes`. The recording and the call's id stay the same: importing it again as it was imported first finds this call.",
        response: {
          200: CallDetailBody.describe("The call as it is now."),
          ...errorAnswers(400, "member_missing", 401, 403, "call_not_found", "agent_not_found", 413, 422, 500, 503),
        },
      },
    },
    async (request) => {
      const { workspaceId } = request.caller;
      const { id } = request.params;
      request.about = { workspaceId, callId: id.slice(0, 36) };
      const body = parseFields(ChangeCallBody, jsonObject(request.body), { missingCode });
      return toCallDetailBody(await changeCall(app, request.caller, id, toChange(body)));
    },
  );

  api.get(
    "/calls/:id/changes",
    {
      config: { access: ["read"], roles: reviewers, campaignKeys: true },
      schema: {
        ...{ operationId: "listCallChanges", summary: "What was corrected about a call", tags, params },
        description: "Every correction, newest first: when, by whom, and what each member was before and became.",
        querystring: ListCallChangesParameters,
        response: {
          200: CallChangePageBody.describe("A page of changes."),
          ...errorAnswers(401, 403, "call_not_found", 422, 500, 503),
        },
      },
    },
    async (request) => {
      const { workspaceId } = request.caller;
      const { id } = request.params;
      request.about = { workspaceId, callId: id.slice(0, 36) };
      const query = parseFields(ListCallChangesQuery, request.query as Record<string, unknown>, { missingCode });
      return inWorkspace(app, workspaceId, (tx) => listCallChanges(tx, request.caller, id, query));
    },
  );
}

function toChange({ agent_email, agent_id, agent_channel, metadata }: ChangeCallBody): CallChange {
  if ([agent_email, agent_id, agent_channel, metadata].every((member) => member === undefined)) {
    throw new AppError(
      "member_missing",
      "There is nothing to change: send at least one of agent_email, agent_id, agent_channel and metadata.",
    );
  }
  const agent =
    agent_email !== undefined ? { email: agent_email } : agent_id !== undefined ? { id: agent_id } : undefined;
  return { agent, agentChannel: agent_channel, metadata };
}
