import { InviteUserBody, UserBody, UserExistsProblem } from "@hearback/contract";
import type { App } from "../platform/app.ts";
import { requireScope } from "../platform/caller.ts";
import { errorAnswers } from "../platform/http/error-answers.ts";
import { jsonObject, parseFields } from "../platform/http/parse.ts";
import type { Api } from "../platform/http/server.ts";
import { inviteUser } from "./invite-user.ts";
import { toUserBody } from "./user-body.ts";

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
          409: UserExistsProblem.describe("A user with this e-mail exists already; nothing was changed."),
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
