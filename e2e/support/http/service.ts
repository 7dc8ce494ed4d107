import { randomBytes } from "node:crypto";
import { makeWav } from "../recordings/sounds.ts";
import { callerHeaders } from "./caller.ts";
import { type Answer, multipart, type Part, type Sending, send } from "./http.ts";

/** A running service with a client's credentials. */
export interface Service {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly campaignId: string;
  readonly agentEmail: string;
}

export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly status: string;
  readonly invitation: string;
  readonly created_at: string;
}

export interface Entry {
  readonly key: string;
  readonly value: string;
}

export interface Call {
  readonly id: string;
  readonly status: string;
  readonly duplicate: boolean;
  readonly campaign_id: string;
  readonly agent: { readonly id: string; readonly email: string; readonly name: string };
  readonly conversation_timestamp: number;
  readonly conversation_time: string;
  readonly metadata: readonly Entry[];
  readonly recording: {
    readonly format: string;
    readonly bytes: number;
    readonly sha256: string;
    readonly codec?: string;
    readonly channels?: number;
    readonly sample_rate?: number;
    readonly duration_ms?: number;
  };
  readonly warnings: readonly { readonly code: string; readonly detail: string; readonly part?: string }[];
  readonly created_at: string;
  readonly failure?: { readonly code: string; readonly detail: string };
}

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly request_id: string;
  readonly errors?: readonly { readonly part: string; readonly code: string; readonly detail: string }[];
  readonly user?: User;
}

/** A unique email address in a domain without mail. */
export const uniqueEmail = (name = "agent") => `${name}-${randomBytes(6).toString("hex")}@example.com`;

const withKey = ({ apiKey, baseUrl }: Service, headers: Sending["headers"]) => ({
  ...callerHeaders(apiKey, baseUrl),
  ...headers,
});

/** Sends POST /users/invite. A body that is not a string is sent as JSON. */
export function postUser<Body = User>(service: Service, body: unknown, sending: Sending = {}): Promise<Answer<Body>> {
  return send<Body>(`${service.baseUrl}/users/invite`, {
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...sending,
    headers: withKey(service, { "content-type": "application/json", ...sending.headers }),
  });
}

export async function createAgent(service: Service, name = "Ann Lee"): Promise<User> {
  const answer = await postUser(service, { email: uniqueEmail(), name, role: "agent", send_invite_email: false });
  if (answer.status !== 201) throw new Error(`the agent was not created: ${answer.status} ${answer.text}`);
  return answer.body;
}

export const partNames: readonly string[] = [
  "campaign_id",
  "conversation_timestamp",
  "agent_email",
  "metadata",
  "file",
];

/** Overrides of parts: a text, the bytes of a file, a complete part, or `undefined` to omit it. */
export type PartChanges = Readonly<Record<string, string | Uint8Array | Part | undefined>>;

/** The parts of a valid import, with overrides and in the given order; by default the file is last. */
export function callParts(
  service: Service,
  changes: PartChanges = {},
  order: readonly string[] = [...partNames, ...Object.keys(changes).filter((name) => !partNames.includes(name))],
): Part[] {
  const values: PartChanges = {
    campaign_id: service.campaignId,
    conversation_timestamp: "1714557600",
    agent_email: service.agentEmail,
    metadata: '[{"key":"site","value":"Lyon"}]',
    file: "file" in changes ? undefined : makeWav(),
    ...changes,
  };
  return order.flatMap((name) => {
    const value = values[name];
    if (value === undefined) return [];
    if (typeof value === "string") return [{ name, value }];
    return value instanceof Uint8Array ? [{ name, value, filename: "call.wav", type: "audio/wav" }] : [value];
  });
}

/** The same, with the file before the fields. */
export const fileFirst = (service: Service, changes: PartChanges = {}): Part[] =>
  callParts(service, changes).sort((a, b) => Number(b.name === "file") - Number(a.name === "file"));

/** Sends an import with these parts. */
export function postCall<Body = Call>(
  service: Service,
  parts: readonly Part[],
  { query = "", ...sending }: Sending & { query?: string } = {},
): Promise<Answer<Body>> {
  const form = multipart(parts);
  return send<Body>(`${service.baseUrl}/calls/audio${query}`, {
    body: form.body,
    ...sending,
    headers: withKey(service, { "content-type": form.contentType, ...sending.headers }),
  });
}

/** Imports a call and throws on failure. */
export async function importCall(service: Service, changes: PartChanges = {}): Promise<Call> {
  const answer = await postCall(service, callParts(service, changes));
  if (answer.status !== 200) throw new Error(`the call was not imported: ${answer.status} ${answer.text}`);
  return answer.body;
}
