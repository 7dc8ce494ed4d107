import {
  ChangeUserBody,
  InvitationBody,
  InviteUserBody,
  ListUsersQuery,
  SendInvitationBody,
  UserBody,
  UserPageBody,
} from "@hearback/contract";
import { actingFor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import {
  type Caller,
  requireAllCampaigns,
  requireRole,
  requireScope,
  reviewers,
  supervisors,
} from "../platform/caller.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { limitErrors } from "../platform/errors.ts";
import { route } from "../platform/http/route.ts";
import type { Api } from "../platform/http/server.ts";
import { teamNotFound } from "../teams/errors.ts";
import { changeUser } from "./change-user.ts";
import { lastAdmin, userDeactivated, userExists, userNotFound } from "./errors.ts";
import { findUser } from "./find-user.ts";
import { inviteUser } from "./invite-user.ts";
import { listUsers } from "./list-users.ts";
import { resendInvitation } from "./mail/resend-invitation.ts";
import { asCreatedAgent, toUserBody } from "./user-body.ts";

const tag = "Users";
const readable = { tag, access: ["read", "manage"], roles: reviewers } as const;

export function userRoutes(api: Api, app: App): void {
  inviteRoutes(api, app);
  readRoutes(api, app);
  changeRoute(api, app);
}

function inviteRoutes(api: Api, app: App): void {
  route(api, {
    method: "POST",
    path: "/users/invite",
    id: "inviteUser",
    tag,
    summary: "Create a user",
    description:
      "Creates an agent or another user. Agents must exist before calls can be imported for them. You can treat a 409 as success: the user already exists and nothing was changed. Invitation emails are sent for signed-in users and for keys with the `manage` scope that are not restricted to campaigns. With other keys, the user is created without an email (`invitation` is `not_permitted`).",
    access: ["import", "manage"],
    roles: supervisors,
    campaignKeys: true,
    body: InviteUserBody,
    answers: { 201: [UserBody, "User created."] },
    errors: [userExists, limitErrors.quota_exceeded],
  }).handle(async ({ caller, body: { email, name, role, send_invite_email: wantsMail } }) => {
    if (role !== "agent") {
      requireScope(caller, "manage");
      requireAllCampaigns(caller);
    }
    requireInviter(caller, role);
    const manages = mayManageUsers(caller);
    // Without a mail server nothing is sent, so the response stays `not_configured`.
    const notPermitted = wantsMail && !manages && app.mail !== undefined;
    const sendInvitation = wantsMail && !notPermitted;
    const input = { email, name, role, sendInvitation, revealAgentsOnly: !manages };
    const user = await inviteUser(app, actingFor(caller), input);
    const created = manages ? toUserBody(user) : asCreatedAgent(toUserBody(user));
    return { ...created, ...(notPermitted && { invitation: "not_permitted" as const }) };
  });

  route(api, {
    method: "POST",
    path: "/users/:id/invitation",
    id: "sendInvitation",
    tag,
    summary: "Resend an invitation",
    description:
      "Emails a new link for choosing a password. Earlier links stop working. If no mail server is configured or `by_mail` is false, the response contains the link instead, for you to pass on. Supervisors can invite agents and reviewers, and never receive links.",
    access: ["manage"],
    roles: supervisors,
    body: SendInvitationBody.optional(),
    answers: { 200: [InvitationBody, "The email is queued, or the link is returned."] },
    errors: [userNotFound, userDeactivated, limitErrors.quota_exceeded],
  }).handle(async ({ caller, params: { id }, body: { by_mail: byMail }, about }) => {
    const { invitation, link, expiresAt } = await resendInvitation(app, actingFor(caller), id, {
      byMail,
      canSeeLink: caller.kind === "key" || caller.role === "admin",
      requireMayInvite: ({ role }) => requireInviter(caller, role),
    });
    about.userId = id;
    return { invitation, link, expires_at: expiresAt?.toISOString() ?? null };
  });
}

/** Signed-in users, whose role was checked, and keys for the whole workspace may send emails and see users who are not agents. */
const mayManageUsers = (caller: Caller) =>
  caller.kind === "session" || (caller.scopes.includes("manage") && caller.campaignIds === null);

/** Supervisors may invite agents and reviewers only. */
function requireInviter(caller: Caller, role: string): void {
  if (role !== "agent" && role !== "reviewer") requireRole(caller, "admin");
}

function readRoutes(api: Api, app: App): void {
  route(api, {
    ...readable,
    method: "GET",
    path: "/users",
    id: "listUsers",
    summary: "List users",
    description: "Lists the users of the workspace, ordered by email address.",
    query: ListUsersQuery,
    answers: { 200: [UserPageBody, "A page of users."] },
  }).handle(async ({ caller: { workspaceId }, query: { team_id: teamId, ...query } }) => {
    const page = await inWorkspace(app, workspaceId, (tx) => listUsers(tx, workspaceId, { ...query, teamId }));
    return { users: page.users.map(toUserBody), next: page.next };
  });

  route(api, {
    ...readable,
    method: "GET",
    path: "/users/:id",
    id: "getUser",
    summary: "Get a user",
    description: "Returns a user, including deactivated users.",
    answers: { 200: [UserBody, "The user."] },
    errors: [userNotFound],
  }).handle(async ({ caller: { workspaceId }, params: { id } }) =>
    toUserBody(await inWorkspace(app, workspaceId, (tx) => findUser(tx, workspaceId, id))),
  );
}

function changeRoute(api: Api, app: App): void {
  route(api, {
    method: "PATCH",
    path: "/users/:id",
    id: "changeUser",
    tag,
    summary: "Update a user",
    description:
      "Changes the name, role or team of a user, lets them hear original recordings of masked calls, or deactivates or reactivates the user. Omitted fields stay unchanged. A deactivated agent keeps their calls, and older calls can still be imported with the warning `agent_deactivated`. Imports can also name former agents who now have another role. Deactivating a user revokes the API keys they created; first rotate the keys that must keep working.",
    access: ["manage"],
    roles: supervisors,
    body: ChangeUserBody,
    answers: { 200: [UserBody, "The updated user."] },
    errors: [userNotFound, teamNotFound, lastAdmin],
  }).handle(async ({ caller, params: { id }, body: { team_id: teamId, ...body }, about }) => {
    // Supervisors manage teams; everything else about a user is for administrators.
    if (Object.keys(body).length > 0) requireRole(caller, "admin");
    const { listens_to_originals: listensToOriginals, ...change } = body;
    const user = await changeUser(app, actingFor(caller), id, { ...change, teamId, listensToOriginals });
    about.userId = user.id;
    return toUserBody(user);
  });
}
