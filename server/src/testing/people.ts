import { randomUUID } from "node:crypto";
import type { Role } from "@hearback/contract";
import { openPasswords } from "../access/passwords.ts";
import { setPassword } from "../access/set-password.ts";
import { operatorIn } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import type { Api } from "../platform/http/server.ts";
import { inviteUser } from "../users/invite-user.ts";

export const aPassword = "correct horse battery";

export interface SomeBody {
  readonly id: string;
  readonly email: string;
}

interface Described {
  readonly role: Role;
  readonly email: string;
  readonly password: string;
}

/** A person with a password. */
export async function aPerson(
  app: App,
  workspaceId: string,
  { role = "admin", email = `${randomUUID()}@example.com`, password = aPassword }: Partial<Described> = {},
): Promise<SomeBody> {
  const by = operatorIn(workspaceId);
  const { id } = await inviteUser(app, by, { email, name: "Ann Lee", role, sendInvitation: false });
  const hash = await openPasswords().hash(password);
  await inWorkspace(app, workspaceId, (tx) => setPassword(tx, by, id, hash));
  return { id, email };
}

/** The cookie of an answer, as it is sent back. */
export const cookieOf = (answer: { headers: Record<string, unknown> }) =>
  String(answer.headers["set-cookie"]).split(";")[0] ?? "";

/** Signs somebody in and gives what the browser sends from then on. */
export async function signedIn(api: Api, email: string, password = aPassword): Promise<Record<string, string>> {
  const answer = await api.inject({ method: "POST", url: "/session", payload: { email, password } });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return { cookie: cookieOf(answer), origin: "http://127.0.0.1:8080" };
}
