import { ChangeWorkspaceBody, WorkspaceBody } from "@hearback/contract";
import { actingFor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { supervisors } from "../platform/caller.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { errorAnswers } from "../platform/http/error-answers.ts";
import { jsonObject, parseFields } from "../platform/http/parse.ts";
import type { Api } from "../platform/http/server.ts";
import { changeWorkspace } from "./change-workspace.ts";
import { findWorkspace } from "./find-workspace.ts";
import { toWorkspaceBody } from "./workspace-body.ts";

const tags = ["Workspace"];

export function workspaceRoutes(api: Api, app: App): void {
  api.get(
    "/workspace",
    {
      config: { access: ["read", "manage"], roles: supervisors },
      schema: {
        operationId: "findWorkspace",
        summary: "Look at the workspace",
        description: "The workspace of the key, with its settings.",
        tags,
        response: { 200: WorkspaceBody.describe("The workspace."), ...errorAnswers(401, 403, 500, 503) },
      },
    },
    async ({ caller: { workspaceId } }) =>
      toWorkspaceBody(await inWorkspace(app, workspaceId, (tx) => findWorkspace(tx, workspaceId))),
  );

  api.patch(
    "/workspace",
    {
      config: { access: ["manage"] },
      schema: {
        operationId: "changeWorkspace",
        summary: "Rename the workspace, or change its settings",
        description: "Changes what is given and nothing else; so with each of the settings.",
        tags,
        body: ChangeWorkspaceBody,
        response: {
          200: WorkspaceBody.describe("The workspace as it is now."),
          ...errorAnswers(400, 401, 403, 413, 422, 500, 503),
        },
      },
    },
    async (request) => {
      const body = parseFields(ChangeWorkspaceBody, jsonObject(request.body), { missingCode: "member_missing" });
      const by = actingFor(request.caller);
      request.about = { workspaceId: by.workspaceId };
      return toWorkspaceBody(await changeWorkspace(app, by, body));
    },
  );
}
