import { ChangePasswordBody, ListSessionsParameters, ListSessionsQuery, SessionPageBody } from "@hearback/contract";
import { z } from "zod";
import { actingFor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { anybody, requireRole, requireSession } from "../platform/caller.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { errorAnswers, problemAnswer } from "../platform/http/error-answers.ts";
import { jsonObject, parseFields } from "../platform/http/parse.ts";
import type { Api } from "../platform/http/server.ts";
import { changePassword } from "./change-password.ts";
import { endSession } from "./end-session.ts";
import { listSessions } from "./list-sessions.ts";
import type { Guard } from "./sign-in.ts";

const tags = ["Session"];
const config = { access: "session", roles: anybody } as const;
const members = { missingCode: "member_missing" } as const;
const security = [{ session: [] }];
const refused = problemAnswer(
  "An API key is nobody, the request comes from another site, or the sessions are somebody else's.",
  ...(["session_needed", "origin_forbidden", "role_missing"] as const),
);

/** What whoever is signed in does with their own password and sessions. */
export function ownRoutes(api: Api, app: App, guard: Guard): void {
  api.post(
    "/session/password",
    {
      config,
      schema: {
        operationId: "changePassword",
        summary: "Change the own password",
        description:
          "Needs the present one, if there is one. Ends every other session of the person, and links that were not used.",
        tags,
        security,
        body: ChangePasswordBody,
        response: {
          204: z.null().describe("It is changed."),
          ...errorAnswers(400, 401, 413, 422, "sign_in_limited", 500, 503),
          403: refused,
        },
      },
    },
    async (request, reply) => {
      const caller = requireSession(request.caller);
      const body = parseFields(ChangePasswordBody, jsonObject(request.body), members);
      const change = { currentPassword: body.current_password, newPassword: body.new_password };
      await changePassword(app, guard, caller, change);
      return reply.code(204).send(null);
    },
  );

  api.get(
    "/sessions",
    {
      config,
      schema: {
        operationId: "listSessions",
        summary: "Where one is signed in",
        description: "The own sessions that have not ended, newest first; for administrators those of anybody.",
        tags,
        security,
        querystring: ListSessionsParameters,
        response: {
          200: SessionPageBody.describe("A page of sessions."),
          ...errorAnswers(401, 422, 500, 503),
          403: refused,
        },
      },
    },
    async (request) => {
      const { workspaceId, userId: own, sessionId: current } = requireSession(request.caller);
      const query = parseFields(ListSessionsQuery, request.query as Record<string, unknown>, members);
      const userId = query.user_id?.toLowerCase() ?? own;
      if (userId !== own) requireRole(request.caller, "admin");
      const { cursor, limit } = query;
      return inWorkspace(app, workspaceId, (tx) => listSessions(tx, workspaceId, { userId, current, cursor, limit }));
    },
  );

  api.delete(
    "/sessions/:id",
    {
      config,
      schema: {
        operationId: "endSession",
        summary: "End a session",
        description: "Ends a session of one's own, for administrators anybody's, on every process within a second.",
        tags,
        security,
        params: z.object({ id: z.uuid() }),
        response: {
          204: z.null().describe("It has ended."),
          ...errorAnswers(401, 500, 503),
          403: refused,
          404: problemAnswer("There is no such session, or it is somebody else's.", "session_not_found"),
        },
      },
    },
    async (request, reply) => {
      const caller = requireSession(request.caller);
      const userId = caller.role === "admin" ? undefined : caller.userId;
      await endSession(app, actingFor(caller), { id: request.params.id, userId });
      request.about = { workspaceId: caller.workspaceId, endedId: request.params.id.slice(0, 36) };
      return reply.code(204).send(null);
    },
  );
}
