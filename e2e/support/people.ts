import { type Answer, send } from "./http.ts";
import { anEmail } from "./service.ts";

export const roles = ["agent", "reviewer", "supervisor", "admin"] as const;
export type Role = (typeof roles)[number];

/** A service and a key of it that may manage. */
export interface Managed {
  readonly baseUrl: string;
  readonly manageKey: string;
}

/** Somebody who can sign in, and is. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly role: Role;
  readonly sessionId: string;
  /** What the browser sends back. */
  readonly cookie: string;
}

interface Session {
  readonly id: string;
  readonly user: { readonly id: string };
}

export const aPassword = "correct horse battery";

/** Sends JSON. */
export const sendJson = <Body>(url: string, body: unknown, headers: Record<string, string> = {}, method = "POST") =>
  send<Body>(url, { method, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) });

/** The cookie of an answer, as it is sent back. */
export function cookieOf({ headers, status, text }: Answer): string {
  const [cookie] = headers["set-cookie"] ?? [];
  if (!cookie) throw new Error(`no cookie came: ${status} ${text}`);
  return cookie.split(";")[0] ?? "";
}

/** The token of a new link by which this person chooses a password. */
export async function aLink({ baseUrl, manageKey }: Managed, userId: string): Promise<string> {
  const path = `${baseUrl}/users/${userId}/invitation`;
  const { body } = await sendJson<{ link: string }>(path, { by_mail: false }, { "x-api-key": manageKey });
  return body.link.split("#")[1] ?? "";
}

/** Lets somebody who is there come in by a link. */
export async function letIn(service: Managed, who: Pick<Person, "id" | "email" | "role">): Promise<Person> {
  const use = { token: await aLink(service, who.id), password: aPassword };
  const answer = await sendJson<Session>(`${service.baseUrl}/session/link`, use);
  if (answer.status !== 200) throw new Error(`the link did not work: ${answer.status} ${answer.text}`);
  return { ...who, password: aPassword, sessionId: answer.body.id, cookie: cookieOf(answer) };
}

/** A new person with this role, signed in. */
export async function aPerson(service: Managed, role: Role, email = anEmail(role)): Promise<Person> {
  const invite = { email, name: "Ann Lee", role, send_invite_email: false };
  const headers = { "x-api-key": service.manageKey };
  const answer = await sendJson<{ id: string }>(`${service.baseUrl}/users/invite`, invite, headers);
  if (answer.status !== 201) throw new Error(`nobody was made: ${answer.status} ${answer.text}`);
  return letIn(service, { id: answer.body.id, email, role });
}

/** Tries to sign in. */
export const signIn = (baseUrl: string, email: string, password = aPassword, headers: Record<string, string> = {}) =>
  sendJson<Session>(`${baseUrl}/session`, { email, password }, headers);
