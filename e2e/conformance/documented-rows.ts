import { randomUUID } from "node:crypto";
import { storeTranscript } from "../support/data/stored-transcripts.ts";
import { waitForCall } from "../support/http/call-details.ts";
import type { Answer } from "../support/http/http.ts";
import { callParts, importCall, uniqueEmail } from "../support/http/service.ts";
import { totpCode } from "../support/http/totp.ts";
import { cookieOf, createLink, createUser, type SignedInUser, signIn, testPassword } from "../support/http/users.ts";
import { makeWav } from "../support/recordings/sounds.ts";
import { engine } from "../support/stack/stack.ts";
import { planRows } from "./documented-plan-rows.ts";
import { reviewRows } from "./documented-review-rows.ts";
import { type RequestOverrides, type Row, row, type TestContext } from "./documented-row.ts";

/** Ids created by earlier rows. */
const created = {
  callId: "",
  lostId: "",
  transcriptId: "",
  holdId: "",
  erasureId: "",
  webhookId: "",
  userId: "",
  keyId: "",
  teamId: "",
  scorecardId: "",
  email: uniqueEmail(),
};
const call = () => ({ params: { id: created.callId } });
const webhook = () => ({ params: { id: created.webhookId } });
const user = () => ({ params: { id: created.userId } });
const scorecard = () => ({ params: { id: created.scorecardId } });
const team = () => ({ params: { id: created.teamId } });
const key = () => ({ params: { id: created.keyId } });
const correction = (transcriptId: string) => ({
  ...call(),
  body: { transcript_id: transcriptId, corrections: [{ turn: 0, word: 2, text: "Nguyen" }] },
});
const ranged = (range: string) => ({ headers: { range } });

const users: readonly Row[] = [
  row("inviteUser", 201, async ({ ask }) => {
    const body = { email: created.email, name: "Ann Lee", role: "agent", send_invite_email: false };
    const answer = await ask<{ id: string }>("inviteUser", { body });
    created.userId = answer.body.id;
    return answer;
  }),
  row("inviteUser", 409, ({ ask }) =>
    ask("inviteUser", { body: { email: created.email, name: "Ann Lee", role: "agent" } }),
  ),
];

const managing: readonly Row[] = [
  row("listUsers", 200, ({ ask }) => ask("listUsers")),
  row("getUser", 200, ({ ask }) => ask("getUser", user())),
  row("changeUser", 200, ({ ask }) => ask("changeUser", user())),
  row("createTeam", 201, async ({ ask }) => {
    const answer = await ask<{ id: string }>("createTeam");
    created.teamId = answer.body.id;
    return answer;
  }),
  row("createTeam", 409, ({ ask }) => ask("createTeam")),
  row("listTeams", 200, ({ ask }) => ask("listTeams")),
  row("changeTeam", 409, async ({ ask }) => {
    const { body } = await ask<{ id: string }>("createTeam", { body: { name: "Other" } });
    return ask("changeTeam", { params: { id: body.id }, body: { name: "Support Lyon" } });
  }),
  row("changeTeam", 200, ({ ask }) => ask("changeTeam", team())),
  row("deleteTeam", 204, ({ ask }) => ask("deleteTeam", team())),
  row("createScorecard", 201, async ({ ask }) => {
    const answer = await ask<{ id: string }>("createScorecard");
    created.scorecardId = answer.body.id;
    return answer;
  }),
  row("listScorecards", 200, ({ ask }) => ask("listScorecards")),
  row("saveScorecardDraft", 412, ({ ask }) =>
    ask("saveScorecardDraft", { ...scorecard(), headers: { "if-match": '"7"' } }),
  ),
  row("publishScorecard", 412, ({ ask }) =>
    ask("publishScorecard", { ...scorecard(), headers: { "if-match": '"7"' } }),
  ),
  row("discardScorecardDraft", 412, ({ ask }) =>
    ask("discardScorecardDraft", { ...scorecard(), headers: { "if-match": '"7"' } }),
  ),
  row("discardScorecardDraft", 422, ({ ask }) =>
    ask("discardScorecardDraft", { ...scorecard(), headers: { "if-match": "soon" } }),
  ),
  row("saveScorecardDraft", 200, ({ ask }) => ask("saveScorecardDraft", scorecard())),
  row("publishScorecard", 201, ({ ask }) => ask("publishScorecard", scorecard())),
  row("publishScorecard", 409, ({ ask }) => ask("publishScorecard", scorecard())),
  row("getScorecard", 200, ({ ask }) => ask("getScorecard", scorecard())),
  row("listScorecardVersions", 200, ({ ask }) => ask("listScorecardVersions", scorecard())),
  row("listTestCases", 200, ({ ask }) => ask("listTestCases", scorecard())),
  row("getScorecardVersion", 200, ({ ask }) =>
    ask("getScorecardVersion", { params: { id: created.scorecardId, version: "1" } }),
  ),
  row("changeScorecard", 200, ({ ask }) => ask("changeScorecard", { ...scorecard(), body: { campaign_ids: [] } })),
  row("publishScorecard", 422, async ({ ask }) => {
    await ask("saveScorecardDraft", { ...scorecard(), body: { document: {} } });
    return ask("publishScorecard", scorecard());
  }),
  row("discardScorecardDraft", 204, ({ ask }) => ask("discardScorecardDraft", scorecard())),
  row("createScorecard", 409, async ({ ask, stack }) => {
    await stack.adminDb.query(
      `insert into scorecard (workspace_id, id, name)
       select workspace_id, gen_random_uuid(), 'filler' from scorecard, generate_series(1, 1000) where id = $1`,
      [created.scorecardId],
    );
    return ask("createScorecard");
  }),
  row("createCampaign", 201, ({ ask }) => ask("createCampaign", { body: { id: "documented", name: "Documented" } })),
  row("createCampaign", 409, ({ ask }) => ask("createCampaign", { body: { id: "documented", name: "Documented" } })),
  row("listCampaigns", 200, ({ ask }) => ask("listCampaigns")),
  row("getCampaign", 200, ({ ask }) => ask("getCampaign", { params: { id: "documented" } })),
  row("changeCampaign", 200, ({ ask }) => ask("changeCampaign", { params: { id: "documented" } })),
  row("getWorkspace", 200, ({ ask }) => ask("getWorkspace")),
  row("changeWorkspace", 200, ({ ask }) => ask("changeWorkspace")),
  // No sign-in with a provider is in progress.
  row("changeWorkspace", 409, ({ ask }) => ask("changeWorkspace", { body: { settings: { password_sign_in: false } } })),
  row("createKey", 201, async ({ ask }) => {
    const answer = await ask<{ id: string }>("createKey");
    created.keyId = answer.body.id;
    return answer;
  }),
  row("listKeys", 200, ({ ask }) => ask("listKeys")),
  row("getKey", 200, ({ ask }) => ask("getKey", key())),
  row("changeKey", 200, ({ ask }) => ask("changeKey", key())),
  row("rotateKey", 201, ({ ask }) => ask("rotateKey", key())),
  row("rotateKey", 409, ({ ask }) => ask("rotateKey", key())),
  row("changeKey", 409, ({ ask }) => ask("changeKey", { ...key(), body: { expires_at: null } })),
  row("revokeKey", 204, ({ ask }) => ask("revokeKey", key())),
  row("revokeKey", 409, async ({ stack, ask }) => {
    const { id } = await stack.command<{ id: string }>("workspace", "create", "--name", "Small", "--json");
    const only = await stack.command<{ id: string; key: string }>(
      ...["key", "create", "--workspace", id, "--name", "only", "--scope", "manage", "--json"],
    );
    return ask("revokeKey", { params: { id: only.id }, apiKey: only.key });
  }),
];

/** A signed-in user, created on first use. */
let signedInAdmin: Promise<SignedInUser> | undefined;
const managed = ({ service }: TestContext) => ({ baseUrl: service.baseUrl, manageKey: service.apiKey });

/** Sends the request as a signed-in user, same-origin. */
async function asPerson(context: TestContext, operation: string, overrides: RequestOverrides = {}): Promise<Answer> {
  signedInAdmin ??= createUser(managed(context), "admin");
  const { cookie } = await signedInAdmin;
  const headers = { cookie, origin: context.service.baseUrl, ...overrides.headers };
  return context.ask(operation, { ...overrides, apiKey: null, headers });
}
/** Keys of every scope may call these, so only a session can be refused: by its origin or its role. */
const openToKeys = ["listCampaigns", "getCampaign", "getLimits"];
const crossSite = { headers: { "sec-fetch-site": "cross-site" } };
const tooLong = { headers: { "content-length": String(10 * 2 ** 30) } };
const elsewhere = { headers: { origin: "https://elsewhere.example" }, apiKey: null };
const unknownToken = { token: "A".repeat(43) };

/** Token of a setup link. */
const setupToken = async ({ stack }: TestContext) =>
  (await stack.command<{ link: string }>("setup", "--json")).link.split("#")[1] ?? "";

const sessions: readonly Row[] = [
  row("getSessionOptions", 200, ({ ask }) => ask("getSessionOptions", { apiKey: null })),
  ...[
    ...["signIn", "forgotPassword", "inspectLink", "redeemLink"],
    ...["finishSignIn", "beginPasskeySignIn", "signInByPasskey"],
  ].map((operation) => row(operation, 403, ({ ask }) => ask(operation, elsewhere))),
  row("signIn", 200, async (context) => {
    const { email } = await createUser(managed(context), "agent");
    return context.ask("signIn", { body: { email, password: testPassword }, apiKey: null });
  }),
  row("signIn", 409, async (context) => {
    const { email } = await createUser(managed(context), "agent");
    const { id } = await context.stack.command<{ id: string }>("workspace", "create", "--name", "Second", "--json");
    const { key: manageKey } = await context.stack.command<{ key: string }>(
      ...["key", "create", "--workspace", id, "--name", "second", "--scope", "manage", "--json"],
    );
    await createUser({ baseUrl: context.service.baseUrl, manageKey }, "agent", email);
    return signIn(context.service.baseUrl, email);
  }),
  ...openToKeys.map((operation) => row(operation, 403, (context) => asPerson(context, operation, crossSite))),
  row("getSession", 200, (context) => asPerson(context, "getSession")),
  row("changeSessionUser", 400, (context) => asPerson(context, "changeSessionUser", { body: "{" })),
  row("changeSessionUser", 413, (context) => asPerson(context, "changeSessionUser", tooLong)),
  row("changeSessionUser", 422, (context) => asPerson(context, "changeSessionUser", { body: { review_email: "no" } })),
  row("changeSessionUser", 200, (context) => asPerson(context, "changeSessionUser", { body: { review_email: false } })),
  row("listSessions", 200, (context) => asPerson(context, "listSessions")),
  row("listSessions", 422, (context) => asPerson(context, "listSessions", { query: "?limit=0" })),
  row("endSession", 404, (context) => asPerson(context, "endSession")),
  row("endSession", 204, async (context) => {
    const { sessionId } = await createUser(managed(context), "reviewer");
    return asPerson(context, "endSession", { params: { id: sessionId } });
  }),
  row("changePassword", 400, (context) => asPerson(context, "changePassword", { body: "{" })),
  row("changePassword", 413, (context) => asPerson(context, "changePassword", tooLong)),
  row("changePassword", 422, (context) => asPerson(context, "changePassword", { body: { new_password: "short" } })),
  row("confirmSession", 400, (context) => asPerson(context, "confirmSession", { body: "{" })),
  row("confirmSession", 413, (context) => asPerson(context, "confirmSession", tooLong)),
  row("confirmSession", 422, (context) => asPerson(context, "confirmSession", { body: { password: "wrong" } })),
  row("confirmSession", 204, (context) => asPerson(context, "confirmSession", { body: { password: testPassword } })),
  row("changePassword", 204, (context) =>
    asPerson(context, "changePassword", {
      body: { current_password: testPassword, new_password: `${testPassword}, new` },
    }),
  ),
  row("changeUser", 409, async (context) => {
    const { id } = await (signedInAdmin ?? createUser(managed(context), "admin"));
    return asPerson(context, "changeUser", { params: { id }, body: { role: "agent" } });
  }),
  row("requestErasure", 409, async (context) => {
    const { id } = await (signedInAdmin ?? createUser(managed(context), "admin"));
    return asPerson(context, "requestErasure", { body: { agent_id: id } });
  }),
  row("signOut", 204, (context) => asPerson(context, "signOut")),
  row("forgotPassword", 202, ({ ask }) => ask("forgotPassword", { apiKey: null })),
  row("sendInvitation", 200, async ({ ask }) => {
    await ask("changeUser", { ...user(), body: { deactivated: false } });
    return ask("sendInvitation", user());
  }),
  row("sendInvitation", 409, async ({ ask }) => {
    await ask("changeUser", { ...user(), body: { deactivated: true } });
    const answer = await ask("sendInvitation", user());
    await ask("changeUser", { ...user(), body: { deactivated: false } });
    return answer;
  }),
  row("unlinkProvider", 204, ({ ask }) => ask("unlinkProvider", user())),
  row("inspectLink", 404, ({ ask }) => ask("inspectLink", { body: unknownToken, apiKey: null })),
  row("inspectLink", 200, async (context) =>
    context.ask("inspectLink", { body: { token: await createLink(managed(context), created.userId) }, apiKey: null }),
  ),
  row("redeemLink", 404, ({ ask }) =>
    ask("redeemLink", { body: { ...unknownToken, password: testPassword }, apiKey: null }),
  ),
  row("redeemLink", 200, async (context) => {
    const first = { email: uniqueEmail("first"), name: "First", workspace_name: "Third", password: testPassword };
    return context.ask("redeemLink", { body: { ...first, token: await setupToken(context) }, apiKey: null });
  }),
];

/** A user with an authenticator app, created on first use. */
let enrolled: Promise<SignedInUser & { readonly secret: string; readonly headers: Record<string, string> }> | undefined;

async function enrol(context: TestContext) {
  const person = await createUser(managed(context), "agent");
  const headers = { cookie: person.cookie, origin: context.service.baseUrl };
  const { body } = await context.ask<{ secret: string }>("beginTotp", { apiKey: null, headers });
  return { ...person, secret: body.secret, headers };
}

const asEnrolled = async (context: TestContext, operation: string, overrides: RequestOverrides = {}) => {
  enrolled ??= enrol(context);
  return context.ask(operation, { ...overrides, apiKey: null, headers: (await enrolled).headers });
};

const twoStep: readonly Row[] = [
  row("getTwoStep", 200, (context) => asPerson(context, "getTwoStep")),
  row("beginTotp", 200, (context) => asPerson(context, "beginTotp")),
  ...["confirmTotp", "addPasskey"].flatMap((operation) => [
    row(operation, 400, (context) => asPerson(context, operation, { body: "{" })),
    row(operation, 413, (context) => asPerson(context, operation, tooLong)),
    row(operation, 422, (context) => asPerson(context, operation, { body: { code: 1, name: 1, credential: 1 } })),
  ]),
  row("createRecoveryCodes", 404, (context) => asPerson(context, "createRecoveryCodes")),
  row("confirmTotp", 200, async (context) => {
    enrolled ??= enrol(context);
    return asEnrolled(context, "confirmTotp", { body: { code: totpCode((await enrolled).secret) } });
  }),
  row("createRecoveryCodes", 200, (context) => asEnrolled(context, "createRecoveryCodes")),
  row("finishSignIn", 200, async (context) => {
    enrolled ??= enrol(context);
    const { email, secret } = await enrolled;
    const cookie = cookieOf(await signIn(context.service.baseUrl, email));
    const headers = { cookie, origin: context.service.baseUrl };
    return context.ask("finishSignIn", { apiKey: null, headers, body: { code: totpCode(secret, 1) } });
  }),
  row("redeemLink", 401, async (context) => {
    enrolled ??= enrol(context);
    const token = await createLink(managed(context), (await enrolled).id);
    return context.ask("redeemLink", { body: { token, password: testPassword }, apiKey: null });
  }),
  row("removeTotp", 204, (context) => asPerson(context, "removeTotp")),
  row("beginPasskey", 404, (context) => asPerson(context, "beginPasskey")),
  row("addPasskey", 404, (context) => asPerson(context, "addPasskey")),
  row("removePasskey", 404, (context) => asPerson(context, "removePasskey")),
  row("beginPasskeySignIn", 404, ({ ask }) => ask("beginPasskeySignIn", { apiKey: null })),
  row("getTwoStepCounts", 200, ({ ask }) => ask("getTwoStepCounts")),
  row("resetTwoStep", 204, ({ ask }) => ask("resetTwoStep", user())),
];

const sounds = ["getAudio", "getWaveform", "getSpeech"] as const;

const calls: readonly Row[] = [
  row("importCall", 200, async ({ service, ask }) => {
    const answer = await ask<{ id: string }>("importCall", {
      body: callParts(service, { file: makeWav({ channels: 2 }) }),
    });
    created.callId = answer.body.id;
    return answer;
  }),
  row("importCall", 404, ({ service, ask }) =>
    ask("importCall", { body: callParts(service, { agent_email: uniqueEmail() }) }),
  ),
  row("listCalls", 200, ({ ask }) => ask("listCalls")),
  row("lookUpCalls", 200, ({ ask }) => ask("lookUpCalls")),
  row("getCall", 200, ({ ask }) => ask("getCall", call())),
  row("prepareCall", 202, ({ ask }) => ask("prepareCall", call())),
  ...sounds.map((sound) => row(sound, 409, ({ ask }) => ask(sound, call()))),
  row("getAudio", 200, async ({ stack, service, ask }) => {
    created.lostId = (await importCall(service)).id;
    const worker = await stack.startWorker();
    for (const id of [created.callId, created.lostId]) await waitForCall(service, id);
    await worker.stop();
    return ask("getAudio", call());
  }),
  row("getAudio", 206, ({ ask }) => ask("getAudio", { ...call(), ...ranged("bytes=4-7") })),
  row("getAudio", 416, ({ ask }) => ask("getAudio", { ...call(), ...ranged("bytes=99999999-") })),
  row("getAudio", 302, async ({ stack, ask }) => {
    const api = await stack.startApi({ env: { PLAYBACK: "redirect" } });
    const answer = await ask("getAudio", { ...call(), baseUrl: api.baseUrl });
    await api.stop();
    return answer;
  }),
  row("getWaveform", 200, ({ ask }) => ask("getWaveform", call())),
  row("getWaveform", 206, ({ ask }) => ask("getWaveform", { ...call(), ...ranged("bytes=0-3") })),
  row("getWaveform", 416, ({ ask }) => ask("getWaveform", { ...call(), ...ranged("bytes=99999999-") })),
  row("getSpeech", 200, ({ ask }) => ask("getSpeech", call())),
  row("listTranscriptMatches", 200, ({ ask }) => ask("listTranscriptMatches", { ...call(), query: "?said=hello" })),
  row("listTranscriptMatches", 404, ({ ask }) => ask("listTranscriptMatches", { query: "?said=hello" })),
  row("prepareCall", 409, ({ ask }) => ask("prepareCall", call())),
  row("getAudio", 410, async ({ stack, ask }) => {
    await stack.adminDb.query("update call set playback_key = 'gone', drawing_key = 'gone' where id = $1", [
      created.lostId,
    ]);
    return ask("getAudio", { params: { id: created.lostId } });
  }),
  ...["getWaveform", "getSpeech"].map((sound) =>
    row(sound, 410, ({ ask }) => ask(sound, { params: { id: created.lostId } })),
  ),
  row("getTranscript", 200, async ({ stack, ask }) => {
    const of = { workspaceId: stack.workspaceId, callId: created.callId };
    created.transcriptId = (await storeTranscript(stack, { ...of, said: "Hello Mister Nguyn" })).id;
    return ask("getTranscript", call());
  }),
  row("correctTranscript", 200, ({ ask }) => ask("correctTranscript", correction(created.transcriptId))),
  row("correctTranscript", 409, ({ ask }) => ask("correctTranscript", correction(randomUUID()))),
  row("getTranscriptionUsage", 200, ({ ask }) => ask("getTranscriptionUsage")),
  // No engine is configured.
  row("transcribeCall", 409, ({ ask }) => ask("transcribeCall", call())),
  row("transcribeCall", 410, async ({ stack, ask }) => {
    await stack.adminDb.query("update call set original_erased_at = now() where id = $1", [created.callId]);
    const answer = await ask("transcribeCall", call());
    await stack.adminDb.query("update call set original_erased_at = null where id = $1", [created.callId]);
    return answer;
  }),
  row("transcribeCall", 202, async ({ stack, ask }) => {
    await stack.adminDb.query("update campaign set transcription_language = 'en' where workspace_id = $1", [
      stack.workspaceId,
    ]);
    await stack.adminDb.query("update workspace set settings = settings || '{\"transcription\": true}' where id = $1", [
      stack.workspaceId,
    ]);
    const api = await stack.startApi({ env: { TRANSCRIBER_URL: "http://127.0.0.1:9" } });
    const answer = await ask("transcribeCall", { ...call(), baseUrl: api.baseUrl });
    await api.stop();
    return answer;
  }),
  row("changeCall", 200, ({ ask }) => ask("changeCall", call())),
  row("listCallChanges", 200, ({ ask }) => ask("listCallChanges", call())),
];

const events: readonly Row[] = [
  row("listEvents", 200, ({ ask }) => ask("listEvents")),
  row("listEvents", 410, async ({ stack, ask }) => {
    const { body } = await ask<{ events: { id: string }[] }>("listEvents", { query: "?limit=1" });
    // Simulates that older events were purged.
    const { rowCount } = await stack.adminDb.query(
      `insert into event_removal (workspace_id, epoch, xid, seq)
       select workspace_id, epoch, xid, seq from event where workspace_id = $1 order by epoch desc, xid desc, seq desc limit 1`,
      [stack.workspaceId],
    );
    if (rowCount !== 1) throw new Error("no event to purge");
    return ask("listEvents", { query: `?cursor=${body.events[0]?.id}` });
  }),
];

const files: readonly Row[] = [
  row("getImportSummary", 200, ({ ask }) => ask("getImportSummary")),
  row("exportCalls", 200, ({ ask }) => ask("exportCalls", { query: "?format=csv" })),
  row("listAuditEntries", 200, ({ ask }) => ask("listAuditEntries")),
  row("exportAuditEntries", 200, ({ ask }) => ask("exportAuditEntries", { query: "?format=jsonl" })),
];

const unknownCall = { call_id: randomUUID() };
const erasure = () => ({ params: { id: created.erasureId } });

const privacy: readonly Row[] = [
  row("createHold", 201, async ({ ask }) => {
    const body = { call_id: created.callId, reason: "Case 2026-114" };
    const answer = await ask<{ id: string }>("createHold", { body });
    created.holdId = answer.body.id;
    return answer;
  }),
  row("createHold", 404, ({ ask }) => ask("createHold", { body: { ...unknownCall, reason: "Case 2026-114" } })),
  row("listHolds", 200, ({ ask }) => ask("listHolds")),
  row("eraseCall", 409, ({ ask }) => ask("eraseCall", call())),
  row("releaseHold", 204, ({ ask }) => ask("releaseHold", { params: { id: created.holdId } })),
  row("previewErasure", 200, ({ ask }) => ask("previewErasure")),
  row("previewErasure", 404, ({ ask }) => ask("previewErasure", { body: unknownCall })),
  row("requestErasure", 202, async ({ ask }) => {
    const answer = await ask<{ id: string }>("requestErasure");
    created.erasureId = answer.body.id;
    return answer;
  }),
  row("requestErasure", 404, ({ ask }) => ask("requestErasure", { body: unknownCall })),
  row("getErasureCertificate", 409, ({ ask }) => ask("getErasureCertificate", erasure())),
  row("getErasure", 200, ({ ask }) => ask("getErasure", erasure())),
  row("eraseCall", 204, ({ ask }) => ask("eraseCall", { params: { id: created.lostId } })),
  row("listErasures", 200, ({ ask }) => ask("listErasures")),
  row("getErasureCertificate", 200, async ({ ask }) => {
    const { body } = await ask<{ erasures: { id: string; state: string }[] }>("listErasures", { query: "?kind=call" });
    return ask("getErasureCertificate", { params: { id: body.erasures[0]?.id ?? "" } });
  }),
];

const mostWebhooks = 50;

const webhooks: readonly Row[] = [
  row("createWebhook", 201, async ({ ask }) => {
    const answer = await ask<{ id: string }>("createWebhook");
    created.webhookId = answer.body.id;
    return answer;
  }),
  row("getLimits", 200, ({ ask }) => ask("getLimits")),
  row("listWebhooks", 200, ({ ask }) => ask("listWebhooks")),
  row("getWebhook", 200, ({ ask }) => ask("getWebhook", webhook())),
  row("changeWebhook", 200, ({ ask }) => ask("changeWebhook", webhook())),
  row("rotateWebhookSecret", 200, ({ ask }) => ask("rotateWebhookSecret", webhook())),
  row("testWebhook", 202, ({ ask }) => ask("testWebhook", webhook())),
  row("listWebhookDeliveries", 200, ({ ask }) => ask("listWebhookDeliveries", webhook())),
  row("replayWebhook", 202, ({ ask }) => ask("replayWebhook", webhook())),
  row("testWebhook", 409, async ({ ask }) => {
    await ask("changeWebhook", { ...webhook(), body: { enabled: false } });
    return ask("testWebhook", webhook());
  }),
  row("replayWebhook", 409, ({ ask }) => ask("replayWebhook", webhook())),
  row("deleteWebhook", 204, ({ ask }) => ask("deleteWebhook", webhook())),
  row("createWebhook", 409, async ({ ask }) => {
    for (let count = 0; count < mostWebhooks; count++) await ask("createWebhook");
    return ask("createWebhook");
  }),
];

/** Rows specific to one operation. documented.test.ts provokes the statuses that many operations share. */
export const rows: readonly Row[] = [
  ...users,
  ...managing,
  ...twoStep,
  ...sessions,
  ...calls,
  ...reviewRows(() => created.scorecardId),
  ...planRows(() => created.scorecardId),
  ...events,
  ...files,
  ...privacy,
  ...webhooks,
].filter(({ operation, status }) => !(`${operation} ${status}` in unprovokable()));

/** Documented statuses that these tests cannot provoke, with the reason. */
export function unprovokable(): Readonly<Record<string, string>> {
  const pending = "needs a sign-in whose second step is pending: server/src/access/two-step/routes.test.ts";
  const passkeys = "needs a host name and an authenticator: e2e/console/two-step.test.ts";
  const required = "needs a workspace that requires two-step verification: server/src/access/two-step/routes.test.ts";
  return {
    ...(engine === "filesystem" && { "getAudio 302": "a folder has no addresses to link to" }),
    "finishSignIn 500": pending,
    "finishSignIn 503": pending,
    "beginPasskeySignIn 200": passkeys,
    "beginPasskeySignIn 500": passkeys,
    "beginPasskeySignIn 503": passkeys,
    "signInByPasskey 200": passkeys,
    "signInByPasskey 500": passkeys,
    "signInByPasskey 503": passkeys,
    "beginPasskey 200": passkeys,
    "addPasskey 201": passkeys,
    "addPasskey 409": passkeys,
    "removePasskey 204": passkeys,
    "removePasskey 409": required,
    "removeTotp 409": required,
  };
}
