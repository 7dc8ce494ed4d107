import { errorCodes, exampleOf, UserBody } from "@hearback/contract";
import { defineError } from "../platform/errors.ts";

export const userNotFound = defineError(
  "user_not_found",
  (id: string) => `There is no user ${id} in this workspace. List users with GET /users or \`user list\`.`,
  exampleOf(UserBody).id,
);
export const userExists = defineError(
  "user_exists",
  (user: UserBody | undefined) => ({ detail: errorCodes.user_exists.detail, ...(user && { members: { user } }) }),
  exampleOf(UserBody),
);
export const userDeactivated = defineError("user_deactivated");
export const lastAdmin = defineError("last_admin");
export const passwordSignInOff = defineError("password_sign_in_off");
export const agentNotFound = defineError(
  "agent_not_found",
  (part: "agent_email" | "agent_id", value: string, then: "import the call again" | "retry") => {
    const detail = `There is no agent "${value}" in this workspace. Create the agent with POST /users/invite, then ${then}.`;
    return { detail, issues: [{ part, code: "not_found", detail }] };
  },
  "agent_email",
  "bob@example.com",
  "import the call again",
);
