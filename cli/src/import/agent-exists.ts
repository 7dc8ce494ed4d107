import { ServiceError } from "@hearback/sdk";

/** Whether an invitation failed because the agent exists. A user with another role is not an agent: calls cannot be theirs. */
export const agentExists = (error: unknown): boolean =>
  error instanceof ServiceError &&
  error.code === "user_exists" &&
  !error.problem?.errors?.some(({ code }) => code === "not_an_agent");
