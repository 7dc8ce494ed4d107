import { CreateHoldBody, HoldBody, HoldPageBody, ListHoldsQuery } from "@hearback/contract";
import { callNotFound } from "../../calls/errors.ts";
import { campaignNotFound } from "../../campaigns/errors.ts";
import { actingFor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { route } from "../../platform/http/route.ts";
import type { Api } from "../../platform/http/server.ts";
import { agentNotFound } from "../../users/errors.ts";
import { holdNotFound } from "../errors.ts";
import { createHold, toHoldBody, toHoldSubject } from "./create-hold.ts";
import { listHolds } from "./list-holds.ts";
import { releaseHold } from "./release-hold.ts";

const managed = { tag: "Privacy", access: ["manage"] } as const;

export function holdRoutes(api: Api, app: App): void {
  route(api, {
    ...managed,
    method: "POST",
    path: "/holds",
    id: "createHold",
    summary: "Create a legal hold",
    description:
      "Protects a call, the calls of an agent or the calls of a campaign from erasure, both on request and by retention, until the hold is released.",
    body: CreateHoldBody,
    answers: { 201: [HoldBody, "The legal hold. It is in effect immediately."] },
    errors: [callNotFound, agentNotFound, campaignNotFound],
  }).handle(async ({ caller, body }) => {
    const subject = toHoldSubject(body);
    return toHoldBody(await createHold(app, actingFor(caller), { subject, reason: body.reason }));
  });

  route(api, {
    ...managed,
    method: "GET",
    path: "/holds",
    id: "listHolds",
    summary: "List legal holds",
    description: "Returns legal holds, newest first.",
    query: ListHoldsQuery,
    answers: { 200: [HoldPageBody, "A page of holds."] },
  }).handle(async ({ caller: { workspaceId }, query }) => {
    const page = await inWorkspace(app, workspaceId, (tx) => listHolds(tx, workspaceId, query));
    return { holds: page.holds.map(toHoldBody), next: page.next };
  });

  route(api, {
    ...managed,
    method: "DELETE",
    path: "/holds/:id",
    id: "releaseHold",
    summary: "Release a legal hold",
    description: "Ends the hold. The calls it protected can be erased again. The hold stays in the list as history.",
    answers: { 204: "The hold is released." },
    errors: [holdNotFound],
  }).handle(async ({ caller, params: { id } }) => releaseHold(app, actingFor(caller), id));
}
