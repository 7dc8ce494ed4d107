import { ChangePasswordBody, ListSessionsQuery, SessionPageBody } from "@hearback/contract";
import { actingFor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { allRoles, requireRole } from "../../platform/caller.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { route } from "../../platform/http/route.ts";
import type { Api } from "../../platform/http/server.ts";
import { passwordSignInOff } from "../../users/errors.ts";
import { confirmationNeeded, sessionNotFound, signInBusy, signInLimited } from "../errors.ts";
import { changePassword } from "../sign-in/change-password.ts";
import type { SignInGuard } from "../sign-in/sign-in.ts";
import { endSession } from "./end-session.ts";
import { listSessions } from "./list-sessions.ts";

const own = { tag: "Session", access: "session", roles: allRoles } as const;

/** Password and sessions of the signed-in user. */
export function accountRoutes(api: Api, app: App, guard: SignInGuard): void {
  route(api, {
    ...own,
    method: "POST",
    path: "/session/password",
    id: "changePassword",
    summary: "Change your password",
    description:
      "Requires the current password or, to set a first password, a recent confirmation (`POST /session/confirm`). Ends all your other sessions and revokes unused links.",
    body: ChangePasswordBody,
    answers: { 204: "Password changed." },
    errors: [confirmationNeeded, passwordSignInOff, signInLimited, signInBusy],
  }).handle(async ({ caller, body: { current_password: currentPassword, new_password: newPassword } }) =>
    changePassword(app, guard, caller, { currentPassword, newPassword }),
  );

  route(api, {
    ...own,
    method: "GET",
    path: "/sessions",
    id: "listSessions",
    summary: "List active sessions",
    description:
      "Lists your active sessions, newest first. Administrators can list the sessions of any user with `user_id`.",
    query: ListSessionsQuery,
    answers: { 200: [SessionPageBody, "A page of sessions."] },
  }).handle(async ({ caller, query: { user_id, cursor, limit } }) => {
    const { workspaceId, sessionId: current } = caller;
    const userId = user_id?.toLowerCase() ?? caller.userId;
    if (userId !== caller.userId) requireRole(caller, "admin");
    return inWorkspace(app, workspaceId, (tx) => listSessions(tx, workspaceId, { userId, current, cursor, limit }));
  });

  route(api, {
    ...own,
    method: "DELETE",
    path: "/sessions/:id",
    id: "endSession",
    summary: "End a session",
    description:
      "Ends one of your sessions within a second on every process. Administrators can end any session in the workspace.",
    answers: { 204: "Session ended." },
    errors: [sessionNotFound],
  }).handle(async ({ caller, params: { id }, about }) => {
    const userId = caller.role === "admin" ? undefined : caller.userId;
    await endSession(app, actingFor(caller), { id, userId });
    about.endedId = id.slice(0, 36);
  });
}
