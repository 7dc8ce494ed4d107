import { randomUUID } from "node:crypto";
import type { Role } from "@hearback/contract";
import { openPasswordHasher } from "../access/sign-in/password-hasher.ts";
import { setPassword } from "../access/sign-in/set-password.ts";
import { operatorIn } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import type { Api } from "../platform/http/server.ts";
import { inviteUser } from "../users/invite-user.ts";

export const aPassword = "correct horse battery";

export interface TestUser {
  readonly id: string;
  readonly email: string;
}

interface TestUserOptions {
  readonly role: Role;
  readonly email: string;
  readonly password: string;
}

/** Creates a user with a password. */
export async function createTestUser(
  app: App,
  workspaceId: string,
  { role = "admin", email = `${randomUUID()}@example.com`, password = aPassword }: Partial<TestUserOptions> = {},
): Promise<TestUser> {
  const by = operatorIn(workspaceId);
  const { id } = await inviteUser(app, by, { email, name: "Ann Lee", role, sendInvitation: false });
  const hash = await openPasswordHasher().hash(password);
  await inWorkspace(app, workspaceId, (tx) => setPassword(tx, by, id, hash));
  return { id, email };
}

/** Extracts the cookie of a response, in the form of a request header. */
export const cookieOf = (answer: { headers: Record<string, unknown> }) =>
  String(answer.headers["set-cookie"]).split(";")[0] ?? "";

/** Signs a user in and returns the headers that the browser sends from then on. */
export async function signedIn(api: Api, email: string, password = aPassword): Promise<Record<string, string>> {
  const answer = await api.inject({ method: "POST", url: "/session", payload: { email, password } });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return { cookie: cookieOf(answer), origin: "http://127.0.0.1:8080" };
}
