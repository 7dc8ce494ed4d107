import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { expect, test } from "vitest";
import { type Client, createClient } from "./index.ts";
import { httpServer } from "./testing/local-server.ts";
import type { PlanInput } from "./wire.ts";

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}
interface Parameter {
  readonly name: string;
  readonly in: string;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}
interface Documented {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}
const documented = JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8")) as Documented;
const operations = Object.entries(documented.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
);

const id = "0190f3c2-7a55-7f0e-9d8e-0c8f5c3f8a11";
const at = new Date("2026-11-15T08:00:00Z");
const aPlan: PlanInput = {
  name: "Weekly",
  scorecard_id: id,
  per_agent: 3,
  period: "week",
  time_zone: "Europe/Paris",
  reviewers: [{ user_id: id, capacity: 40 }],
};
const first = async <Item>(items: AsyncIterable<Item>) => {
  for await (const item of items) return item;
};

const ownScores = { from: "2026-11-02", to: "2026-11-15", scorecardId: id } as const;
const scores = { ...ownScores, campaignId: "c", teamId: id };
const drawn = { selection: "drawn" } as const;

/** Calls every operation with all of its arguments. */
const methods: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  inviteUser: (c) => c.users.invite({ email: "a@b.c", name: "Ann", role: "agent", sendInviteEmail: false }),
  listUsers: (c) =>
    first(
      c.users.list({ email: "a@b.c", search: "a", role: "agent", status: "active", teamId: id, limit: 5, cursor: id }),
    ),
  getUser: (c) => c.users.find(id),
  changeUser: (c) =>
    c.users.change(id, { name: "Ann", role: "admin", deactivated: true, teamId: null, listensToOriginals: true }),
  listCampaigns: (c) => first(c.campaigns.list({ archived: "all", limit: 5, cursor: "c" })),
  createCampaign: (c) =>
    c.campaigns.create({
      id: "c",
      name: "C",
      agentChannel: "left",
      transcriptionLanguage: "en",
      masking: "text",
      eraseMaskedOriginals: false,
    }),
  getCampaign: (c) => c.campaigns.find("c"),
  changeCampaign: (c) =>
    c.campaigns.change("c", {
      name: "C",
      agentChannel: "left",
      retentionDays: null,
      transcriptionLanguage: "fr",
      masking: "text_and_sound",
      eraseMaskedOriginals: false,
      archived: true,
    }),
  listCalls: (c) =>
    first(
      c.calls.search({
        campaign: ["a", "b"],
        agent: "a@b.c",
        from: at,
        to: at,
        importedFrom: at,
        importedTo: at,
        status: ["ready"],
        minDuration: 1.5,
        maxDuration: 9,
        metadata: { site: ["Lyon", "Paris"], "a b": "c" },
        limit: 5,
        cursor: id,
        count: "estimate",
      }),
    ),
  lookUpCalls: (c) => c.calls.lookUp([]),
  getCall: (c) => c.calls.find(id),
  eraseCall: (c) => c.calls.erase(id),
  changeCall: (c) =>
    c.calls.change(id, {
      agentEmail: "a@b.c",
      agentId: id,
      agentChannel: null,
      metadata: { remove: [{ key: "site" }], add: { site: "Lyon" } },
    }),
  prepareCall: (c) => c.calls.prepare(id),
  getAudio: (c) => c.calls.audio(id, { original: true }),
  getWaveform: (c) => c.calls.waveform(id),
  getSpeech: (c) => c.calls.speech(id),
  listTranscriptMatches: (c) => c.transcripts.matches(id, { said: "a", saidBy: "agent", limit: 5 }),
  previewErasure: (c) => c.erasures.preview({ metadata: { key: "k", value: "v" } }),
  requestErasure: (c) => c.erasures.request({ callId: id }),
  listErasures: (c) => first(c.erasures.list({ kind: "agent", limit: 5, cursor: id })),
  getErasure: (c) => c.erasures.find(id),
  getErasureCertificate: (c) => c.erasures.certificate(id),
  createHold: (c) => c.holds.create({ campaignId: "c", reason: "Case 1" }),
  listHolds: (c) => first(c.holds.list({ state: "all", limit: 5, cursor: id })),
  releaseHold: (c) => c.holds.release(id),
  listCallChanges: (c) => first(c.calls.changes(id, { limit: 5, cursor: 7 })),
  exportCalls: (c) =>
    c.calls.export({
      format: "csv",
      campaign: "a",
      metadataColumns: ["a", "b"],
      bom: true,
      separator: "semicolon",
      transcripts: true,
    }),
  listAuditEntries: (c) =>
    first(
      c.audit.list({ action: ["call.erased"], subject: "call:1", actor: id, from: at, to: at, before: 9, limit: 5 }),
    ),
  exportAuditEntries: (c) => c.audit.export({ format: "jsonl", after: 0, bom: false, separator: "comma" }),
  listEvents: (c) => c.events.page({ cursor: "latest", limit: 5, type: ["call.ready", "call.failed"] }),
  getTranscript: (c) => c.transcripts.download(id, { format: "vtt" }),
  correctTranscript: (c) =>
    c.transcripts.correct(id, { transcriptId: id, corrections: [{ turn: 0, word: 1, text: "Nguyen" }] }),
  transcribeCall: (c) => c.transcripts.request(id),
  getTranscriptionUsage: (c) => c.transcripts.usage({ days: 7 }),
  listNotes: (c) => c.callNotes.list(id),
  createNote: (c) => c.callNotes.create(id, { positionMs: 1_000, text: "T" }),
  changeNote: (c) => c.callNotes.change(id, id, { positionMs: 1_000, text: "T" }),
  deleteNote: (c) => c.callNotes.delete(id, id),
  listReviews: (c) =>
    first(
      c.reviews.list({
        callId: id,
        agentId: id,
        reviewerId: id,
        scorecardId: id,
        campaignId: "c",
        teamId: id,
        state: "released",
        outcome: "passed",
        selection: "drawn",
        failedQuestion: "greeting",
        calledFrom: "2026-11-02",
        calledTo: "2026-11-15",
        disputed: true,
        from: at,
        to: at,
        limit: 5,
        cursor: id,
      }),
    ),
  exportReviews: (c) => c.reviews.export({ format: "csv", rows: "answers", bom: true, separator: "comma", callId: id }),
  getReview: (c) => c.reviews.find(id),
  startReview: (c) => c.reviews.start({ callId: id, scorecardId: id, calibrationId: id }),
  saveAnswer: (c) =>
    c.reviews.saveAnswer(
      id,
      "greeting",
      { value: "yes", not_applicable: true, comment: "C", moments: [{ start_ms: 0, end_ms: 1 }] },
      { ifMatch: 4 },
    ),
  changeReview: (c) => c.reviews.changeDraft(id, { comment: "C", activeMs: 5, ifMatch: 4 }),
  discardReview: (c) => c.reviews.discard(id),
  submitReview: (c) => c.reviews.submit(id, { ifMatch: 4 }),
  reopenReview: (c) => c.reviews.reopen(id),
  releaseReviews: (c) => c.reviews.releaseMany([id]),
  releaseReview: (c) => c.reviews.release(id),
  correctReview: (c) => c.reviews.correct(id, { answers: {}, reason: "R" }),
  voidReview: (c) => c.reviews.void(id, "R"),
  acknowledgeReview: (c) => c.reviews.acknowledge(id, "N"),
  getWaiting: (c) => c.reviews.waiting(),
  startWhatIf: (c) => c.whatIfs.start(id, { from: at, to: at, document: {}, ifMatch: 4 }),
  listWhatIfs: (c) => first(c.whatIfs.list(id, { limit: 5, cursor: id })),
  getWhatIf: (c) => c.whatIfs.find(id),
  cancelWhatIf: (c) => c.whatIfs.cancel(id),
  listPlans: (c) => first(c.plans.list({ ended: true, limit: 5, cursor: id })),
  getPlan: (c) => c.plans.find(id),
  createPlan: (c) => c.plans.create(aPlan),
  previewPlan: (c) => c.plans.preview(aPlan),
  changePlan: (c) => c.plans.change(id, { per_agent: 4 }),
  listDraws: (c) => first(c.draws.list({ planId: id, limit: 5, cursor: id })),
  getDraw: (c) => c.draws.find(id),
  setDrawNonce: (c) => c.draws.setNonce(id, "4 8 15"),
  getDrawProof: (c) => c.draws.proof(id, { agentId: id }),
  listDrawReviewers: (c) => c.draws.reviewers(id),
  listAssignments: (c) =>
    first(c.assignments.list({ drawId: id, reviewerId: "none", state: "done", limit: 5, cursor: id })),
  getQueue: (c) => c.assignments.queue(),
  skipAssignment: (c) => c.assignments.skip(id, { reason: "other", note: "N" }),
  handBackAssignment: (c) => c.assignments.handBack(id),
  reassign: (c) => c.assignments.reassign(id, id),
  getScoresOverview: (c) => c.scores.overview({ ...scores, ...drawn }),
  getCoverage: (c) => c.scores.coverage(ownScores),
  listAgentScores: (c) => first(c.scores.agents({ ...scores, ...drawn, limit: 5, cursor: id })),
  listReviewerScores: (c) => first(c.scores.reviewers({ ...scores, limit: 5, cursor: id })),
  getOwnScores: (c) => c.scores.mine({ ...ownScores, ...drawn }),
  openDispute: (c) => c.disputes.open(id, [{ question_id: "q", proposed: { value: "yes" }, reason: "R" }]),
  listDisputes: (c) => first(c.disputes.list({ state: "open", mine: true, reviewId: id, limit: 5, cursor: id })),
  listTestCases: (c) => c.scorecards.testCases(id),
  getDispute: (c) => c.disputes.find(id),
  changeDispute: (c) => c.disputes.assign(id, id),
  resolveDispute: (c) => c.disputes.resolve(id, [{ question_id: "q", decision: "upheld", explanation: "E" }]),
  listCalibrations: (c) => first(c.calibrations.list({ state: "open", limit: 5, cursor: id })),
  getCalibration: (c) => c.calibrations.find(id),
  createCalibration: (c) =>
    c.calibrations.create({
      name: "N",
      scorecardId: id,
      callIds: [id],
      participantIds: [id],
      dueAt: at,
      expertId: id,
    }),
  changeCalibration: (c) =>
    c.calibrations.change(id, {
      ...{ name: "N", dueAt: null, expertId: null },
      ...{ addCallIds: [id], removeCallIds: [id], addParticipantIds: [id], removeParticipantIds: [id] },
    }),
  closeCalibration: (c) => c.calibrations.close(id),
  deleteCalibration: (c) => c.calibrations.delete(id),
  getCalibrationResults: (c) => c.calibrations.results(id),
  getCalibrationAnswers: (c) => c.calibrations.answers(id, "greeting"),
  decideCalibration: (c) => c.calibrations.decide(id, "greeting", { text: "T", apply: true }),
  getAgreement: (c) => c.calibrations.agreement({ scorecardId: id, from: at, to: at }),
  listScorecards: (c) => first(c.scorecards.list({ retired: true, campaignId: "c", limit: 5, cursor: id })),
  createScorecard: (c) =>
    c.scorecards.create({ template: "sales", language: "fr", document: {}, name: "N", campaignIds: ["c"] }),
  getScorecard: (c) => c.scorecards.find(id),
  changeScorecard: (c) => c.scorecards.change(id, { campaignIds: [], arbiterIds: [id], retired: true }),
  saveScorecardDraft: (c) => c.scorecards.saveDraft(id, { name: "N" }, { ifMatch: 4 }),
  discardScorecardDraft: (c) => c.scorecards.discardDraft(id, { ifMatch: 4 }),
  publishScorecard: (c) => c.scorecards.publish(id, { ifMatch: 4 }),
  listScorecardVersions: (c) => c.scorecards.versionsPage(id, { limit: 5, cursor: 3 }),
  getScorecardVersion: (c) => c.scorecards.version(id, 3),
  listTeams: (c) => c.teams.list(),
  createTeam: (c) => c.teams.create({ name: "T" }),
  changeTeam: (c) => c.teams.rename(id, { name: "T" }),
  deleteTeam: (c) => c.teams.delete(id),
  createWebhook: (c) => c.webhooks.create({ url: "https://x.y", description: "D", types: ["call.ready"] }),
  listWebhooks: (c) => c.webhooks.list(),
  getWebhook: (c) => c.webhooks.find(id),
  changeWebhook: (c) => c.webhooks.change(id, { url: "https://x.y", description: "D", types: [], enabled: false }),
  deleteWebhook: (c) => c.webhooks.delete(id),
  rotateWebhookSecret: (c) => c.webhooks.rotateSecret(id, { overlapHours: 1 }),
  testWebhook: (c) => c.webhooks.test(id),
  listWebhookDeliveries: (c) => first(c.webhooks.deliveries(id, { state: "failed", limit: 5, cursor: id })),
  replayWebhook: (c) => c.webhooks.replay(id, { eventId: "e", from: at, to: at, after: "a", until: "b" }),
  listKeys: (c) => first(c.keys.list({ limit: 5, cursor: id })),
  createKey: (c) => c.keys.create({ name: "K", scopes: ["read"], campaignIds: ["c"], expiresAt: at }),
  getKey: (c) => c.keys.find(id),
  changeKey: (c) => c.keys.change(id, { name: "K", expiresAt: null }),
  revokeKey: (c) => c.keys.revoke(id),
  rotateKey: (c) => c.keys.rotate(id, { overlapHours: 1, expiresAt: at }),
  getWorkspace: (c) => c.workspace.find(),
  changeWorkspace: (c) => c.workspace.change({ name: "W", settings: { timeZone: "Europe/Paris", twoStep: "all" } }),
  getImportSummary: (c) => c.imports.summary({ days: 7, timeZone: "Europe/Paris" }),
  getLimits: (c) => c.limits.find(),
  getSessionOptions: (c) => c.session.options(),
  signIn: (c) => c.session.signIn({ email: "a@b.c", password: "p", workspaceId: id }),
  getSession: (c) => c.session.find(),
  changeSessionUser: (c) => c.session.change({ reviewEmail: false }),
  signOut: (c) => c.session.signOut(),
  confirmSession: (c) => c.session.confirm({ password: "p" }),
  changePassword: (c) => c.session.changePassword({ currentPassword: "p", newPassword: "q" }),
  forgotPassword: (c) => c.session.forgotPassword({ email: "a@b.c" }),
  inspectLink: (c) => c.session.inspectLink("t"),
  redeemLink: (c) => c.session.redeemLink({ token: "t", password: "p", name: "A", email: "a@b.c", workspaceName: "W" }),
  listSessions: (c) => first(c.session.list({ userId: id, limit: 5, cursor: id })),
  endSession: (c) => c.session.end(id),
  unlinkProvider: (c) => c.users.unlinkProvider(id),
  finishSignIn: (c) => c.session.secondStep({ code: "123456", recoveryCode: "A" }),
  beginPasskeySignIn: (c) => c.session.beginPasskeySignIn(),
  signInByPasskey: (c) => c.session.signInByPasskey({}),
  getTwoStep: (c) => c.twoStep.find(),
  beginTotp: (c) => c.twoStep.beginTotp(),
  confirmTotp: (c) => c.twoStep.confirmTotp("123456"),
  removeTotp: (c) => c.twoStep.removeTotp(),
  beginPasskey: (c) => c.twoStep.beginPasskey(),
  addPasskey: (c) => c.twoStep.addPasskey("Phone", {}),
  removePasskey: (c) => c.twoStep.removePasskey(id),
  createRecoveryCodes: (c) => c.twoStep.createRecoveryCodes(),
  getTwoStepCounts: (c) => c.workspace.countWithoutTwoStep(),
  resetTwoStep: (c) => c.users.resetTwoStep(id),
  sendInvitation: (c) => c.users.sendInvitation(id, { byMail: false }),
  importCall: (c) =>
    c.calls.import({
      file: new Uint8Array(1),
      campaignId: "c",
      agentEmail: "a@b.c",
      happenedAt: at,
      dryRun: true,
    }),
};

const schemaOf = (schema: Schema): Schema =>
  schema.$ref ? schemaOf(documented.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}) : schema;

const parameterOf = (parameter: Parameter | { readonly $ref: string }) =>
  "$ref" in parameter ? documented.components.parameters[parameter.$ref.split("/").at(-1) ?? ""] : parameter;

/** Runs the method against a server that returns an empty page of everything. Returns the received request. */
async function capture(method: (client: Client) => Promise<unknown>) {
  const requests: { method: string; url: URL; body: string; key: unknown }[] = [];
  const lists = [
    "users",
    "scorecards",
    "campaigns",
    "calls",
    "erasures",
    "holds",
    "changes",
    "entries",
    "events",
    "webhooks",
    "keys",
    "sessions",
    "reviews",
    "disputes",
    "plans",
    "draws",
    "assignments",
    "calibrations",
    "what_ifs",
    "agents",
    "reviewers",
  ];
  const call = { id, agent: {}, recording: {} };
  const empty = JSON.stringify({
    ...call,
    next: null,
    deliveries: [],
    ...Object.fromEntries(lists.map((name) => [name, []])),
  });
  await using server = await httpServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const url = new URL(request.url ?? "", "http://service");
    requests.push({ method: request.method ?? "", url, body, key: request.headers["x-api-key"] });
    response.end(empty);
  });
  const client = createClient({ baseUrl: `${server.baseUrl}/`, apiKey: "key", retries: { attempts: 1 } });
  await method(client);
  client.close();
  const [request] = requests;
  if (!request || requests.length > 1) throw new Error(`received ${requests.length} requests`);
  return request;
}

test("the client covers exactly the documented operations", () => {
  expect(Object.keys(methods).sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
});

test.each(operations.map((operation) => [operation.operationId, operation] as const))("%s", async (name, operation) => {
  const method = methods[name];
  if (!method) throw new Error("the client lacks this method");
  const request = await capture(method);
  const path = operation.path
    .replace("{id}", operation.path.startsWith("/campaigns") ? "c" : id)
    .replace("{version}", "3")
    .replace("{question}", "greeting")
    .replace("{note}", id);
  expect(`${request.method} ${request.url.pathname}`).toBe(`${operation.method} ${path}`);
  expect(request.key).toBe("key");

  const names = (operation.parameters ?? [])
    .map(parameterOf)
    .flatMap((parameter) => (parameter?.in === "query" ? [parameter.name] : []));
  expect(names).toEqual(expect.arrayContaining([...request.url.searchParams.keys()].map((key) => key.split("[")[0])));

  const schema = operation.requestBody?.content["application/json"]?.schema;
  if (!schema) return;
  const { properties = {}, required = [] } = schemaOf(schema);
  const sent = Object.keys(JSON.parse(request.body));
  expect(Object.keys(properties)).toEqual(expect.arrayContaining(sent));
  expect(sent).toEqual(expect.arrayContaining([...required]));
});

test("encodes a search as query parameters", async () => {
  const { url } = await capture(methods.listCalls ?? (async () => {}));
  expect([...url.searchParams]).toEqual([
    ["campaign", "a"],
    ["campaign", "b"],
    ["agent", "a@b.c"],
    ["from", "2026-11-15T08:00:00.000Z"],
    ["to", "2026-11-15T08:00:00.000Z"],
    ["imported_from", "2026-11-15T08:00:00.000Z"],
    ["imported_to", "2026-11-15T08:00:00.000Z"],
    ["status", "ready"],
    ["min_duration", "1.5"],
    ["max_duration", "9"],
    ["metadata[site]", "Lyon"],
    ["metadata[site]", "Paris"],
    ["metadata[a b]", "c"],
    ["limit", "5"],
    ["cursor", id],
    ["count", "estimate"],
  ]);
});

test("encodes a change as a JSON body", async () => {
  const { body } = await capture(methods.changeCall ?? (async () => {}));
  expect(JSON.parse(body)).toEqual({
    agent_email: "a@b.c",
    agent_id: id,
    agent_channel: null,
    metadata: { remove: [{ key: "site" }], add: [{ key: "site", value: "Lyon" }] },
  });
});

test("iterates over all pages, including empty ones", async () => {
  const pages = [
    { calls: [{ id: "1" }, { id: "2" }], next: "a" },
    { calls: [], next: "b" },
    { calls: [{ id: "3" }], next: null },
  ];
  const asked: string[] = [];
  await using server = await httpServer((request, response) => {
    asked.push(request.url ?? "");
    response.end(JSON.stringify(pages[asked.length - 1]));
  });
  const client = createClient({ baseUrl: server.baseUrl, apiKey: "key" });
  const ids: string[] = [];
  for await (const call of client.calls.search({ campaign: "c", limit: 2 })) ids.push(call.id);
  expect(ids).toEqual(["1", "2", "3"]);
  expect(asked).toEqual([
    "/calls?campaign=c&limit=2",
    "/calls?campaign=c&limit=2&cursor=a",
    "/calls?campaign=c&limit=2&cursor=b",
  ]);
});

test("follows events until the signal is aborted", async () => {
  const stop = new AbortController();
  const pages = [
    { events: [{ id: "1" }, { id: "2" }], next: "2", more: true },
    { events: [], next: null, more: false },
    { events: [{ id: "3" }], next: "3", more: false },
  ];
  const asked: string[] = [];
  await using server = await httpServer((request, response) => {
    asked.push(request.url ?? "");
    response.end(JSON.stringify(pages[asked.length - 1]));
  });
  const client = createClient({ baseUrl: server.baseUrl, apiKey: "key" });
  const ids: string[] = [];
  for await (const event of client.events.follow({ type: "call.ready", pollIntervalMs: 5, signal: stop.signal })) {
    ids.push(event.id);
    if (event.id === "3") stop.abort();
  }
  expect(ids).toEqual(["1", "2", "3"]);
  expect(asked).toEqual([
    "/events?type=call.ready",
    "/events?type=call.ready&cursor=2",
    "/events?type=call.ready&cursor=2",
  ]);
});

test("following from latest does not miss the first event of a new workspace", async () => {
  const pages = [
    { events: [], next: null, more: false },
    { events: [{ id: "1" }], next: "1", more: false },
  ];
  const asked: string[] = [];
  await using server = await httpServer((request, response) => {
    asked.push(request.url ?? "");
    response.end(JSON.stringify(pages[asked.length - 1]));
  });
  const client = createClient({ baseUrl: server.baseUrl, apiKey: "key" });
  for await (const { id } of client.events.follow({ cursor: "latest", pollIntervalMs: 5 })) {
    expect(id).toBe("1");
    break;
  }
  expect(asked).toEqual(["/events?cursor=latest", "/events"]);
});

test("follows a redirect to the recording without sending the API key there", async () => {
  let sentKey: unknown = "unset";
  const store = createServer((request, response) => {
    sentKey = request.headers["x-api-key"];
    response.setHeader("content-type", "audio/mp4").end("sound");
  });
  await new Promise<void>((resolve) => store.listen(0, "127.0.0.1", resolve));
  const { port } = store.address() as { port: number };
  await using server = await httpServer((_, response) => {
    response.writeHead(302, { location: `http://127.0.0.1:${port}/signed` }).end();
  });
  const client = createClient({ baseUrl: server.baseUrl, apiKey: "key" });
  const { body, mediaType, bytes } = await client.calls.audio(id);
  expect([await new Response(body).text(), mediaType, bytes, sentKey]).toEqual(["sound", "audio/mp4", 5, undefined]);
  await expect(client.limits.find()).rejects.toMatchObject({ status: 302, message: expect.stringMatching(/signed/) });
  store.close();
});

const lookUp = (c: Client, count: number) =>
  c.calls.lookUp(
    Array.from({ length: count }, () => ({
      sha256: "0",
      conversation_timestamp: 1,
      agent_email: "a@b.c",
      campaign_id: "c",
    })),
  );
test.each<[string, string, (client: Client) => Promise<unknown>]>([
  ["an import with the response {}", "{}", methods.importCall ?? (async () => {})],
  ["an import with the response null", "null", methods.importCall ?? (async () => {})],
  ["a look-up with the response {}", "{}", (c) => lookUp(c, 1)],
  ["a look-up with too few results", '{"calls":[{}]}', (c) => lookUp(c, 2)],
  ["a look-up with a null result", '{"calls":[null]}', (c) => lookUp(c, 1)],
  ["an invitation with the response {}", "{}", methods.inviteUser ?? (async () => {})],
  ["a list with the response {}", "{}", methods.listUsers ?? (async () => {})],
  ["a GET with the response true", "true", methods.getLimits ?? (async () => {})],
])("%s fails with not_understood", async (_, body, method) => {
  await using server = await httpServer((request, response) => request.resume().on("end", () => response.end(body)));
  const client = createClient({ baseUrl: server.baseUrl, apiKey: "key", retries: { attempts: 1 } });
  await expect(method(client)).rejects.toMatchObject({ name: "ServiceError", code: "not_understood", status: 200 });
  client.close();
});
