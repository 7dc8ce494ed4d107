import { type Answer, send } from "./http.ts";
import { uniqueEmail } from "./service.ts";

export const roles = ["agent", "reviewer", "supervisor", "admin"] as const;
export type Role = (typeof roles)[number];

/** A service with a key that has the manage scope. */
export interface Managed {
  readonly baseUrl: string;
  readonly manageKey: string;
}

/** A signed-in user. */
export interface SignedInUser {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly role: Role;
  readonly sessionId: string;
  /** Value of the Cookie header. */
  readonly cookie: string;
}

interface Session {
  readonly id: string;
  readonly user: { readonly id: string };
}

export const testPassword = "correct horse battery";

/** Sends JSON. */
export const sendJson = <Body>(url: string, body: unknown, headers: Record<string, string> = {}, method = "POST") =>
  send<Body>(url, { method, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) });

/** Cookie header value from a Set-Cookie response. */
export function cookieOf({ headers, status, text }: Answer): string {
  const [cookie] = headers["set-cookie"] ?? [];
  if (!cookie) throw new Error(`no cookie: ${status} ${text}`);
  return cookie.split(";")[0] ?? "";
}

/** Token of a new link with which the user sets a password. */
export async function createLink({ baseUrl, manageKey }: Managed, userId: string): Promise<string> {
  const path = `${baseUrl}/users/${userId}/invitation`;
  const { body } = await sendJson<{ link: string }>(path, { by_mail: false }, { "x-api-key": manageKey });
  return body.link.split("#")[1] ?? "";
}

/** Signs in an existing user with a link. */
export async function signInWithLink(
  service: Managed,
  who: Pick<SignedInUser, "id" | "email" | "role">,
): Promise<SignedInUser> {
  const use = { token: await createLink(service, who.id), password: testPassword };
  const answer = await sendJson<Session>(`${service.baseUrl}/session/link`, use);
  if (answer.status !== 200) throw new Error(`the link did not work: ${answer.status} ${answer.text}`);
  return { ...who, password: testPassword, sessionId: answer.body.id, cookie: cookieOf(answer) };
}

/** Creates a user with this role and signs in. */
export async function createUser(service: Managed, role: Role, email = uniqueEmail(role)): Promise<SignedInUser> {
  const invite = { email, name: "Ann Lee", role, send_invite_email: false };
  const headers = { "x-api-key": service.manageKey };
  const answer = await sendJson<{ id: string }>(`${service.baseUrl}/users/invite`, invite, headers);
  if (answer.status !== 201) throw new Error(`no user was created: ${answer.status} ${answer.text}`);
  return signInWithLink(service, { id: answer.body.id, email, role });
}

/** Sends a sign-in request. */
export const signIn = (baseUrl: string, email: string, password = testPassword, headers: Record<string, string> = {}) =>
  sendJson<Session>(`${baseUrl}/session`, { email, password }, headers);
