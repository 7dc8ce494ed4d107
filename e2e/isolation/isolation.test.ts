import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { storedObjects } from "../support/data/stored-rows.ts";
import { callerHeaders } from "../support/http/caller.ts";
import { type Answer, send } from "../support/http/http.ts";
import {
  type Call,
  callParts,
  createAgent,
  fileFirst,
  importCall,
  postCall,
  postUser,
  uniqueEmail,
} from "../support/http/service.ts";
import { type Role, roles } from "../support/http/users.ts";
import { makeWav } from "../support/recordings/sounds.ts";
import { rolesAllowedOn } from "./roles.ts";
import {
  type Customer,
  createKeysOfAllKinds,
  type KeyKind,
  keyKinds,
  openTwoWorkspaces,
  type TwoWorkspaces,
} from "./workspaces.ts";

let world: TwoWorkspaces;
/** A key of every kind, and the session cookie of a user of every role. */
let keys: Readonly<Record<KeyKind | Role, string>>;
beforeAll(async () => {
  world = await openTwoWorkspaces();
  const { agent, reviewer, supervisor, admin } = world.ours.people;
  keys = {
    ...(await createKeysOfAllKinds(world)),
    agent: agent.cookie,
    reviewer: reviewer.cookie,
    supervisor: supervisor.cookie,
    admin: admin.cookie,
  };
}, 300_000);
afterAll(async () => {
  await world?.stack.stop();
});

/** Identifiers of one resource type. All have the same format and length. */
interface Identifiers {
  /** In the other workspace. */
  readonly theirs: (them: Customer) => string | Promise<string>;
  /** In no workspace. */
  readonly unknown: () => string;
  /** In the caller's workspace. */
  readonly own: (us: Customer) => string;
  /** In the caller's workspace, but in a campaign that a restricted key cannot access. */
  readonly otherCampaign?: (us: Customer) => string;
}

const campaign: Identifiers = {
  theirs: (them) => them.ownCampaignId,
  unknown: () => "only-z",
  own: (us) => us.ownCampaignId,
  otherCampaign: (us) => us.otherCampaignId,
};
/** As a cursor, which accepts any text. */
const campaignPlace: Identifiers = { theirs: campaign.theirs, unknown: campaign.unknown, own: campaign.own };
const newCampaignId = () => `c-${randomUUID().slice(0, 8)}`;
/** A new id each time: the request creates the campaign in our workspace. */
const newCampaign: Identifiers = {
  async theirs(them) {
    const id = newCampaignId();
    await postCampaign(them, them.manageKey, id);
    return id;
  },
  unknown: newCampaignId,
  own: (us) => us.ownCampaignId,
};
const user: Identifiers = {
  theirs: (them) => them.ownAgentId,
  unknown: () => randomUUID(),
  own: (us) => us.ownAgentId,
};
const key: Identifiers = {
  theirs: (them) => them.spareKeyId,
  unknown: () => randomUUID(),
  own: (us) => us.spareKeyId,
};
const team: Identifiers = {
  theirs: (them) => them.teamId,
  unknown: () => randomUUID(),
  own: (us) => us.teamId,
};
const scorecard: Identifiers = {
  theirs: (them) => them.scorecardId,
  unknown: () => randomUUID(),
  own: (us) => us.scorecardId,
  otherCampaign: (us) => us.otherScorecardId,
};
/** A route with a scorecard id that every role and key may read. */
const ofScorecard = (rest = ""): Readonly<Record<string, Parameter>> => ({
  "path: id": {
    named: scorecard,
    ask: ask("GET", (_, id) => `/scorecards/${id}${rest}`),
    absent: 404,
    present: 200,
    scope: "read",
    alsoMay: ["review"],
    restricted: 404,
  },
});
const review: Identifiers = {
  theirs: (them) => them.reviewId,
  unknown: () => randomUUID(),
  own: (us) => us.reviewId,
};
const dispute: Identifiers = {
  theirs: (them) => them.disputeId,
  unknown: () => randomUUID(),
  own: (us) => us.disputeId,
};
const calibration: Identifiers = {
  theirs: (them) => them.calibrationId,
  unknown: () => randomUUID(),
  own: (us) => us.calibrationId,
};
const whatIf: Identifiers = {
  theirs: (them) => them.whatIfId,
  unknown: () => randomUUID(),
  own: (us) => us.whatIfId,
};
const participant: Identifiers = {
  theirs: (them) => them.people.reviewer.id,
  unknown: () => randomUUID(),
  own: (us) => us.people.reviewer.id,
};
/** A route with the id of a calibration session, which is closed. */
const ofCalibration = (
  route: string,
  options: Pick<Parameter, "present" | "scope" | "alsoMay"> & { body?: unknown },
): Readonly<Record<string, Parameter>> => ofOne(calibration, route.replace("{question}", "greeting"), options);
/** A member of the body of a new calibration session. */
const inCalibration = (member: string, named: Identifiers, absent: number): Readonly<Record<string, Parameter>> => ({
  [`body: ${member}`]: {
    named,
    ask: ask(
      "POST",
      () => "/calibrations",
      (id, us) => {
        const participant_ids = [us.people.reviewer.id, us.people.supervisor.id];
        const body = { name: "C", scorecard_id: us.scorecardId, call_ids: [us.callId], participant_ids };
        if (member === "participant_ids") return { ...body, participant_ids: [id, us.people.admin.id] };
        return { ...body, [member]: member === "call_ids" ? [id] : id };
      },
    ),
    absent,
    present: 201,
    scope: "review",
    restricted: 403,
  },
});
const note: Identifiers = {
  theirs: (them) => them.noteId,
  unknown: () => randomUUID(),
  own: (us) => us.noteId,
};
/** The transcript that a correction is about. */
const transcript: Identifiers = {
  theirs: (them) => them.transcriptId,
  unknown: () => randomUUID(),
  own: (us) => us.transcriptId,
};
const correction = (transcriptId: string) => ({
  transcript_id: transcriptId,
  corrections: [{ turn: 0, word: 2, text: "Nguyen" }],
});
const plan: Identifiers = {
  theirs: (them) => them.planId,
  unknown: () => randomUUID(),
  own: (us) => us.planId,
};
const draw: Identifiers = {
  theirs: (them) => them.drawId,
  unknown: () => randomUUID(),
  own: (us) => us.drawId,
};
const assignment: Identifiers = {
  theirs: (them) => them.assignmentId,
  unknown: () => randomUUID(),
  own: (us) => us.assignmentId,
};
const reviewerId: Identifiers = {
  theirs: (them) => them.people.reviewer.id,
  unknown: () => randomUUID(),
  own: (us) => us.people.reviewer.id,
};
/** A body of a plan, with one member replaced. */
const planBody = (us: Customer, change: object) => ({
  name: "Weekly",
  scorecard_id: us.scorecardId,
  per_agent: 1,
  period: "month",
  time_zone: "UTC",
  reviewers: [{ user_id: us.people.reviewer.id, capacity: 5 }],
  ...change,
});
/** The identifiers in the body of a plan. */
const inPlan = (
  method: string,
  path: (us: Customer) => string,
  present: number,
): Readonly<Record<string, Parameter>> => {
  const member = (named: Identifiers, change: (id: string) => object, absent: number): Parameter => ({
    named,
    ask: ask(method, path, (id, us) => (method === "POST" ? planBody(us, change(id)) : change(id))),
    absent,
    present,
    fresh: ["id", "created_at"],
    scope: "review",
    restricted: 403,
  });
  return {
    "body: scorecard_id": member(scorecard, (id) => ({ scorecard_id: id }), 404),
    "body: campaign_ids": member(campaignPlace, (id) => ({ campaign_ids: [id] }), 422),
    "body: team_ids": member(team, (id) => ({ team_ids: [id] }), 422),
    "body: reviewers": member(reviewerId, (id) => ({ reviewers: [{ user_id: id, capacity: 5 }] }), 422),
  };
};
/** A filter of a list that restricted keys cannot use. */
const unrestrictedFilter = (path: string, name: string, named: Identifiers, scope: "read" | "review"): Parameter => ({
  named,
  ask: ask("GET", (_, id) => `${path}${path.includes("?") ? "&" : "?"}${name}=${id}`),
  absent: 200,
  present: 200,
  scope,
  ...(scope === "read" && { alsoMay: ["review"] as const }),
  restricted: 403,
});
/** A cursor after every item of a list that is ordered by id, newest first. */
const cursorOf = (path: string, named: Identifiers): Parameter => ({
  ...unrestrictedFilter(path, "cursor", named, "read"),
  ask: ask("GET", (_, id) => `${path}?cursor=${id.replace(/^.{8}/, "00000000")}`),
});
/** A filter of a list of reviews or disputes. */
const filterOf = (path: string, name: string, named: Identifiers): Readonly<Record<string, Parameter>> => ({
  [`query: ${name}`]: {
    named,
    ask: ask("GET", (_, id) => `${path}?limit=1&${name}=${id}`),
    absent: 200,
    present: 200,
    scope: "read",
    alsoMay: ["review"],
    restricted: 200,
  },
});
/** Filters of a period of scores. */
const scoresOf = (path: string) =>
  Object.fromEntries(
    [
      ["scorecard_id", scorecard] as const,
      ["campaign_id", campaignPlace] as const,
      ["team_id", team] as const,
      ...(path === "/scores/overview" ? [] : [["cursor", agentId] as const]),
    ].flatMap(([name, named]) =>
      Object.entries(filterOf(path, name, named)).map(([key, parameter]) => [
        key,
        { ...parameter, ask: ask("GET", (_, id) => `${path}?from=2026-01-01&to=2026-12-31&${name}=${id}`) },
      ]),
    ),
  );
/** A route with the id of a review or a dispute. */
const ofReview = (
  route: string,
  { present, scope = "review", alsoMay = [], body, named = review }: Partial<Parameter> & { body?: unknown },
): Readonly<Record<string, Parameter>> => {
  const [method = "", path = ""] = route.split(" ");
  const asked = ask(
    method,
    (_, id) => path.replace("{id}", id).replace("{question}", "greeting"),
    body === undefined ? undefined : () => body,
    { "if-match": '"9"' },
  );
  const restricted = scope === "agent" ? 403 : 404;
  return { "path: id": { named, ask: asked, absent: 404, present: present ?? 200, scope, alsoMay, restricted } };
};
/** A route with the id of a note. */
const ofNote = (method: string, present: number, body?: unknown): Readonly<Record<string, Parameter>> => {
  const sent = body === undefined ? undefined : () => body;
  const may = { absent: 404, present, scope: "review", restricted: 404 } as const;
  return {
    "path: id": { named: call, ask: ask(method, (us, id) => `/calls/${id}/notes/${us.noteId}`, sent), ...may },
    "path: note": { named: note, ask: ask(method, (us, id) => `/calls/${us.callId}/notes/${id}`, sent), ...may },
  };
};
const agent: Identifiers = {
  theirs: (them) => them.ownAgentEmail,
  unknown: () => "only-z@example.com",
  own: (us) => us.ownAgentEmail,
};
const agentId: Identifiers = {
  theirs: (them) => them.ownAgentId,
  unknown: () => randomUUID(),
  own: (us) => us.ownAgentId,
};
/** A new address each time: the request creates the user in our workspace. */
const newcomer: Identifiers = {
  theirs: async (them) => (await createAgent(them)).email,
  unknown: () => uniqueEmail(),
  own: (us) => us.ownAgentEmail,
};

const webhook: Identifiers = {
  theirs: (them) => them.webhookId,
  unknown: () => randomUUID(),
  own: (us) => us.webhookId,
};
const call: Identifiers = {
  theirs: (them) => them.callId,
  unknown: () => randomUUID(),
  own: (us) => us.callId,
};
const erasure: Identifiers = {
  theirs: (them) => them.erasureId,
  unknown: () => randomUUID(),
  own: (us) => us.erasureId,
};
const hold: Identifiers = {
  theirs: (them) => them.holdId,
  unknown: () => randomUUID(),
  own: (us) => us.holdId,
};
const event: Identifiers = {
  theirs: (them) => them.eventId,
  // Same length, unknown.
  unknown: () => world.theirs.eventId.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")),
  own: (us) => us.eventId,
};

const session: Identifiers = {
  theirs: (them) => them.spareSessionId,
  unknown: () => randomUUID(),
  own: (us) => us.spareSessionId,
};

const passkey: Identifiers = {
  theirs: (them) => them.passkeyId,
  unknown: () => randomUUID(),
  own: (us) => us.passkeyId,
};
/** A user who is not signed in: the request ends their sessions. */
const passkeyHolder: Identifiers = {
  theirs: (them) => them.passkeyHolderId,
  unknown: () => randomUUID(),
  own: (us) => us.passkeyHolderId,
};

/** A cursor with the same time and an unknown id. */
const position: Identifiers = { ...call, unknown: () => world.theirs.callId.replace(/.{3}$/, "000") };

type Ask = (us: Customer, apiKey: string, value: string) => Promise<Answer>;

/** A parameter of a route that takes an identifier: how to send it, and the expected statuses. */
interface Parameter {
  readonly named: Identifiers;
  readonly ask: Ask;
  /** Status for identifiers of another or no workspace, and for one's own, with a sufficient key. */
  readonly absent: number;
  readonly present: number;
  /** Other values of the response that differ because the resource is new each time. */
  readonly fresh?: readonly string[];
  /** Kind of key required; default `import`. "admin" and "agent": no key is sufficient. */
  readonly scope?: "read" | "review" | "manage" | "admin" | "agent";
  /** Roles allowed, if fewer than those of the route. */
  readonly roles?: readonly Role[];
  /** Other kinds of key that are sufficient. */
  readonly alsoMay?: readonly KeyKind[];
  /** Status for a key with all scopes that is restricted to a campaign; 403 if the route is not available to it. */
  readonly restricted?: number;
}

const file = makeWav({ seed: 11 });
const askForCall =
  (part: string, order: typeof callParts, query = ""): Ask =>
  (us, apiKey, value) =>
    postCall<unknown>({ ...us, apiKey }, order(us, { file, [part]: value }), { query });

const ask =
  (
    method: string,
    path: (us: Customer, value: string) => string,
    body?: (value: string, us: Customer) => unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Ask =>
  (us, apiKey, value) =>
    send(`${us.baseUrl}${path(us, value)}`, {
      method,
      headers: {
        ...headers,
        ...callerHeaders(apiKey, us.baseUrl),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body(value, us)) }),
    });

const postCampaign = ask(
  "POST",
  () => "/campaigns",
  (id) => ({ id, name: "Calls" }),
);

/** A route with a resource id that restricted keys cannot use. */
const ofOne = (
  named: Identifiers,
  route: string,
  { present, scope, body, alsoMay = [] }: Pick<Parameter, "present" | "scope" | "alsoMay"> & { body?: unknown },
): Readonly<Record<string, Parameter>> => {
  const [method = "", path = ""] = route.split(" ");
  const asked = ask(method, (_, id) => path.replace("{id}", id), body === undefined ? undefined : () => body);
  const may = { ...(scope && { scope }), alsoMay, restricted: 403 };
  return { "path: id": { named, ask: asked, absent: 404, present, ...may } };
};

/** A route with a webhook id. */
const ofWebhook = (
  method: string,
  rest: string,
  present: number,
  body?: unknown,
): Readonly<Record<string, Parameter>> => ({
  "path: id": {
    named: webhook,
    ask: ask(method, (_, id) => `/webhooks/${id}${rest}`, body === undefined ? undefined : () => body),
    absent: 404,
    present,
    scope: "manage",
    restricted: 403,
  },
});

/** A route with a call id. */
const ofCall = (
  route: string,
  { present, scope, body }: { present: number; scope?: "read" | "manage"; body?: unknown },
): Readonly<Record<string, Parameter>> => {
  const [method = "", rest = ""] = route.split(" ");
  const asked = ask(method, (_, id) => `/calls/${id}${rest}`, body === undefined ? undefined : () => body);
  return { "path: id": { named: call, ask: asked, absent: 404, present, ...(scope && { scope }) } };
};

/** A search parameter. */
const search = (parameter: string, named: Identifiers): Parameter => ({
  named,
  absent: 200,
  present: 200,
  scope: "read",
  ask: ask("GET", (_, value) => `/calls?${parameter}=${encodeURIComponent(value)}`),
});

/** A look-up of an unknown recording with this campaign or agent. */
const lookup = (member: "campaign_id" | "agent_email", named: Identifiers): Parameter => ({
  named,
  absent: 200,
  present: 200,
  alsoMay: ["read"],
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
/** A change of our call. */
const changeCall = (named: Identifiers, body: (value: string) => unknown): Parameter => ({
  named,
  ask: ask("PATCH", ({ callId }) => `/calls/${callId}`, body),
  absent: 404,
  present: 200,
  scope: "manage",
});
const subject: Identifiers = {
  theirs: (them) => `call:${them.callId}`,
  unknown: () => `call:${randomUUID()}`,
  own: (us) => `call:${us.callId}`,
};
const actor: Identifiers = {
  theirs: (them) => them.manageKeyId,
  unknown: () => randomUUID(),
  own: (us) => us.manageKeyId,
};

/** The filters of the audit log. */
const ofAudit = (path: string): Readonly<Record<string, Parameter>> =>
  Object.fromEntries(
    Object.entries({ subject, actor }).map(([filter, named]) => [
      `query: ${filter}`,
      { named, ask: ask("GET", (_, id) => `${path}&${filter}=${id}`), absent: 200, present: 200, scope: "manage" },
    ]),
  );

/** An id in a JSON body. */
const inBody = (
  path: string,
  member: string,
  { named, present, more = {} }: { named: Identifiers; present: number; more?: object },
): Readonly<Record<string, Parameter>> => {
  const asked = ask(
    "POST",
    () => path,
    (value) => ({ ...more, [member]: value }),
  );
  return { [`body: ${member}`]: { named, ask: asked, absent: 404, present, scope: "manage", restricted: 403 } };
};

const reason = { reason: "Case 2" };

/** A route with the id of an erasure or a legal hold. */
const ofPrivacy = (named: Identifiers, path: (id: string) => string, method: string, present: number) => ({
  "path: id": { named, ask: ask(method, (_, id) => path(id)), absent: 404, present, scope: "manage" as const },
});

/** Every route with workspace data, and every identifier parameter in it. */
const matrix: Readonly<Record<string, Readonly<Record<string, Parameter>>>> = {
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
      absent: 200,
      present: 200,
      scope: "read",
      alsoMay: ["manage"],
      restricted: 403,
    },
    "query: team_id": {
      named: team,
      ask: ask("GET", (_, id) => `/users?team_id=${id}`),
      absent: 200,
      present: 200,
      scope: "read",
      alsoMay: ["manage"],
      restricted: 403,
    },
  },
  "GET /users/{id}": ofOne(user, "GET /users/{id}", { present: 200, scope: "read", alsoMay: ["manage"] }),
  "POST /users/{id}/invitation": ofOne(user, "POST /users/{id}/invitation", {
    present: 200,
    scope: "manage",
    body: {},
  }),
  // No caller yet (see e2e/access), or only data of the caller.
  "GET /session/options": {},
  "POST /session": {},
  "POST /session/forgotten": {},
  "POST /session/link/look": {},
  "POST /session/link": {},
  "GET /session": {},
  "PATCH /session": {},
  "POST /session/password": {},
  "POST /session/confirm": {},
  "POST /session/second-step": {},
  "POST /session/passkey/options": {},
  "POST /session/passkey": {},
  "GET /session/two-step": {},
  "POST /session/two-step/totp": {},
  "POST /session/two-step/totp/confirm": {},
  "DELETE /session/two-step/totp": {},
  "POST /session/two-step/passkeys/options": {},
  "POST /session/two-step/passkeys": {},
  "POST /session/two-step/recovery-codes": {},
  // Passkeys of colleagues are invisible, too.
  "DELETE /session/two-step/passkeys/{id}": ofOne(passkey, "DELETE /session/two-step/passkeys/{id}", {
    present: 404,
    scope: "admin",
  }),
  "GET /workspace/two-step": {},
  "GET /sessions": {
    "query: user_id": {
      named: { theirs: (them) => them.people.admin.id, unknown: () => randomUUID(), own: (us) => us.people.admin.id },
      ask: ask("GET", (_, id) => `/sessions?user_id=${id}`),
      absent: 200,
      present: 200,
      scope: "admin",
      roles: ["admin"],
      restricted: 403,
    },
    "query: cursor": {
      named: {
        theirs: (them) => them.spareSessionId,
        unknown: () => session.unknown(),
        own: (us) => us.spareSessionId,
      },
      ask: ask("GET", (_, id) => `/sessions?limit=1&cursor=${id.replace(/^.{8}/, "00000000")}`),
      absent: 200,
      present: 200,
      scope: "admin",
      restricted: 403,
    },
  },
  "DELETE /users/{id}/provider": ofOne(user, "DELETE /users/{id}/provider", { present: 204, scope: "manage" }),
  "PATCH /users/{id}": {
    // Without a name: supervisors may change nothing but the team.
    ...ofOne(user, "PATCH /users/{id}", { present: 200, scope: "manage", body: {} }),
    "body: team_id": {
      named: team,
      ask: ask(
        "PATCH",
        (us) => `/users/${us.ownAgentId}`,
        (id) => ({ team_id: id }),
      ),
      absent: 404,
      present: 200,
      scope: "manage",
      restricted: 403,
    },
  },
  // No identifiers; the list is tested below.
  "GET /teams": {},
  "POST /teams": {},
  "GET /scorecards": {
    "query: campaign_id": {
      named: campaignPlace,
      ask: ask("GET", (_, id) => `/scorecards?campaign_id=${id}`),
      absent: 200,
      present: 200,
      scope: "read",
      alsoMay: ["review"],
      restricted: 200,
    },
    "query: cursor": {
      named: { theirs: scorecard.theirs, unknown: scorecard.unknown, own: scorecard.own },
      // Before every scorecard.
      ask: ask("GET", (_, id) => `/scorecards?limit=1&cursor=${id.replace(/^.{8}/, "00000000")}`),
      absent: 200,
      present: 200,
      scope: "read",
      alsoMay: ["review"],
      restricted: 200,
    },
  },
  "POST /scorecards": {
    "body: campaign_ids": {
      named: campaign,
      ask: ask(
        "POST",
        () => "/scorecards",
        (id) => ({ campaign_ids: [id] }),
      ),
      absent: 422,
      present: 201,
      scope: "review",
      restricted: 403,
    },
  },
  "GET /scorecards/{id}": ofScorecard(),
  "GET /scorecards/{id}/versions": ofScorecard("/versions"),
  "GET /scorecards/{id}/versions/{version}": ofScorecard("/versions/1"),
  "GET /scorecards/{id}/test-cases": ofScorecard("/test-cases"),
  "PATCH /scorecards/{id}": {
    ...ofOne(scorecard, "PATCH /scorecards/{id}", { present: 200, scope: "review", body: {} }),
    "body: arbiter_ids": {
      named: {
        theirs: (them) => them.people.reviewer.id,
        unknown: () => randomUUID(),
        own: (us) => us.people.reviewer.id,
      },
      ask: ask(
        "PATCH",
        (us) => `/scorecards/${us.scorecardId}`,
        (id) => ({ arbiter_ids: [id] }),
      ),
      absent: 422,
      present: 200,
      scope: "review",
      restricted: 403,
    },
  },
  "PUT /scorecards/{id}/draft": ofOne(scorecard, "PUT /scorecards/{id}/draft", {
    present: 200,
    scope: "review",
    body: { document: { name: "Changed" } },
  }),
  "DELETE /scorecards/{id}/draft": ofOne(scorecard, "DELETE /scorecards/{id}/draft", { present: 204, scope: "review" }),
  "POST /scorecards/{id}/publish": ofOne(scorecard, "POST /scorecards/{id}/publish", { present: 409, scope: "review" }),
  // The draft is deleted above.
  "POST /scorecards/{id}/what-if": ofOne(scorecard, "POST /scorecards/{id}/what-if", {
    present: 409,
    scope: "review",
    body: { from: "2026-01-01T00:00:00Z" },
  }),
  "GET /scorecards/{id}/what-if": {
    ...ofOne(scorecard, "GET /scorecards/{id}/what-if", { present: 200, scope: "review" }),
    "query: cursor": {
      named: whatIf,
      // Before every run, so that the page is empty for each of them.
      ask: ask(
        "GET",
        (us, id) => `/scorecards/${us.scorecardId}/what-if?limit=1&cursor=${id.replace(/^.{8}/, "00000000")}`,
      ),
      absent: 200,
      present: 200,
      scope: "review",
      restricted: 403,
    },
  },
  "GET /what-ifs/{id}": ofOne(whatIf, "GET /what-ifs/{id}", { present: 200, scope: "review" }),
  "DELETE /what-ifs/{id}": ofOne(whatIf, "DELETE /what-ifs/{id}", { present: 204, scope: "review" }),
  "GET /reviews": {
    ...filterOf("/reviews", "call_id", call),
    ...filterOf("/reviews", "agent_id", agentId),
    ...filterOf("/reviews", "reviewer_id", key),
    ...filterOf("/reviews", "scorecard_id", scorecard),
    ...filterOf("/reviews", "campaign_id", campaignPlace),
    ...filterOf("/reviews", "team_id", team),
  },
  "GET /reviews/export": {
    "query: call_id": {
      named: call,
      ask: ask("GET", (_, id) => `/reviews/export?format=jsonl&rows=answers&call_id=${id}`),
      absent: 200,
      present: 200,
      scope: "read",
      alsoMay: ["review"],
      restricted: 200,
    },
  },
  "GET /scores/overview": scoresOf("/scores/overview"),
  "GET /scores/coverage": {
    "query: scorecard_id": {
      named: scorecard,
      ask: ask("GET", (_, id) => `/scores/coverage?from=2026-01-01&to=2026-12-31&scorecard_id=${id}`),
      absent: 200,
      present: 200,
      scope: "read",
      alsoMay: ["review"],
      restricted: 403,
    },
  },
  "GET /scores/agents": scoresOf("/scores/agents"),
  "GET /scores/reviewers": scoresOf("/scores/reviewers"),
  // For agents: their own scores only.
  "GET /scores/mine": {},
  // No identifiers.
  "GET /reviews/waiting": {},
  "POST /reviews": {
    "body: call_id": {
      named: call,
      ask: ask(
        "POST",
        () => "/reviews",
        (id, us) => ({ call_id: id, scorecard_id: us.scorecardId }),
      ),
      absent: 404,
      present: 201,
      scope: "review",
      restricted: 404,
    },
    "body: scorecard_id": {
      named: scorecard,
      // Twice: the second request returns the draft of the first.
      async ask(us, apiKey, value) {
        const start = ask(
          "POST",
          () => "/reviews",
          (id) => ({ call_id: us.callId, scorecard_id: id }),
        );
        await start(us, apiKey, value);
        return start(us, apiKey, value);
      },
      absent: 404,
      present: 200,
      scope: "review",
      restricted: 404,
    },
    "body: calibration_id": {
      named: calibration,
      ask: ask(
        "POST",
        () => "/reviews",
        (id, us) => ({ call_id: us.callId, calibration_id: id }),
      ),
      absent: 404,
      // An API key does not take part.
      present: 403,
      scope: "review",
      restricted: 404,
    },
  },
  "GET /calibrations": {
    "query: cursor": {
      named: calibration,
      // Before every session.
      ask: ask("GET", (_, id) => `/calibrations?limit=1&cursor=${id.replace(/^.{8}/, "00000000")}`),
      absent: 200,
      present: 200,
      scope: "read",
      alsoMay: ["review"],
      restricted: 403,
    },
  },
  "POST /calibrations": {
    ...inCalibration("scorecard_id", scorecard, 404),
    ...inCalibration("call_ids", call, 422),
    ...inCalibration("participant_ids", participant, 422),
  },
  "GET /calibrations/{id}": ofCalibration("GET /calibrations/{id}", {
    present: 200,
    scope: "read",
    alsoMay: ["review"],
  }),
  "GET /calibrations/{id}/results": ofCalibration("GET /calibrations/{id}/results", {
    present: 200,
    scope: "read",
    alsoMay: ["review"],
  }),
  "GET /calibrations/{id}/answers/{question}": ofCalibration("GET /calibrations/{id}/answers/{question}", {
    present: 200,
    scope: "read",
    alsoMay: ["review"],
  }),
  "PUT /calibrations/{id}/decisions/{question}": ofCalibration("PUT /calibrations/{id}/decisions/{question}", {
    present: 200,
    scope: "review",
    body: { text: "Decided." },
  }),
  "PATCH /calibrations/{id}": ofCalibration("PATCH /calibrations/{id}", { present: 409, scope: "review", body: {} }),
  "POST /calibrations/{id}/close": ofCalibration("POST /calibrations/{id}/close", { present: 200, scope: "review" }),
  "DELETE /calibrations/{id}": ofCalibration("DELETE /calibrations/{id}", { present: 409, scope: "review" }),
  "GET /agreement": {
    "query: scorecard_id": {
      named: scorecard,
      ask: ask("GET", (_, id) => `/agreement?scorecard_id=${id}`),
      absent: 404,
      present: 200,
      scope: "read",
      alsoMay: ["review"],
      restricted: 403,
    },
  },
  "POST /reviews/release": {
    "body: ids": {
      named: review,
      ask: ask(
        "POST",
        () => "/reviews/release",
        (id) => ({ ids: [id] }),
      ),
      absent: 200,
      present: 200,
      scope: "review",
      restricted: 200,
    },
  },
  "GET /reviews/{id}": ofReview("GET /reviews/{id}", { scope: "read", alsoMay: ["review"] }),
  // The review belongs to another key, and it is released.
  "PUT /reviews/{id}/answers/{question}": ofReview("PUT /reviews/{id}/answers/{question}", {
    present: 403,
    body: { value: "yes" },
  }),
  "PATCH /reviews/{id}": ofReview("PATCH /reviews/{id}", { present: 403, body: { comment: "C" } }),
  "DELETE /reviews/{id}": ofReview("DELETE /reviews/{id}", { present: 403 }),
  "POST /reviews/{id}/submit": ofReview("POST /reviews/{id}/submit", { present: 403 }),
  "POST /reviews/{id}/reopen": ofReview("POST /reviews/{id}/reopen", { present: 409 }),
  "POST /reviews/{id}/release": ofReview("POST /reviews/{id}/release", { present: 409 }),
  // The review has this answer already.
  "POST /reviews/{id}/correct": ofReview("POST /reviews/{id}/correct", {
    present: 409,
    body: { answers: { greeting: { value: "no" } }, reason: "R" },
  }),
  "POST /reviews/{id}/acknowledge": ofReview("POST /reviews/{id}/acknowledge", { scope: "agent", body: {} }),
  // A dispute is open.
  "POST /reviews/{id}/disputes": ofReview("POST /reviews/{id}/disputes", {
    scope: "agent",
    present: 409,
    body: { items: [{ question_id: "greeting", proposed: { value: "yes" }, reason: "R" }] },
  }),
  "GET /disputes": {
    ...filterOf("/disputes", "review_id", review),
    "query: cursor": {
      named: dispute,
      // After every dispute.
      ask: ask("GET", (_, id) => `/disputes?limit=1&cursor=${id.replace(/^.{8}/, "ffffffff")}`),
      absent: 200,
      present: 200,
      scope: "read",
      alsoMay: ["review"],
      restricted: 200,
    },
  },
  "GET /disputes/{id}": ofReview("GET /disputes/{id}", { named: dispute, scope: "read", alsoMay: ["review"] }),
  "PATCH /disputes/{id}": {
    "path: id": {
      named: dispute,
      ask: ask(
        "PATCH",
        (_, id) => `/disputes/${id}`,
        (_, us) => ({ arbiter_id: us.people.supervisor.id }),
      ),
      absent: 404,
      present: 200,
      scope: "review",
      restricted: 404,
    },
    "body: arbiter_id": {
      named: {
        theirs: (them) => them.people.admin.id,
        unknown: () => randomUUID(),
        own: (us) => us.people.admin.id,
      },
      ask: ask(
        "PATCH",
        (us) => `/disputes/${us.disputeId}`,
        (id) => ({ arbiter_id: id }),
      ),
      absent: 422,
      present: 200,
      scope: "review",
      restricted: 422,
    },
  },
  "GET /plans": { "query: cursor": cursorOf("/plans", plan) },
  "GET /plans/{id}": ofOne(plan, "GET /plans/{id}", { present: 200, scope: "read", alsoMay: ["review"] }),
  "POST /plans": inPlan("POST", () => "/plans", 201),
  // Counts calls only: unknown ids match nothing.
  "POST /plans/preview": {
    "body: team_ids": {
      named: team,
      ask: ask(
        "POST",
        () => "/plans/preview",
        (id, us) => planBody(us, { team_ids: [id] }),
      ),
      absent: 200,
      present: 200,
      fresh: ["from"],
      scope: "review",
      restricted: 403,
    },
  },
  "PATCH /plans/{id}": {
    ...ofOne(plan, "PATCH /plans/{id}", { present: 200, scope: "review", body: { due_days: 8 } }),
    ...inPlan("PATCH", (us) => `/plans/${us.planId}`, 200),
  },
  "GET /draws": {
    "query: plan_id": unrestrictedFilter("/draws", "plan_id", plan, "read"),
    "query: cursor": cursorOf("/draws", draw),
  },
  "GET /draws/{id}": ofOne(draw, "GET /draws/{id}", { present: 200, scope: "read", alsoMay: ["review"] }),
  "PATCH /draws/{id}": ofOne(draw, "PATCH /draws/{id}", { present: 200, scope: "review", body: { nonce: "4 8 15" } }),
  // The period has not ended.
  "GET /draws/{id}/proof": {
    ...ofOne(draw, "GET /draws/{id}/proof", { present: 409, scope: "read", alsoMay: ["review"] }),
    "query: agent_id": {
      named: agentId,
      ask: ask("GET", (us, id) => `/draws/${us.drawId}/proof?agent_id=${id}`),
      absent: 409,
      present: 409,
      scope: "read",
      alsoMay: ["review"],
      restricted: 403,
    },
  },
  "GET /draws/{id}/reviewers": ofOne(draw, "GET /draws/{id}/reviewers", { present: 200, scope: "review" }),
  "GET /assignments": {
    "query: draw_id": unrestrictedFilter("/assignments?state=done", "draw_id", draw, "review"),
    "query: reviewer_id": unrestrictedFilter("/assignments?state=done", "reviewer_id", reviewerId, "review"),
  },
  // No identifiers.
  "GET /assignments/queue": {},
  // The call is reviewed already.
  "POST /assignments/{id}/skip": ofOne(assignment, "POST /assignments/{id}/skip", {
    present: 409,
    scope: "review",
    body: { reason: "inaudible" },
  }),
  "POST /assignments/{id}/hand-back": ofOne(assignment, "POST /assignments/{id}/hand-back", {
    present: 409,
    scope: "review",
  }),
  "PATCH /assignments/{id}": {
    "path: id": {
      named: assignment,
      ask: ask(
        "PATCH",
        (_, id) => `/assignments/${id}`,
        (_, us) => ({ reviewer_id: us.people.reviewer.id }),
      ),
      absent: 404,
      present: 409,
      scope: "review",
      restricted: 403,
    },
    "body: reviewer_id": {
      named: reviewerId,
      ask: ask(
        "PATCH",
        (us) => `/assignments/${us.assignmentId}`,
        (id) => ({ reviewer_id: id }),
      ),
      absent: 409,
      present: 409,
      scope: "review",
      restricted: 403,
    },
  },
  "GET /calls/{id}/notes": {
    "path: id": {
      named: call,
      ask: ask("GET", (_, id) => `/calls/${id}/notes`),
      absent: 404,
      present: 200,
      scope: "read",
      alsoMay: ["review"],
      restricted: 404,
    },
  },
  "POST /calls/{id}/notes": {
    "path: id": {
      named: call,
      ask: ask(
        "POST",
        (_, id) => `/calls/${id}/notes`,
        () => ({ position_ms: 1, text: "T" }),
      ),
      absent: 404,
      present: 201,
      scope: "review",
      restricted: 404,
    },
  },
  // Another key wrote it.
  "PATCH /calls/{id}/notes/{note}": ofNote("PATCH", 403, { text: "T" }),
  "PATCH /teams/{id}": ofOne(team, "PATCH /teams/{id}", { present: 200, scope: "manage", body: {} }),
  "GET /campaigns": {
    "query: cursor": {
      named: campaignPlace,
      ask: ask("GET", (_, id) => `/campaigns?cursor=${id}`),
      absent: 200,
      present: 200,
      scope: "read",
      alsoMay: ["manage", "import"],
      restricted: 200,
    },
  },
  "POST /campaigns": {
    "body: id": {
      named: newCampaign,
      ask: postCampaign,
      absent: 201,
      present: 409,
      scope: "manage",
      fresh: ["created_at"],
      restricted: 403,
    },
  },
  "GET /campaigns/{id}": {
    "path: id": {
      named: campaign,
      ask: ask("GET", (_, id) => `/campaigns/${id}`),
      absent: 404,
      present: 200,
      scope: "read",
      alsoMay: ["manage", "import"],
      restricted: 404,
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
      absent: 404,
      present: 200,
      scope: "manage",
      restricted: 404,
    },
  },
  // No identifiers: the cursor is encrypted.
  "GET /keys": {},
  "POST /keys": {
    "body: campaign_ids": {
      named: campaign,
      ask: ask(
        "POST",
        () => "/keys",
        (id) => ({ name: "a", scopes: ["manage"], campaign_ids: [id] }),
      ),
      absent: 422,
      present: 201,
      scope: "manage",
      restricted: 403,
    },
  },
  "GET /keys/{id}": ofOne(key, "GET /keys/{id}", { present: 200, scope: "manage" }),
  "PATCH /keys/{id}": ofOne(key, "PATCH /keys/{id}", { present: 200, scope: "manage", body: { name: "spare" } }),
  "POST /keys/{id}/rotate": ofOne(key, "POST /keys/{id}/rotate", { present: 201, scope: "manage" }),
  // No identifiers; the lists are tested below.
  "GET /workspace": {},
  "PATCH /workspace": {},
  "GET /events": {
    "query: cursor": {
      named: event,
      ask: ask("GET", (_, id) => `/events?type=call.failed&cursor=${id}`),
      absent: 422,
      present: 200,
      scope: "read",
    },
  },
  // No identifiers; the lists are tested below.
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
    "query: agent, by email": search("agent", agent),
    "query: reviewer": search("reviewer", key),
    "query: cursor": search("cursor", position),
    // Metadata of the other workspace's call.
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
  // The lists are tested below.
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
  // The call is ready, so there is no preparation to retry.
  "POST /calls/{id}/prepare": ofCall("POST /prepare", { present: 409 }),
  "GET /calls/{id}/audio": ofCall("GET /audio", { present: 200, scope: "read" }),
  "GET /calls/{id}/waveform": ofCall("GET /waveform", { present: 200, scope: "read" }),
  "GET /calls/{id}/transcript/matches": ofCall("GET /transcript/matches?said=hello", { present: 200, scope: "read" }),
  "GET /calls/{id}/speech": ofCall("GET /speech", { present: 200, scope: "read" }),
  "GET /calls/{id}/transcript": ofCall("GET /transcript", { present: 200, scope: "read" }),
  "PATCH /calls/{id}/transcript": {
    "path: id": {
      named: call,
      ask: ask(
        "PATCH",
        (_, id) => `/calls/${id}/transcript`,
        (_, us) => correction(us.transcriptId),
      ),
      absent: 404,
      present: 200,
      scope: "review",
      restricted: 404,
    },
    "body: transcript_id": {
      named: transcript,
      ask: ask("PATCH", (us) => `/calls/${us.callId}/transcript`, correction),
      absent: 409,
      present: 200,
      scope: "review",
      restricted: 409,
    },
  },
  // The server has no engine.
  "POST /calls/{id}/transcribe": ofCall("POST /transcribe", { present: 409 }),
  "GET /transcription/usage": {},
  "POST /calls/audio": {
    "part: campaign_id": {
      named: campaign,
      ask: askForCall("campaign_id", callParts),
      absent: 404,
      present: 200,
      restricted: 404,
    },
    "part: campaign_id, after the file": {
      named: campaign,
      ask: askForCall("campaign_id", fileFirst),
      absent: 404,
      present: 200,
      restricted: 404,
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

/** Runs last: it deletes what the other cases use. */
const last: Readonly<Record<string, Readonly<Record<string, Parameter>>>> = {
  // The key has begun a review of the call itself.
  "POST /disputes/{id}/resolve": ofReview("POST /disputes/{id}/resolve", {
    named: dispute,
    present: 403,
    body: { items: [{ question_id: "greeting", decision: "upheld", explanation: "E" }] },
  }),
  "POST /reviews/{id}/void": ofReview("POST /reviews/{id}/void", { body: { reason: "R" } }),
  "DELETE /calls/{id}/notes/{note}": {
    "path: note": {
      named: note,
      ask: ask("DELETE", (us, id) => `/calls/${us.callId}/notes/${id}`),
      absent: 404,
      present: 204,
      scope: "review",
      restricted: 404,
    },
  },
  "POST /erasures": {
    ...inBody("/erasures", "call_id", { named: call, present: 202 }),
    ...inBody("/erasures", "agent_id", { named: agentId, present: 202 }),
  },
  // Blocked by the legal hold created above.
  "DELETE /calls/{id}": ofCall("DELETE", { present: 409, scope: "manage" }),
  "DELETE /users/{id}/two-step": ofOne(passkeyHolder, "DELETE /users/{id}/two-step", { present: 204, scope: "manage" }),
  "DELETE /teams/{id}": ofOne(team, "DELETE /teams/{id}", { present: 204, scope: "manage" }),
  "DELETE /holds/{id}": ofPrivacy(hold, (id) => `/holds/${id}`, "DELETE", 204),
  "DELETE /webhooks/{id}": ofWebhook("DELETE", "", 204),
  "DELETE /keys/{id}": ofOne(key, "DELETE /keys/{id}", { present: 204, scope: "manage" }),
  "DELETE /sessions/{id}": ofOne(session, "DELETE /sessions/{id}", { present: 204, scope: "admin" }),
  // No identifiers, and it would end the sessions of the other cases.
  "DELETE /session": {},
};

/** Routes without workspace data. */
const open: Readonly<Record<string, string>> = {
  "GET /healthz": "for load balancers",
  "GET /readyz": "for load balancers",
  "GET /metrics": "for Prometheus",
  "GET /openapi.json": "the OpenAPI document",
  "GET /docs": "the API reference",
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

/** Everything in a response that a client can see, without values that may differ. */
function visible({ status, headers, text, body }: Answer, value: string, fresh: readonly string[] = []) {
  // The remaining rate changes constantly.
  const { date: _, ratelimit: __, "x-request-id": requestId, ...others } = headers;
  const words = [value, requestId, ...fresh.map((name) => (body as Record<string, unknown>)[name])];
  const plain = words.reduce<string>((rest, word, n) => rest.replaceAll(String(word), `<${n}>`), text);
  return { status, headers: others, text: plain };
}

test("lists, exports and limits contain only the caller's workspace", async () => {
  const { ours, theirs, stack } = world;
  const shown = async (path: string) =>
    (await send(`${ours.baseUrl}${path}`, { method: "GET", headers: { "x-api-key": ours.manageKey } })).text;
  const { rows } = await stack.adminDb.query<{ word: string }>(
    `select coalesce(data ->> 'user_id', data ->> 'call_id', data ->> 'webhook_id', data ->> 'scorecard_id',
        data ->> 'draw_id') as word from event
      where workspace_id = $1 and type <> 'campaign.changed'
      union select id::text from webhook_endpoint where workspace_id = $1
      union select id::text from call where workspace_id = $1
      union select id::text from erasure where workspace_id = $1
      union select id::text from team where workspace_id = $1
      union select id::text from scorecard where workspace_id = $1
      union select id::text from review where workspace_id = $1
      union select id::text from dispute where workspace_id = $1
      union select id::text from review_plan where workspace_id = $1
      union select id::text from review_draw where workspace_id = $1
      union select id::text from assignment where workspace_id = $1
      union select id::text from calibration where workspace_id = $1
      union select id::text from what_if where workspace_id = $1
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
  const managed = [
    "/imports/summary",
    "/users",
    "/teams",
    "/scorecards",
    "/reviews",
    "/disputes",
    "/plans",
    "/draws",
    "/assignments?state=done",
    "/calibrations",
    "/keys",
    "/campaigns?archived=all",
    "/workspace",
  ];
  const exports = ["/calls/export?format=jsonl", "/audit/export?format=jsonl", "/reviews/export?format=jsonl"];
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
  test.each([...keyKinds, ...roles])(
    "another workspace's and unknown ids get the same response for %s",
    async (kind) => {
      const { ours: us, theirs: them, stack } = world;
      const apiKey = keys[kind];
      const theirs = await place.named.theirs(them);
      const nobody = place.named.unknown();
      const before = await storedObjects(stack);
      const anothers = await place.ask(us, apiKey, theirs);
      const unknown = await place.ask(us, apiKey, nobody);
      expect(visible(anothers, theirs, place.fresh)).toEqual(visible(unknown, nobody, place.fresh));
      const mayNot = Object.fromEntries(roles.map((role) => [role, 403])) as Record<Role, number>;
      const others = {
        ...mayNot,
        import: 403,
        read: 403,
        review: 403,
        manage: place.scope ? 403 : undefined,
        restricted: place.restricted,
        revoked: 401,
        malformed: 401,
      };
      const may = [place.scope ?? "import", ...(place.alsoMay ?? []), ...(place.roles ?? rolesAllowedOn(route))];
      const expected = may.includes(kind) ? place.absent : others[kind];
      if (expected) expect(anothers.status).toBe(expected);
      expect(anothers.text).not.toContain(them.workspaceId);
      expect(await storedObjects(stack)).toEqual(before);
    },
  );

  test("the caller's own resource is found", async () => {
    const { ours: us } = world;
    const answer = await place.ask(us, keys[place.scope ?? "import"], place.named.own(us));
    expect(answer.status).toBe(place.present);
  });
});

const restrictable = cases.filter(({ place }) => place.named.otherCampaign && place.restricted !== 403);

describe.each(restrictable)("$route, $where, to a restricted key", ({ place }) => {
  test("another campaign looks unknown, its own is found", async () => {
    const { ours: us, stack } = world;
    const otherCampaign = place.named.otherCampaign?.(us) ?? "";
    const nobody = place.named.unknown();
    const before = await storedObjects(stack);
    const others = await place.ask(us, keys.restricted, otherCampaign);
    const unknown = await place.ask(us, keys.restricted, nobody);
    expect(visible(others, otherCampaign, place.fresh)).toEqual(visible(unknown, nobody, place.fresh));
    expect(await storedObjects(stack)).toEqual(before);
    expect((await place.ask(us, keys.restricted, place.named.own(us))).status).toBe(place.present);
  });
});

test("a restricted key sees only its campaigns", async () => {
  const { ours } = world;
  const headers = { "x-api-key": keys.restricted };
  const listed = await send<{ campaigns: { id: string }[] }>(`${ours.baseUrl}/campaigns`, { method: "GET", headers });
  expect(listed.body.campaigns.map(({ id }) => id)).toEqual([ours.ownCampaignId]);
});

test("both workspaces can have the same email address, campaign id and call", async () => {
  const { ours, theirs, stack } = world;
  const email = "both@example.com";
  const users = await Promise.all(
    [ours, theirs].map((customer) =>
      postUser(customer, { email, name: "Ann Lee", role: "agent", send_invite_email: false }),
    ),
  );
  expect(users.map(({ status }) => status)).toEqual([201, 201]);

  const same = makeWav({ seed: 12 });
  const calls: Call[] = [];
  for (const customer of [ours, theirs]) {
    calls.push(await importCall(customer, { file: same, agent_email: email, conversation_timestamp: "1714557601" }));
  }
  expect(calls.map(({ duplicate }) => duplicate)).toEqual([false, false]);
  expect(calls.map(({ campaign_id }) => campaign_id)).toEqual([stack.campaignId, stack.campaignId]);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  expect(new Set(calls.map(({ agent: { id } }) => id)).size).toBe(2);
});

test.each(Object.keys(open))("%s returns no workspace data", async (route) => {
  const { ours, theirs, api } = world;
  const [method = "", path = ""] = route.split(" ");
  const answer = await send(`${api.baseUrl}${path.replace("{code}", "agent_not_found")}`, { method });
  expect(answer.status).toBeLessThan(400);
  for (const { workspaceId, ownCampaignId, ownAgentEmail, apiKey } of [ours, theirs]) {
    for (const secret of [workspaceId, ownCampaignId, ownAgentEmail, apiKey]) expect(answer.text).not.toContain(secret);
  }
});
