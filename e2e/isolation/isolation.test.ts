import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, send } from "../support/http.ts";
import { storedObjects } from "../support/kept.ts";
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
import {
  type Customer,
  type KindOfKey,
  keysOfEveryKind,
  kindsOfKey,
  openTwoWorkspaces,
  type TwoWorkspaces,
} from "./workspaces.ts";

let world: TwoWorkspaces;
let keys: Readonly<Record<KindOfKey, string>>;
beforeAll(async () => {
  world = await openTwoWorkspaces();
  keys = await keysOfEveryKind(world);
}, 120_000);
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
}

const campaign: Named = {
  theirs: (them) => them.ownCampaignId,
  nobodys: () => "only-z",
  own: (us) => us.ownCampaignId,
};
const agent: Named = {
  theirs: (them) => them.ownAgentEmail,
  nobodys: () => "only-z@example.com",
  own: (us) => us.ownAgentEmail,
};
/** Somebody new each time: asking makes them ours. */
const newcomer: Named = {
  theirs: async (them) => (await anAgent(them)).email,
  nobodys: () => anEmail(),
  own: (us) => us.ownAgentEmail,
};

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
}

const file = aWav({ seed: 11 });
const askForCall =
  (part: string, order: typeof callParts): Ask =>
  (us, apiKey, value) =>
    postCall<unknown>({ ...us, apiKey }, order(us, { file, [part]: value }));

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
    },
  },
  "POST /calls/audio": {
    "part: campaign_id": { named: campaign, ask: askForCall("campaign_id", callParts), absent: 404, present: 200 },
    "part: campaign_id, after the file": {
      named: campaign,
      ask: askForCall("campaign_id", fileFirst),
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

/** Routes that know of no workspace. They say nothing of anybody's, to anybody. */
const open: Readonly<Record<string, string>> = {
  "GET /healthz": "for load balancers",
  "GET /readyz": "for load balancers",
  "GET /metrics": "for Prometheus",
  "GET /openapi.json": "the interface",
  "GET /docs": "the interface, for people",
  "GET /errors/{code}": "the error codes, for people",
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
  expect(routes.filter((route) => !(route in matrix) && !(route in open))).toEqual([]);
  expect(Object.keys(matrix).filter((route) => !routes.includes(route))).toEqual([]);
});

/** Everything of an answer that its receiver can see, with what may differ taken out. */
function visible({ status, headers, text, body }: Answer, value: string, fresh: readonly string[] = []) {
  const { date: _, "x-request-id": requestId, ...others } = headers;
  const words = [value, requestId, ...fresh.map((name) => (body as Record<string, unknown>)[name])];
  const plain = words.reduce<string>((rest, word, n) => rest.replaceAll(String(word), `<${n}>`), text);
  return { status, headers: others, text: plain };
}

const cases = Object.entries(matrix).flatMap(([route, places]) =>
  Object.entries(places).map(([where, place]) => ({ route, where, place })),
);

describe.each(cases)("$route, $where", ({ place }) => {
  test.each(kindsOfKey)("another's and nobody's are the same to a key of the kind %s", async (kind) => {
    const { ours: us, theirs: them, stack } = world;
    const apiKey = keys[kind];
    const theirs = await place.named.theirs(them);
    const nobody = place.named.nobodys();
    const before = await storedObjects(stack);
    const anothers = await place.ask(us, apiKey, theirs);
    const nobodys = await place.ask(us, apiKey, nobody);
    expect(visible(anothers, theirs, place.fresh)).toEqual(visible(nobodys, nobody, place.fresh));
    const expected = { import: place.absent, read: 403, manage: undefined, revoked: 401, malformed: 401 }[kind];
    if (expected) expect(anothers.status).toBe(expected);
    expect(anothers.text).not.toContain(them.workspaceId);
    expect(await storedObjects(stack)).toEqual(before);
  });

  test("one's own is there", async () => {
    const { ours: us } = world;
    const answer = await place.ask(us, keys.import, place.named.own(us));
    expect(answer.status).toBe(place.present);
  });
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
