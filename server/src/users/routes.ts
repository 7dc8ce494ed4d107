import { InviteUserBody, UserBody, UserExistsProblem } from "@hearback/contract";
import type { App } from "../platform/app.ts";
import { requireScope } from "../platform/caller.ts";
import { errorAnswers, problemAnswerOf } from "../platform/http/error-answers.ts";
import { jsonObject, parseFields } from "../platform/http/parse.ts";
import type { Api } from "../platform/http/server.ts";
import { inviteUser } from "./invite-user.ts";
import { toUserBody } from "./user-body.ts";

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
  api.post(
    "/users/invite",
    {
      config: { access: ["import", "manage"] },
      schema: {
        operationId: "inviteUser",
        summary: "Create an agent, or another user",
        description:
          "Creates a user. Agents must exist before a call is imported for them. A 409 may be treated as success: the user is there already and nothing was changed.",
        tags: ["Users"],
        body: InviteUserBody,
        response: {
          201: UserBody.describe("The user has been created."),
          ...errorAnswers(400, 401, 403, 413, 422, 500, 503),
          409: problemAnswerOf(exists, "A user with this e-mail exists already; nothing was changed.", "user_exists"),
        },
      },
    },
    async (request, reply) => {
      const body = parseFields(InviteUserBody, jsonObject(request.body), { missingCode: "member_missing" });
      if (body.role !== "agent") requireScope(request.caller, "manage");
      const user = await inviteUser(app, request.caller.workspaceId, {
        email: body.email,
        name: body.name,
        role: body.role,
        sendInvitation: body.send_invite_email,
      });
      return reply.code(201).send(toUserBody(user));
    },
  );
}
