import {
  CallChangePageBody,
  CallDetailOrReferenceBody,
  ChangeCallBody,
  ListCallChangesQuery,
} from "@hearback/contract";
import type { App } from "../../platform/app.ts";
import { reviewers, supervisors } from "../../platform/caller.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { memberMissing } from "../../platform/errors.ts";
import { route } from "../../platform/http/route.ts";
import type { Api } from "../../platform/http/server.ts";
import { agentNotFound, userNotAgent } from "../../users/errors.ts";
import { toVisibleBody } from "../call/call-detail.ts";
import { callNotFound } from "../errors.ts";
import { type CallChange, changeCall } from "./change-call.ts";
import { listCallChanges } from "./list-call-changes.ts";

/** Routes to edit a call and to list its changes. */
export function changeRoutes(api: Api, app: App): void {
  route(api, {
    method: "PATCH",
    path: "/calls/:id",
    id: "changeCall",
    tag: "Calls",
    summary: "Update a call",
    description:
      "Changes the agent, sets the agent's channel, and adds or removes metadata. `GET /calls/{id}/changes` lists the previous values. The recording and the call's id stay the same, so importing the original again still finds this call.",
    access: ["manage"],
    roles: supervisors,
    campaignKeys: true,
    body: ChangeCallBody,
    answers: {
      200: [
        CallDetailOrReferenceBody,
        "The updated call. API keys without the `read` scope get only its id and status.",
      ],
    },
    errors: [callNotFound, agentNotFound, userNotAgent],
  }).handle(async ({ caller, params: { id }, body, about }) => {
    about.callId = id.slice(0, 36);
    return toVisibleBody(caller, await changeCall(app, caller, id, toChange(body)));
  });

  route(api, {
    method: "GET",
    path: "/calls/:id/changes",
    id: "listCallChanges",
    tag: "Calls",
    summary: "List changes of a call",
    description:
      "Returns every change, newest first: when it was made, by whom, and the old and new value of each field.",
    access: ["read"],
    roles: reviewers,
    campaignKeys: true,
    query: ListCallChangesQuery,
    answers: { 200: [CallChangePageBody, "A page of changes."] },
    errors: [callNotFound],
  }).handle(async ({ caller, params: { id }, query, about }) => {
    about.callId = id.slice(0, 36);
    return inWorkspace(app, caller.workspaceId, (tx) => listCallChanges(tx, caller, id, query));
  });
}

function toChange({ agent_email, agent_id, agent_channel, metadata }: ChangeCallBody): CallChange {
  if ([agent_email, agent_id, agent_channel, metadata].every((member) => member === undefined)) {
    throw memberMissing.withDetail(
      "The request changes nothing. Send at least one of agent_email, agent_id, agent_channel and metadata.",
    );
  }
  const agent =
    agent_email !== undefined ? { email: agent_email } : agent_id !== undefined ? { id: agent_id } : undefined;
  return { agent, agentChannel: agent_channel, metadata };
}
