import { ChangeWorkspaceBody, WorkspaceBody } from "@hearback/contract";
import { actingFor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { supervisors } from "../platform/caller.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { route } from "../platform/http/route.ts";
import type { Api } from "../platform/http/server.ts";
import { changeWorkspace } from "./change-workspace.ts";
import { passwordSignInNeeded, transcriptionNotConfigured } from "./errors.ts";
import { findWorkspace } from "./find-workspace.ts";
import { toWorkspaceBody } from "./workspace-body.ts";

export function workspaceRoutes(api: Api, app: App): void {
  route(api, {
    method: "GET",
    path: "/workspace",
    id: "getWorkspace",
    tag: "Workspace",
    summary: "Get the workspace",
    description: "Returns the caller's workspace and its settings.",
    access: ["read", "manage"],
    roles: supervisors,
    answers: { 200: [WorkspaceBody, "The workspace."] },
  }).handle(async ({ caller: { workspaceId } }) =>
    toWorkspaceBody(await inWorkspace(app, workspaceId, (tx) => findWorkspace(tx, workspaceId))),
  );

  route(api, {
    method: "PATCH",
    path: "/workspace",
    id: "changeWorkspace",
    tag: "Workspace",
    summary: "Update the workspace",
    description:
      "Renames the workspace or changes its settings. Omitted fields and settings stay unchanged. Turning off `password_sign_in` requires an identity provider and an administrator who has signed in with it, and ends all sessions that were not started with the provider.",
    access: ["manage"],
    body: ChangeWorkspaceBody,
    answers: { 200: [WorkspaceBody, "The updated workspace."] },
    errors: [passwordSignInNeeded, transcriptionNotConfigured],
  }).handle(async ({ caller, body }) => toWorkspaceBody(await changeWorkspace(app, actingFor(caller), body)));
}
