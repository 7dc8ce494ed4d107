import { errorCodes, exampleOf, type Issue, type Role, UserBody } from "@hearback/contract";
import { defineError } from "../platform/errors.ts";

export const userNotFound = defineError(
  "user_not_found",
  (id: string) => `There is no user ${id} in this workspace. List users with GET /users or \`user list\`.`,
  exampleOf(UserBody).id,
);
export const userExists = defineError(
  "user_exists",
  (user: UserBody | undefined, issue?: Issue) => ({
    detail: issue?.detail ?? errorCodes.user_exists.detail,
    ...(user && { members: { user } }),
    ...(issue && { issues: [issue] }),
  }),
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

const withArticle = {
  agent: "an agent",
  reviewer: "a reviewer",
  supervisor: "a supervisor",
  admin: "an administrator",
};

/** `role` is undefined for callers who may not see it. */
const otherRole = (user: string, role: Role | undefined) =>
  role ? `${user} is ${withArticle[role]}, not an agent` : `${user} is a user of this workspace, but not an agent`;

export const userNotAgent = defineError(
  "user_not_agent",
  (
    part: "agent_email" | "agent_id",
    value: string,
    role: Role | undefined,
    then: "import the call again" | "retry" = "import the call again",
  ) => {
    const detail = `${otherRole(value, role)}. Create an agent with another email address, or change the user's role (PATCH /users/{id}), then ${then}.`;
    return { detail, issues: [{ part, code: "not_an_agent", detail }] };
  },
  ...(["agent_email", "rita@example.com", "reviewer"] as const),
);

/** The problem with inviting an agent whose email address belongs to a user with another role: calls cannot be imported for it. */
export const notAnAgent = (email: string, role: Role | undefined): Issue => ({
  part: "role",
  code: "not_an_agent",
  detail: `${otherRole(email, role)}. Nothing was changed, and calls cannot be imported for this address. Create the agent with another email address, or change the user's role to agent (PATCH /users/{id}).`,
});
