import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callerHeaders } from "../support/caller.ts";
import { type Answer, send } from "../support/http.ts";
import { storedObjects } from "../support/kept.ts";
import { type Role, roles } from "../support/people.ts";
import {
  anAgent,
  anEmail,
  type Call,
  callParts,
  fileFirst,
  importCall,
  postCall,
  postUser,
} from "../support/service.ts";
import { aWav } from "../support/sounds.ts";
import { rolesThatMay } from "./roles.ts";
import {
  type Customer,
  type KindOfKey,
  keysOfEveryKind,
  kindsOfKey,
  openTwoWorkspaces,
  type TwoWorkspaces,
} from "./workspaces.ts";

let world: TwoWorkspaces;
/** A key of every kind, and the cookie of somebody of every role. */
let keys: Readonly<Record<KindOfKey | Role, string>>;
beforeAll(async () => {
  world = await openTwoWorkspaces();
  const { agent, reviewer, supervisor, admin } = world.ours.people;
  keys = {
    ...(await keysOfEveryKind(world)),
    ...{ agent: agent.cookie, reviewer: reviewer.cookie, supervisor: supervisor.cookie, admin: admin.cookie },
  };
}, 300_000);
afterAll(async () => {
  await world?.stack.stop();
});

/** Values that name something of a workspace. All three have one form and one length. */
interface Named {
  /** Of the other workspace. */
  readonly theirs: (them: Customer) => string | Promise<string>;
  /** Of nobody. */
  readonly nobodys: () => string;
  /** Of the caller's own workspace. */
  readonly own: (us: Customer) => string;
  /** Of the caller's own workspace, and of a campaign that a restricted key has not. */
  readonly beyond?: (us: Customer) => string;
}

const campaign: Named = {
  theirs: (them) => them.ownCampaignId,
  nobodys: () => "only-z",
  own: (us) => us.ownCampaignId,
  beyond: (us) => us.otherCampaignId,
};
/** As a place in the order of ids, which every text has. */
const campaignPlace: Named = { theirs: campaign.theirs, nobodys: campaign.nobodys, own: campaign.own };
const aCampaignId = () => `c-${randomUUID().slice(0, 8)}`;
/** A new one each time: asking makes it ours. */
const newCampaign: Named = {
  async theirs(them) {
    const id = aCampaignId();
    await postCampaign(them, them.manageKey, id);
    return id;
  },
  nobodys: aCampaignId,
  own: (us) => us.ownCampaignId,
};
const user: Named = {
  theirs: (them) => them.ownAgentId,
  nobodys: () => randomUUID(),
  own: (us) => us.ownAgentId,
};
const key: Named = {
  theirs: (them) => them.spareKeyId,
  nobodys: () => randomUUID(),
  own: (us) => us.spareKeyId,
};
const agent: Named = {
  theirs: (them) => them.ownAgentEmail,
  nobodys: () => "only-z@example.com",
  own: (us) => us.ownAgentEmail,
};
const agentId: Named = {
  theirs: (them) => them.ownAgentId,
  nobodys: () => randomUUID(),
  own: (us) => us.ownAgentId,
};
/** Somebody new each time: asking makes them ours. */
const newcomer: Named = {
  theirs: async (them) => (await anAgent(them)).email,
  nobodys: () => anEmail(),
  own: (us) => us.ownAgentEmail,
};

const webhook: Named = {
  theirs: (them) => them.webhookId,
  nobodys: () => randomUUID(),
  own: (us) => us.webhookId,
};
const call: Named = {
  theirs: (them) => them.callId,
  nobodys: () => randomUUID(),
  own: (us) => us.callId,
};
const erasure: Named = {
  theirs: (them) => them.erasureId,
  nobodys: () => randomUUID(),
  own: (us) => us.erasureId,
};
const hold: Named = {
  theirs: (them) => them.holdId,
  nobodys: () => randomUUID(),
  own: (us) => us.holdId,
};
const event: Named = {
  theirs: (them) => them.eventId,
  // Of the same length, and of nobody's.
  nobodys: () => world.theirs.eventId.replace(/\d(?=-\d+$)/, (digit) => String((Number(digit) + 5) % 10)),
  own: (us) => us.eventId,
};

const session: Named = {
  theirs: (them) => them.spareSessionId,
  nobodys: () => randomUUID(),
  own: (us) => us.spareSessionId,
};

/** A place in the order of calls: of the same moment, and of nobody's. */
const position: Named = { ...call, nobodys: () => world.theirs.callId.replace(/.{3}$/, "000") };

type Ask = (us: Customer, apiKey: string, value: string) => Promise<Answer>;

/** A place in a route where a caller names something: how to ask, and what the three values are answered with. */
interface Place {
  readonly named: Named;
  readonly ask: Ask;
  /** The status for something of another's or of nobody's, and for one's own, with a key that may. */
  readonly absent: number;
  readonly present: number;
  /** Further words of the answer that differ because the thing is new each time. */
  readonly fresh?: readonly string[];
  /** The kind of key that may; `import` if absent. A key of the kind manage may more than one thing. "admin": no key may. */
  readonly scope?: "read" | "manage" | "admin";
  /** The roles that may, where they are fewer than those of the route. */
  readonly roles?: readonly Role[];
  /** Further kinds of key that may. */
  readonly alsoMay?: readonly KindOfKey[];
  /** What a key with every scope that is restricted to a campaign is answered; 403 where it may not at all. */
  readonly restricted?: number;
}

const file = aWav({ seed: 11 });
const askForCall =
  (part: string, order: typeof callParts, query = ""): Ask =>
  (us, apiKey, value) =>
    postCall<unknown>({ ...us, apiKey }, order(us, { file, [part]: value }), { query });

const ask =
  (method: string, path: (us: Customer, value: string) => string, body?: (value: string) => unknown): Ask =>
  (us, apiKey, value) =>
    send(`${us.baseUrl}${path(us, value)}`, {
      method,
      headers: { ...callerHeaders(apiKey, us.baseUrl), ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body(value)) }),
    });

const postCampaign = ask(
  "POST",
  () => "/campaigns",
  (id) => ({ id, name: "Calls" }),
);

/** A route of one thing, asked with its id, that keys restricted to campaigns may not use. */
const ofOne = (
  named: Named,
  route: string,
  { present, scope, body, alsoMay = [] }: Pick<Place, "present" | "scope" | "alsoMay"> & { body?: unknown },
): Readonly<Record<string, Place>> => {
  const [method = "", path = ""] = route.split(" ");
  const asked = ask(method, (_, id) => path.replace("{id}", id), body === undefined ? undefined : () => body);
  const may = { ...(scope && { scope }), alsoMay, restricted: 403 };
  return { "path: id": { named, ask: asked, absent: 404, present, ...may } };
};

/** A route of one webhook, asked with its id. */
const ofWebhook = (method: string, rest: string, present: number, body?: unknown): Readonly<Record<string, Place>> => ({
  "path: id": {
    named: webhook,
    ask: ask(method, (_, id) => `/webhooks/${id}${rest}`, body === undefined ? undefined : () => body),
    absent: 404,
    present,
    scope: "manage",
    restricted: 403,
  },
});

/** A route of one call, asked with its id. */
const ofCall = (
  route: string,
  { present, scope, body }: { present: number; scope?: "read" | "manage"; body?: unknown },
): Readonly<Record<string, Place>> => {
  const [method = "", rest = ""] = route.split(" ");
  const asked = ask(method, (_, id) => `/calls/${id}${rest}`, body === undefined ? undefined : () => body);
  return { "path: id": { named: call, ask: asked, absent: 404, present, ...(scope && { scope }) } };
};

/** A search with one parameter. */
const search = (parameter: string, named: Named): Place => ({
  ...{ named, absent: 200, present: 200, scope: "read" },
  ask: ask("GET", (_, value) => `/calls?${parameter}=${encodeURIComponent(value)}`),
});

/** A recording that nobody has imported, of this campaign and agent. */
const lookup = (member: "campaign_id" | "agent_email", named: Named): Place => ({
  ...{ named, absent: 200, present: 200, alsoMay: ["read"] },
  ask: (us, apiKey, value) => {
    const whole = { sha256: "0".repeat(64), conversation_timestamp: 1_714_557_600 };
    const of = { campaign_id: us.campaignId, agent_email: us.agentEmail, [member]: value };
    return ask(
      "POST",
      () => "/calls/lookup",
      () => ({ fingerprints: [{ ...whole, ...of }] }),
    )(us, apiKey, value);
  },
});
/** Our call, given to an agent. */
const changeCall = (named: Named, body: (value: string) => unknown): Place => ({
  named,
  ask: ask("PATCH", ({ callId }) => `/calls/${callId}`, body),
  absent: 404,
  present: 200,
  scope: "manage",
});
const subject: Named = {
  theirs: (them) => `call:${them.callId}`,
  nobodys: () => `call:${randomUUID()}`,
  own: (us) => `call:${us.callId}`,
};
const actor: Named = {
  theirs: (them) => them.manageKeyId,
  nobodys: () => randomUUID(),
  own: (us) => us.manageKeyId,
};

/** A route of the audit log, asked with what its filters name. */
const ofAudit = (path: string): Readonly<Record<string, Place>> =>
  Object.fromEntries(
    Object.entries({ subject, actor }).map(([filter, named]) => [
      `query: ${filter}`,
      { named, ask: ask("GET", (_, id) => `${path}&${filter}=${id}`), absent: 200, present: 200, scope: "manage" },
    ]),
  );

/** A place in a JSON body where a caller names something by its id. */
const inBody = (
  path: string,
  member: string,
  { named, present, more = {} }: { named: Named; present: number; more?: object },
): Readonly<Record<string, Place>> => {
  const asked = ask(
    "POST",
    () => path,
    (value) => ({ ...more, [member]: value }),
  );
  return { [`body: ${member}`]: { named, ask: asked, absent: 404, present, scope: "manage", restricted: 403 } };
};

const reason = { reason: "Case 2" };

/** A route of one erasure, or of one hold, asked with its id. */
const ofPrivacy = (named: Named, path: (id: string) => string, method: string, present: number) => ({
  "path: id": { named, ask: ask(method, (_, id) => path(id)), absent: 404, present, scope: "manage" as const },
});

/** Every route that says something about a workspace, and every place in it where a caller names something. */
const matrix: Readonly<Record<string, Readonly<Record<string, Place>>>> = {
  "POST /users/invite": {
    "body: email": {
      named: newcomer,
      ask: (us, apiKey, email) =>
        postUser<unknown>({ ...us, apiKey }, { email, name: "Ann Lee", role: "agent", send_invite_email: false }),
      absent: 201,
      present: 409,
      fresh: ["id", "created_at"],
      restricted: 201,
    },
  },
  "GET /users": {
    "query: email": {
      named: agent,
      ask: ask("GET", (_, email) => `/users?email=${email}`),
      ...{ absent: 200, present: 200, scope: "read", alsoMay: ["manage"], restricted: 403 },
    },
    "query: cursor": {
      named: user,
      ask: ask("GET", (_, id) => `/users?cursor=${id}`),
      ...{ absent: 422, present: 200, scope: "read", alsoMay: ["manage"], restricted: 403 },
    },
  },
  "GET /users/{id}": ofOne(user, "GET /users/{id}", { present: 200, scope: "read", alsoMay: ["manage"] }),
  "POST /users/{id}/invitation": ofOne(user, "POST /users/{id}/invitation", {
    present: 200,
    scope: "manage",
    body: {},
  }),
  // They know of nobody yet (e2e/access), or of nobody but who asks.
  "GET /session/options": {},
  "POST /session": {},
  "POST /session/forgotten": {},
  "POST /session/link/look": {},
  "POST /session/link": {},
  "GET /session": {},
  "POST /session/password": {},
  "GET /sessions": {
    "query: user_id": {
      named: { theirs: (them) => them.people.admin.id, nobodys: () => randomUUID(), own: (us) => us.people.admin.id },
      ask: ask("GET", (_, id) => `/sessions?user_id=${id}`),
      ...{ absent: 200, present: 200, scope: "admin", roles: ["admin"], restricted: 403 },
    },
    "query: cursor": {
      named: {
        theirs: (them) => them.spareSessionId,
        nobodys: () => session.nobodys(),
        own: (us) => us.spareSessionId,
      },
      ask: ask("GET", (_, id) => `/sessions?limit=1&cursor=${id.replace(/^.{8}/, "00000000")}`),
      ...{ absent: 200, present: 200, scope: "admin", restricted: 403 },
    },
  },
  "PATCH /users/{id}": ofOne(user, "PATCH /users/{id}", { present: 200, scope: "manage", body: { name: "Ann Lee" } }),
  "GET /campaigns": {
    "query: cursor": {
      named: campaignPlace,
      ask: ask("GET", (_, id) => `/campaigns?cursor=${id}`),
      ...{ absent: 200, present: 200, scope: "read", alsoMay: ["manage", "import"], restricted: 200 },
    },
  },
  "POST /campaigns": {
    "body: id": {
      named: newCampaign,
      ask: postCampaign,
      ...{ absent: 201, present: 409, scope: "manage", fresh: ["created_at"], restricted: 403 },
    },
  },
  "GET /campaigns/{id}": {
    "path: id": {
      named: campaign,
      ask: ask("GET", (_, id) => `/campaigns/${id}`),
      ...{ absent: 404, present: 200, scope: "read", alsoMay: ["manage", "import"], restricted: 404 },
    },
  },
  "PATCH /campaigns/{id}": {
    "path: id": {
      named: campaign,
      ask: ask(
        "PATCH",
        (_, id) => `/campaigns/${id}`,
        () => ({ name: "Calls" }),
      ),
      ...{ absent: 404, present: 200, scope: "manage", restricted: 404 },
    },
  },
  "GET /keys": {
    "query: cursor": {
      named: key,
      ask: ask("GET", (_, id) => `/keys?cursor=${id}`),
      ...{ absent: 422, present: 200, scope: "manage", restricted: 403 },
    },
  },
  "POST /keys": {
    "body: campaign_ids": {
      named: campaign,
      ask: ask(
        "POST",
        () => "/keys",
        (id) => ({ name: "a", scopes: ["read"], campaign_ids: [id] }),
      ),
      ...{ absent: 422, present: 201, scope: "manage", restricted: 403 },
    },
  },
  "GET /keys/{id}": ofOne(key, "GET /keys/{id}", { present: 200, scope: "manage" }),
  "PATCH /keys/{id}": ofOne(key, "PATCH /keys/{id}", { present: 200, scope: "manage", body: { name: "spare" } }),
  "POST /keys/{id}/rotate": ofOne(key, "POST /keys/{id}/rotate", { present: 201, scope: "manage" }),
  // They name nothing; what they show is looked at below.
  "GET /workspace": {},
  "PATCH /workspace": {},
  "GET /events": {
    "query: after": {
      named: event,
      ask: ask("GET", (_, id) => `/events?type=call.failed&after=${id}`),
      absent: 200,
      present: 200,
      scope: "read",
      fresh: ["next"],
    },
  },
  // These name nothing; what they show is looked at below.
  "GET /limits": {},
  "GET /imports/summary": {},
  "GET /webhooks": {},
  "POST /webhooks": {},
  "GET /webhooks/{id}": ofWebhook("GET", "", 200),
  "PATCH /webhooks/{id}": ofWebhook("PATCH", "", 200, { description: "Ours" }),
  "POST /webhooks/{id}/rotate-secret": ofWebhook("POST", "/rotate-secret", 200),
  "POST /webhooks/{id}/test": ofWebhook("POST", "/test", 202),
  "GET /webhooks/{id}/deliveries": ofWebhook("GET", "/deliveries", 200),
  "POST /webhooks/{id}/replay": {
    ...ofWebhook("POST", "/replay", 202, { from: "2026-01-01T00:00:00Z" }),
    "body: event_id": {
      named: event,
      ask: ask(
        "POST",
        ({ webhookId }) => `/webhooks/${webhookId}/replay`,
        (id) => ({ event_id: id }),
      ),
      absent: 404,
      present: 202,
      scope: "manage",
    },
  },
  "GET /calls": {
    "query: campaign": search("campaign", campaign),
    "query: agent, by e-mail": search("agent", agent),
    "query: after": search("after", position),
    // What the other workspace's call says of itself.
    "query: metadata": search("metadata[call]", call),
  },
  "POST /calls/lookup": {
    "body: campaign_id": lookup("campaign_id", campaign),
    "body: agent_email": lookup("agent_email", agent),
  },
  "GET /calls/export": {
    "query: campaign": {
      named: campaign,
      ask: ask("GET", (_, id) => `/calls/export?format=jsonl&campaign=${id}`),
      absent: 200,
      present: 200,
      scope: "read",
    },
    "query: agent": {
      named: agent,
      ask: ask("GET", (_, email) => `/calls/export?format=jsonl&agent=${email}`),
      absent: 200,
      present: 200,
      scope: "read",
    },
  },
  "GET /audit": ofAudit("/audit?limit=200"),
  "GET /audit/export": ofAudit("/audit/export?format=jsonl"),
  // What they show is looked at below.
  "GET /erasures": {
    "query: cursor": {
      named: erasure,
      ask: ask("GET", (_, id) => `/erasures?kind=workspace&cursor=${id}`),
      absent: 200,
      present: 200,
      scope: "manage",
    },
  },
  "GET /holds": {
    "query: cursor": {
      named: hold,
      ask: ask("GET", (_, id) => `/holds?limit=1&state=active&cursor=${id.replace(/^.{8}/, "00000000")}`),
      absent: 200,
      present: 200,
      scope: "manage",
    },
  },
  "POST /erasures/preview": {
    ...inBody("/erasures/preview", "call_id", { named: call, present: 200 }),
    ...inBody("/erasures/preview", "agent_id", { named: agentId, present: 200 }),
  },
  "GET /erasures/{id}": ofPrivacy(erasure, (id) => `/erasures/${id}`, "GET", 200),
  "GET /erasures/{id}/certificate": ofPrivacy(erasure, (id) => `/erasures/${id}/certificate`, "GET", 200),
  "POST /holds": {
    ...inBody("/holds", "call_id", { named: call, present: 201, more: reason }),
    ...inBody("/holds", "agent_id", { named: agentId, present: 201, more: reason }),
    ...inBody("/holds", "campaign_id", { named: campaign, present: 201, more: reason }),
  },
  "GET /calls/{id}": ofCall("GET", { present: 200, scope: "read" }),
  "PATCH /calls/{id}": {
    ...ofCall("PATCH", { present: 200, scope: "manage", body: { agent_channel: "left" } }),
    "body: agent_email": changeCall(agent, (email) => ({ agent_email: email })),
    "body: agent_id": changeCall(agentId, (id) => ({ agent_id: id })),
  },
  "GET /calls/{id}/changes": ofCall("GET /changes", { present: 200, scope: "read" }),
  // It is ready: there is nothing to run again.
  "POST /calls/{id}/prepare": ofCall("POST /prepare", { present: 409 }),
  "GET /calls/{id}/audio": ofCall("GET /audio", { present: 200, scope: "read" }),
  "GET /calls/{id}/waveform": ofCall("GET /waveform", { present: 200, scope: "read" }),
  "GET /calls/{id}/speech": ofCall("GET /speech", { present: 200, scope: "read" }),
  "POST /calls/audio": {
    "part: campaign_id": {
      named: campaign,
      ask: askForCall("campaign_id", callParts),
      ...{ absent: 404, present: 200, restricted: 404 },
    },
    "part: campaign_id, after the file": {
      named: campaign,
      ask: askForCall("campaign_id", fileFirst),
      ...{ absent: 404, present: 200, restricted: 404 },
    },
    "part: campaign_id, in a dry run": {
      named: campaign,
      ask: askForCall("campaign_id", callParts, "?dry_run=true"),
      absent: 404,
      present: 200,
    },
    "part: agent_email, in a dry run": {
      named: agent,
      ask: askForCall("agent_email", callParts, "?dry_run=true"),
      absent: 404,
      present: 200,
    },
    "part: agent_email": { named: agent, ask: askForCall("agent_email", callParts), absent: 404, present: 200 },
    "part: agent_email, after the file": {
      named: agent,
      ask: askForCall("agent_email", fileFirst),
      absent: 404,
      present: 200,
    },
  },
};

/** Asked last of all: it takes away what the others ask for. */
const last: Readonly<Record<string, Readonly<Record<string, Place>>>> = {
  "POST /erasures": {
    ...inBody("/erasures", "call_id", { named: call, present: 202 }),
    ...inBody("/erasures", "agent_id", { named: agentId, present: 202 }),
  },
  // Held by what was asked before.
  "DELETE /calls/{id}": ofCall("DELETE", { present: 409, scope: "manage" }),
  "DELETE /holds/{id}": ofPrivacy(hold, (id) => `/holds/${id}`, "DELETE", 204),
  "DELETE /webhooks/{id}": ofWebhook("DELETE", "", 204),
  "DELETE /keys/{id}": ofOne(key, "DELETE /keys/{id}", { present: 204, scope: "manage" }),
  "DELETE /sessions/{id}": ofOne(session, "DELETE /sessions/{id}", { present: 204, scope: "admin" }),
  // It names nothing, and would end what the others ask with.
  "DELETE /session": {},
};

/** Routes that know of no workspace. They say nothing of anybody's, to anybody. */
const open: Readonly<Record<string, string>> = {
  "GET /healthz": "for load balancers",
  "GET /readyz": "for load balancers",
  "GET /metrics": "for Prometheus",
  "GET /openapi.json": "the interface",
  "GET /docs": "the interface, for people",
  "GET /errors/{code}": "the error codes, for people",
  "GET /console/*": "the console's files, the same for everybody",
};

test("every route of the service is in the matrix", async () => {
  const document = await send<{ paths: Record<string, Record<string, unknown>> }>(`${world.api.baseUrl}/openapi.json`, {
    method: "GET",
  });
  const methods = ["get", "put", "post", "delete", "patch", "head", "options", "trace"];
  const routes = Object.entries(document.body.paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => methods.includes(method))
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(routes.length).toBeGreaterThan(0);
  expect(routes.filter((route) => !(route in matrix) && !(route in last) && !(route in open))).toEqual([]);
  expect(Object.keys(matrix).filter((route) => !routes.includes(route))).toEqual([]);
});

/** Everything of an answer that its receiver can see, with what may differ taken out. */
function visible({ status, headers, text, body }: Answer, value: string, fresh: readonly string[] = []) {
  // What is left of one's own rate changes from one moment to the next.
  const { date: _, ratelimit: __, "x-request-id": requestId, ...others } = headers;
  const words = [value, requestId, ...fresh.map((name) => (body as Record<string, unknown>)[name])];
  const plain = words.reduce<string>((rest, word, n) => rest.replaceAll(String(word), `<${n}>`), text);
  return { status, headers: others, text: plain };
}

test("what is listed and exported is one's own, and so are limits", async () => {
  const { ours, theirs, stack } = world;
  const shown = async (path: string) =>
    (await send(`${ours.baseUrl}${path}`, { method: "GET", headers: { "x-api-key": ours.manageKey } })).text;
  const { rows } = await stack.adminDb.query<{ word: string }>(
    `select coalesce(data ->> 'user_id', data ->> 'call_id', data ->> 'webhook_id') as word from event
      where workspace_id = $1 and type <> 'campaign.changed'
      union select id::text from webhook_endpoint where workspace_id = $1
      union select id::text from call where workspace_id = $1
      union select id::text from erasure where workspace_id = $1
      union select id::text from legal_hold where workspace_id = $1
      union select id::text from api_key where workspace_id = $1
      union select id::text from app_user where workspace_id = $1
      union select workspace_id::text from app_user where workspace_id = $1
      union select id from campaign where workspace_id = $1 and id ~ 'only|also'`,
    [theirs.workspaceId],
  );
  expect(rows.length).toBeGreaterThan(2);
  const limits = await shown("/limits");
  expect(limits).toContain('"calls_per_day":{"limit":1000001,');
  expect(limits).not.toContain("1000002");
  const managed = ["/imports/summary", "/users", "/keys", "/campaigns?archived=all", "/workspace"];
  const exports = ["/calls/export?format=jsonl", "/audit/export?format=jsonl"];
  for (const path of [
    "/events?limit=500",
    "/webhooks",
    "/erasures",
    "/holds",
    "/calls?limit=200",
    "/audit?limit=200",
    ...managed,
    ...exports,
  ]) {
    const text = await shown(path);
    expect(text).toMatch(/"id":/);
    for (const { word } of rows) expect(text).not.toContain(word);
  }
});

const cases = Object.entries({ ...matrix, ...last }).flatMap(([route, places]) =>
  Object.entries(places).map(([where, place]) => ({ route, where, place })),
);

describe.each(cases)("$route, $where", ({ route, place }) => {
  test.each([...kindsOfKey, ...roles])("another's and nobody's are the same to %s", async (kind) => {
    const { ours: us, theirs: them, stack } = world;
    const apiKey = keys[kind];
    const theirs = await place.named.theirs(them);
    const nobody = place.named.nobodys();
    const before = await storedObjects(stack);
    const anothers = await place.ask(us, apiKey, theirs);
    const nobodys = await place.ask(us, apiKey, nobody);
    expect(visible(anothers, theirs, place.fresh)).toEqual(visible(nobodys, nobody, place.fresh));
    const mayNot = Object.fromEntries(roles.map((role) => [role, 403])) as Record<Role, number>;
    const others = {
      ...mayNot,
      ...{ import: 403, read: 403, manage: place.scope ? 403 : undefined, restricted: place.restricted },
      ...{ revoked: 401, malformed: 401 },
    };
    const may = [place.scope ?? "import", ...(place.alsoMay ?? []), ...(place.roles ?? rolesThatMay(route))];
    const expected = may.includes(kind) ? place.absent : others[kind];
    if (expected) expect(anothers.status).toBe(expected);
    expect(anothers.text).not.toContain(them.workspaceId);
    expect(await storedObjects(stack)).toEqual(before);
  });

  test("one's own is there", async () => {
    const { ours: us } = world;
    const answer = await place.ask(us, keys[place.scope ?? "import"], place.named.own(us));
    expect(answer.status).toBe(place.present);
  });
});

const restrictable = cases.filter(({ place }) => place.named.beyond && place.restricted !== 403);

describe.each(restrictable)("$route, $where, to a restricted key", ({ place }) => {
  test("another campaign of the workspace is as nobody's, and its own is there", async () => {
    const { ours: us, stack } = world;
    const beyond = place.named.beyond?.(us) ?? "";
    const nobody = place.named.nobodys();
    const before = await storedObjects(stack);
    const others = await place.ask(us, keys.restricted, beyond);
    const nobodys = await place.ask(us, keys.restricted, nobody);
    expect(visible(others, beyond, place.fresh)).toEqual(visible(nobodys, nobody, place.fresh));
    expect(await storedObjects(stack)).toEqual(before);
    expect((await place.ask(us, keys.restricted, place.named.own(us))).status).toBe(place.present);
  });
});

test("a restricted key is shown its own campaigns", async () => {
  const { ours } = world;
  const headers = { "x-api-key": keys.restricted };
  const listed = await send<{ campaigns: { id: string }[] }>(`${ours.baseUrl}/campaigns`, { method: "GET", headers });
  expect(listed.body.campaigns.map(({ id }) => id)).toEqual([ours.ownCampaignId]);
});

test("an e-mail address, a campaign and a call of the same name live in both workspaces", async () => {
  const { ours, theirs, stack } = world;
  const email = "both@example.com";
  const users = await Promise.all(
    [ours, theirs].map((customer) =>
      postUser(customer, { email, name: "Ann Lee", role: "agent", send_invite_email: false }),
    ),
  );
  expect(users.map(({ status }) => status)).toEqual([201, 201]);

  const same = aWav({ seed: 12 });
  const calls: Call[] = [];
  for (const customer of [ours, theirs]) {
    calls.push(await importCall(customer, { file: same, agent_email: email, conversation_timestamp: "1714557601" }));
  }
  expect(calls.map(({ duplicate }) => duplicate)).toEqual([false, false]);
  expect(calls.map(({ campaign_id }) => campaign_id)).toEqual([stack.campaignId, stack.campaignId]);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  expect(new Set(calls.map(({ agent: { id } }) => id)).size).toBe(2);
});

test.each(Object.keys(open))("%s says nothing of a workspace", async (route) => {
  const { ours, theirs, api } = world;
  const [method = "", path = ""] = route.split(" ");
  const answer = await send(`${api.baseUrl}${path.replace("{code}", "agent_not_found")}`, { method });
  expect(answer.status).toBeLessThan(400);
  for (const { workspaceId, ownCampaignId, ownAgentEmail, apiKey } of [ours, theirs]) {
    for (const secret of [workspaceId, ownCampaignId, ownAgentEmail, apiKey]) expect(answer.text).not.toContain(secret);
  }
});
