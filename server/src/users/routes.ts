import {
  ChangeUserBody,
  InvitationBody,
  InviteUserBody,
  ListUsersParameters,
  ListUsersQuery,
  SendInvitationBody,
  UserBody,
  UserExistsProblem,
  UserPageBody,
} from "@hearback/contract";
import { z } from "zod";
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
import { errorAnswers, problemAnswer, problemAnswerOf } from "../platform/http/error-answers.ts";
import { jsonObject, parseFields } from "../platform/http/parse.ts";
import type { Api } from "../platform/http/server.ts";
import { changeUser } from "./change-user.ts";
import { findUser } from "./find-user.ts";
import { inviteAgain } from "./invite-again.ts";
import { inviteUser } from "./invite-user.ts";
import { listUsers } from "./list-users.ts";
import { toUserBody } from "./user-body.ts";

const readers = { access: ["read", "manage"], roles: reviewers } as const;
const tags = ["Users"];
const params = z.object({ id: z.uuid().meta({ description: "The user's id." }) });
const noUser = { 404: problemAnswer("There is no such user in this workspace.", "user_not_found") };
const members = { missingCode: "member_missing" } as const;

const exists = {
  schema: UserExistsProblem,
  members: {
    user: {
      ...{ id: "7d9f3f5e-6c0b-4d6e-9b0e-0f6a3b1f2c4d", email: "ann@example.com", name: "Ann Lee", role: "agent" },
      ...{ status: "active", invitation: "not_requested", created_at: "2026-11-15T08:00:00.000Z" },
    },
  },
};

export function userRoutes(api: Api, app: App): void {
  inviteRoute(api, app);
  invitationRoute(api, app);
  listRoutes(api, app);
  changeRoute(api, app);
}

function inviteRoute(api: Api, app: App): void {
  api.post(
    "/users/invite",
    {
      config: { access: ["import", "manage"], roles: supervisors, campaignKeys: true },
      schema: {
        operationId: "inviteUser",
        summary: "Create an agent, or another user",
        description:
          "Creates a user. Agents must exist before a call is imported for them. A 409 may be treated as success: the user is there already and nothing was changed.",
        tags,
        body: InviteUserBody,
        response: {
          201: UserBody.describe("The user has been created."),
          ...errorAnswers(400, 401, 403, 413, 422, 500, 503),
          409: problemAnswerOf(exists, "A user with this e-mail exists already; nothing was changed.", "user_exists"),
        },
      },
    },
    async (request, reply) => {
      const body = parseFields(InviteUserBody, jsonObject(request.body), members);
      if (body.role !== "agent") {
        requireScope(request.caller, "manage");
        requireAllCampaigns(request.caller);
      }
      requireInviter(request.caller, body.role);
      const user = await inviteUser(app, actingFor(request.caller), {
        email: body.email,
        name: body.name,
        role: body.role,
        sendInvitation: body.send_invite_email,
        tellsAgentsOnly: request.caller.campaignIds !== null,
      });
      return reply.code(201).send(toUserBody(user));
    },
  );
}

function listRoutes(api: Api, app: App): void {
  api.get(
    "/users",
    {
      config: readers,
      schema: {
        operationId: "listUsers",
        summary: "List the users",
        description: "The users of the workspace, in the order of their addresses.",
        tags,
        querystring: ListUsersParameters,
        response: { 200: UserPageBody.describe("A page of users."), ...errorAnswers(401, 403, 422, 500, 503) },
      },
    },
    async (request) => {
      const { workspaceId } = request.caller;
      const query = parseFields(ListUsersQuery, request.query as Record<string, unknown>, members);
      const page = await inWorkspace(app, workspaceId, (tx) => listUsers(tx, workspaceId, query));
      return { users: page.users.map(toUserBody), next: page.next };
    },
  );

  api.get(
    "/users/:id",
    {
      config: readers,
      schema: {
        operationId: "findUser",
        summary: "Look at a user",
        description: "One user, deactivated or not.",
        tags,
        params,
        response: { 200: UserBody.describe("The user."), ...errorAnswers(401, 403, 500, 503), ...noUser },
      },
    },
    async ({ caller: { workspaceId }, params: { id } }) =>
      toUserBody(await inWorkspace(app, workspaceId, (tx) => findUser(tx, workspaceId, id))),
  );
}

function invitationRoute(api: Api, app: App): void {
  api.post(
    "/users/:id/invitation",
    {
      config: { access: ["manage"], roles: supervisors },
      schema: {
        operationId: "sendInvitation",
        summary: "Send an invitation again, or get its link",
        description:
          "Sends a new link by mail, by which the person chooses a password; those before end. Where no mail is sent, because this installation sends none or `by_mail` is false, the answer holds the link, to be handed over. Supervisors invite agents and reviewers and never see a link.",
        tags,
        params,
        body: SendInvitationBody.optional(),
        response: {
          200: InvitationBody.describe("It will be sent, or here it is."),
          ...errorAnswers(400, 401, 403, 413, 422, 500, 503),
          ...noUser,
          409: problemAnswer("The user is deactivated.", "user_deactivated"),
        },
      },
    },
    async (request) => {
      const { caller } = request;
      const { by_mail: byMail } = parseFields(SendInvitationBody, jsonObject(request.body ?? {}), members);
      const by = actingFor(caller);
      const { invitation, link, expiresAt } = await inviteAgain(app, by, request.params.id, {
        byMail,
        seesLink: caller.kind === "key" || caller.role === "admin",
        mayInvite: ({ role }) => requireInviter(caller, role),
      });
      request.about = { workspaceId: by.workspaceId, userId: request.params.id };
      return { invitation, link, expires_at: expiresAt?.toISOString() ?? null };
    },
  );
}

/** Supervisors invite those whom they supervise. */
function requireInviter(caller: Caller, role: string): void {
  if (role !== "agent" && role !== "reviewer") requireRole(caller, "admin");
}

function changeRoute(api: Api, app: App): void {
  api.patch(
    "/users/:id",
    {
      config: { access: ["manage"] },
      schema: {
        operationId: "changeUser",
        summary: "Rename, promote, deactivate or bring back a user",
        description:
          "Changes what is given and nothing else. A deactivated agent keeps the calls, and calls of before may still be imported: they are taken with the warning `agent_deactivated`. Who was an agent once and has another role now can still be named by imports, too.",
        tags,
        params,
        body: ChangeUserBody,
        response: {
          200: UserBody.describe("The user as it is now."),
          ...errorAnswers(400, 401, 403, 413, 422, 500, 503),
          ...noUser,
          409: problemAnswer("It is the last administrator, who would lock themselves out.", "last_admin"),
        },
      },
    },
    async (request) => {
      const change = parseFields(ChangeUserBody, jsonObject(request.body), members);
      const by = actingFor(request.caller);
      const user = await changeUser(app, by, request.params.id, change);
      request.about = { workspaceId: by.workspaceId, userId: user.id };
      return toUserBody(user);
    },
  );
}
