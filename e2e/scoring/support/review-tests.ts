import { callerHeaders } from "../../support/http/caller.ts";
import { type Answer, send } from "../../support/http/http.ts";
import { importCall, type Service } from "../../support/http/service.ts";
import { createUser, type Managed, type Role, type SignedInUser } from "../../support/http/users.ts";
import { serviceAt } from "../../support/recordings/recordings.ts";
import { makeWav } from "../../support/recordings/sounds.ts";
import { type ApiProcess, openStack, type Stack, unlimited } from "../../support/stack/stack.ts";

/** Two questions: 40 for the greeting, 60 for the identity. Released by a supervisor; one level of disputes. */
export const scorecardDocument = {
  format: "hearback.scorecard/1",
  name: "Support call",
  passing_score: 80,
  not_applicable: "stays_in_section",
  fail: "zeroes_score",
  release: "by_supervisor",
  dispute_days: 14,
  dispute_levels: 1,
  sections: [
    {
      id: "call",
      title: "Call",
      questions: [
        { id: "greeting", title: "Greets", type: "yes_no", weight: 40, not_applicable: true },
        { id: "identity", title: "Verifies identity", type: "yes_no", weight: 60 },
      ],
    },
  ],
} as const;

export interface Sent {
  readonly body?: unknown;
  readonly ifMatch?: number;
}
/** Sends a request as one person or with one key. */
export type Ask = <Body = Record<string, never>>(method: string, path: string, sent?: Sent) => Promise<Answer<Body>>;

export const askAs =
  (baseUrl: string, credential: string): Ask =>
  (method, path, { body, ifMatch } = {}) =>
    send(`${baseUrl}${path}`, {
      method,
      headers: {
        ...callerHeaders(credential, baseUrl),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(ifMatch !== undefined && { "if-match": `"${ifMatch}"` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

export interface Person extends SignedInUser {
  readonly ask: Ask;
}

export interface ReviewTests {
  readonly stack: Stack;
  readonly api: ApiProcess;
  readonly baseUrl: string;
  readonly service: Service;
  readonly scorecardId: string;
  /** Sends requests with a key of every scope. */
  readonly byKey: Ask;
  key(...scopes: string[]): Promise<Ask>;
  person(role: Role): Promise<Person>;
  /** Imports a short call of an agent. */
  importFor(agent: Pick<Person, "email">): Promise<string>;
  close(): Promise<void>;
}

let recordings = 0;

/** A service with a published scorecard. */
export async function openReviewTests(port?: number): Promise<ReviewTests> {
  const stack = await openStack(undefined, unlimited);
  return reviewTestsOn(stack, await stack.startApi(port === undefined ? {} : { port }));
}

/** Publishes a scorecard with this API. */
export async function reviewTestsOn(stack: Stack, api: ApiProcess): Promise<ReviewTests> {
  const { baseUrl } = api;
  const service = serviceAt(stack, api.port);
  const create = (scopes: readonly string[]) =>
    stack.command<{ key: string }>(
      ...["key", "create", "--workspace", stack.workspaceId, "--name", scopes.join(" "), "--scope"],
      ...[...scopes, "--json"],
    );
  const { key: manageKey } = await create(["import", "read", "review", "manage"]);
  const managed: Managed = { baseUrl, manageKey };
  const byKey = askAs(baseUrl, manageKey);
  const created = await byKey<{ id: string }>("POST", "/scorecards", { body: { document: scorecardDocument } });
  const published = await byKey("POST", `/scorecards/${created.body.id}/publish`);
  if (published.status !== 201) throw new Error(`no scorecard: ${published.status} ${published.text}`);
  return {
    stack,
    api,
    baseUrl,
    service,
    scorecardId: created.body.id,
    byKey,
    key: async (...scopes) => askAs(baseUrl, (await create(scopes)).key),
    async person(role) {
      const user = await createUser(managed, role);
      return { ...user, ask: askAs(baseUrl, user.cookie) };
    },
    importFor: async ({ email }) =>
      (await importCall(service, { agent_email: email, file: makeWav({ seed: 5000 + recordings++ }) })).id,
    close: () => stack.stop(),
  };
}
