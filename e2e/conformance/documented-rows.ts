import { randomUUID } from "node:crypto";
import type { Answer } from "../support/http.ts";
import { aLink, aPassword, aPerson, type Person, signIn } from "../support/people.ts";
import { settled } from "../support/prepared.ts";
import { anEmail, callParts, importCall, type Service } from "../support/service.ts";
import { aWav } from "../support/sounds.ts";
import { engine, type Stack } from "../support/stack.ts";

/** What a request has beside what its operation says: all of it may be left out. */
export interface Asking {
  /** The values of the path's parameters; random ones if absent. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** A JSON body instead of the documented example, or the parts of a form. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Another key than the one that may everything; null: none. */
  readonly apiKey?: string | null;
  readonly baseUrl?: string;
}

/** A running service, a key for everything, and a way to ask for any documented operation by its id. */
export interface World {
  readonly stack: Stack;
  readonly service: Service;
  ask<Body = unknown>(operation: string, asking?: Asking): Promise<Answer<Body>>;
}

/** How a documented status is brought about. Rows run in their order: what one makes, a later one can use. */
export interface Row {
  readonly operation: string;
  readonly status: number;
  readonly provoke: (world: World) => Promise<Answer>;
}

const row = (operation: string, status: number, provoke: Row["provoke"]): Row => ({ operation, status, provoke });

/** What the rows have made so far. */
const made = {
  callId: "",
  lostId: "",
  holdId: "",
  erasureId: "",
  webhookId: "",
  userId: "",
  keyId: "",
  email: anEmail(),
};
const call = () => ({ params: { id: made.callId } });
const webhook = () => ({ params: { id: made.webhookId } });
const user = () => ({ params: { id: made.userId } });
const key = () => ({ params: { id: made.keyId } });
const ranged = (range: string) => ({ headers: { range } });

const users: readonly Row[] = [
  row("inviteUser", 201, async ({ ask }) => {
    const body = { email: made.email, name: "Ann Lee", role: "agent", send_invite_email: false };
    const answer = await ask<{ id: string }>("inviteUser", { body });
    made.userId = answer.body.id;
    return answer;
  }),
  row("inviteUser", 409, ({ ask }) =>
    ask("inviteUser", { body: { email: made.email, name: "Ann Lee", role: "agent" } }),
  ),
];

const managing: readonly Row[] = [
  row("listUsers", 200, ({ ask }) => ask("listUsers")),
  row("findUser", 200, ({ ask }) => ask("findUser", user())),
  row("changeUser", 200, ({ ask }) => ask("changeUser", user())),
  row("createCampaign", 201, ({ ask }) => ask("createCampaign", { body: { id: "documented", name: "Documented" } })),
  row("createCampaign", 409, ({ ask }) => ask("createCampaign", { body: { id: "documented", name: "Documented" } })),
  row("listCampaigns", 200, ({ ask }) => ask("listCampaigns")),
  row("findCampaign", 200, ({ ask }) => ask("findCampaign", { params: { id: "documented" } })),
  row("changeCampaign", 200, ({ ask }) => ask("changeCampaign", { params: { id: "documented" } })),
  row("findWorkspace", 200, ({ ask }) => ask("findWorkspace")),
  row("changeWorkspace", 200, ({ ask }) => ask("changeWorkspace")),
  row("createKey", 201, async ({ ask }) => {
    const answer = await ask<{ id: string }>("createKey");
    made.keyId = answer.body.id;
    return answer;
  }),
  row("listKeys", 200, ({ ask }) => ask("listKeys")),
  row("findKey", 200, ({ ask }) => ask("findKey", key())),
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

/** Somebody who is signed in, made when they are first needed. */
let somebody: Promise<Person> | undefined;
const managed = ({ service }: World) => ({ baseUrl: service.baseUrl, manageKey: service.apiKey });

/** Asks as somebody who is signed in, on a page of the service. */
async function asPerson(world: World, operation: string, asking: Asking = {}): Promise<Answer> {
  somebody ??= aPerson(managed(world), "admin");
  const { cookie } = await somebody;
  const headers = { cookie, origin: world.service.baseUrl, ...asking.headers };
  return world.ask(operation, { ...asking, apiKey: null, headers });
}
const tooLong = { headers: { "content-length": String(10 * 2 ** 30) } };
const elsewhere = { headers: { origin: "https://elsewhere.example" }, apiKey: null };
const unknownToken = { token: "A".repeat(43) };

/** A link by which a workspace and its first administrator are made. */
const setupToken = async ({ stack }: World) =>
  (await stack.command<{ link: string }>("setup", "--json")).link.split("#")[1] ?? "";

const sessions: readonly Row[] = [
  row("getSessionOptions", 200, ({ ask }) => ask("getSessionOptions", { apiKey: null })),
  ...["signIn", "forgotPassword", "lookAtLink", "useLink"].map((operation) =>
    row(operation, 403, ({ ask }) => ask(operation, elsewhere)),
  ),
  row("signIn", 200, async (world) => {
    const { email } = await aPerson(managed(world), "agent");
    return world.ask("signIn", { body: { email, password: aPassword }, apiKey: null });
  }),
  row("signIn", 409, async (world) => {
    const { email } = await aPerson(managed(world), "agent");
    const { id } = await world.stack.command<{ id: string }>("workspace", "create", "--name", "Second", "--json");
    const { key: manageKey } = await world.stack.command<{ key: string }>(
      ...["key", "create", "--workspace", id, "--name", "second", "--scope", "manage", "--json"],
    );
    await aPerson({ baseUrl: world.service.baseUrl, manageKey }, "agent", email);
    return signIn(world.service.baseUrl, email);
  }),
  row("getSession", 200, (world) => asPerson(world, "getSession")),
  row("listSessions", 200, (world) => asPerson(world, "listSessions")),
  row("listSessions", 422, (world) => asPerson(world, "listSessions", { query: "?limit=0" })),
  row("endSession", 404, (world) => asPerson(world, "endSession")),
  row("endSession", 204, async (world) => {
    const { sessionId } = await aPerson(managed(world), "reviewer");
    return asPerson(world, "endSession", { params: { id: sessionId } });
  }),
  row("changePassword", 400, (world) => asPerson(world, "changePassword", { body: "{" })),
  row("changePassword", 413, (world) => asPerson(world, "changePassword", tooLong)),
  row("changePassword", 422, (world) => asPerson(world, "changePassword", { body: { new_password: "short" } })),
  row("changePassword", 204, (world) =>
    asPerson(world, "changePassword", { body: { current_password: aPassword, new_password: `${aPassword}, new` } }),
  ),
  row("changeUser", 409, async (world) => {
    const { id } = await (somebody ?? aPerson(managed(world), "admin"));
    return asPerson(world, "changeUser", { params: { id }, body: { role: "agent" } });
  }),
  row("requestErasure", 409, async (world) => {
    const { id } = await (somebody ?? aPerson(managed(world), "admin"));
    return asPerson(world, "requestErasure", { body: { agent_id: id } });
  }),
  row("signOut", 204, (world) => asPerson(world, "signOut")),
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
  row("lookAtLink", 404, ({ ask }) => ask("lookAtLink", { body: unknownToken, apiKey: null })),
  row("lookAtLink", 200, async (world) =>
    world.ask("lookAtLink", { body: { token: await aLink(managed(world), made.userId) }, apiKey: null }),
  ),
  row("useLink", 404, ({ ask }) => ask("useLink", { body: { ...unknownToken, password: aPassword }, apiKey: null })),
  row("useLink", 200, async (world) => {
    const first = { email: anEmail("first"), name: "First", workspace_name: "Third", password: aPassword };
    return world.ask("useLink", { body: { ...first, token: await setupToken(world) }, apiKey: null });
  }),
];

const sounds = ["getAudio", "getWaveform", "getSpeech"] as const;

const calls: readonly Row[] = [
  row("importCall", 200, async ({ service, ask }) => {
    const answer = await ask<{ id: string }>("importCall", {
      body: callParts(service, { file: aWav({ channels: 2 }) }),
    });
    made.callId = answer.body.id;
    return answer;
  }),
  row("importCall", 404, ({ service, ask }) =>
    ask("importCall", { body: callParts(service, { agent_email: anEmail() }) }),
  ),
  row("searchCalls", 200, ({ ask }) => ask("searchCalls")),
  row("lookUpCalls", 200, ({ ask }) => ask("lookUpCalls")),
  row("getCall", 200, ({ ask }) => ask("getCall", call())),
  row("prepareCall", 202, ({ ask }) => ask("prepareCall", call())),
  ...sounds.map((sound) => row(sound, 409, ({ ask }) => ask(sound, call()))),
  row("getAudio", 200, async ({ stack, service, ask }) => {
    made.lostId = (await importCall(service)).id;
    const worker = await stack.startWorker();
    for (const id of [made.callId, made.lostId]) await settled(service, id);
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
  row("prepareCall", 409, ({ ask }) => ask("prepareCall", call())),
  row("getAudio", 410, async ({ stack, ask }) => {
    await stack.adminDb.query("update call set playback_key = 'gone', drawing_key = 'gone' where id = $1", [
      made.lostId,
    ]);
    return ask("getAudio", { params: { id: made.lostId } });
  }),
  ...["getWaveform", "getSpeech"].map((sound) =>
    row(sound, 410, ({ ask }) => ask(sound, { params: { id: made.lostId } })),
  ),
  row("changeCall", 200, ({ ask }) => ask("changeCall", call())),
  row("listCallChanges", 200, ({ ask }) => ask("listCallChanges", call())),
];

const events: readonly Row[] = [
  row("listEvents", 200, ({ ask }) => ask("listEvents")),
  row("listEvents", 410, async ({ stack, ask }) => {
    const { body } = await ask<{ events: { id: string }[] }>("listEvents", { query: "?limit=1" });
    // As if everything up to now had been removed for its age.
    const { rowCount } = await stack.adminDb.query(
      `insert into event_removal (workspace_id, epoch, xid, seq)
       select workspace_id, epoch, xid, seq from event where workspace_id = $1 order by epoch desc, xid desc, seq desc limit 1`,
      [stack.workspaceId],
    );
    if (rowCount !== 1) throw new Error("there is no event to remove");
    return ask("listEvents", { query: `?after=${body.events[0]?.id}` });
  }),
];

const files: readonly Row[] = [
  row("summarizeImports", 200, ({ ask }) => ask("summarizeImports")),
  row("exportCalls", 200, ({ ask }) => ask("exportCalls", { query: "?format=csv" })),
  row("listAuditEntries", 200, ({ ask }) => ask("listAuditEntries")),
  row("exportAuditEntries", 200, ({ ask }) => ask("exportAuditEntries", { query: "?format=jsonl" })),
];

const unknownCall = { call_id: randomUUID() };
const erasure = () => ({ params: { id: made.erasureId } });

const privacy: readonly Row[] = [
  row("createHold", 201, async ({ ask }) => {
    const body = { call_id: made.callId, reason: "Case 2026-114" };
    const answer = await ask<{ id: string }>("createHold", { body });
    made.holdId = answer.body.id;
    return answer;
  }),
  row("createHold", 404, ({ ask }) => ask("createHold", { body: { ...unknownCall, reason: "Case 2026-114" } })),
  row("listHolds", 200, ({ ask }) => ask("listHolds")),
  row("eraseCall", 409, ({ ask }) => ask("eraseCall", call())),
  row("releaseHold", 204, ({ ask }) => ask("releaseHold", { params: { id: made.holdId } })),
  row("previewErasure", 200, ({ ask }) => ask("previewErasure")),
  row("previewErasure", 404, ({ ask }) => ask("previewErasure", { body: unknownCall })),
  row("requestErasure", 202, async ({ ask }) => {
    const answer = await ask<{ id: string }>("requestErasure");
    made.erasureId = answer.body.id;
    return answer;
  }),
  row("requestErasure", 404, ({ ask }) => ask("requestErasure", { body: unknownCall })),
  row("getErasureCertificate", 409, ({ ask }) => ask("getErasureCertificate", erasure())),
  row("getErasure", 200, ({ ask }) => ask("getErasure", erasure())),
  row("eraseCall", 204, ({ ask }) => ask("eraseCall", { params: { id: made.lostId } })),
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
    made.webhookId = answer.body.id;
    return answer;
  }),
  row("getLimits", 200, ({ ask }) => ask("getLimits")),
  row("listWebhooks", 200, ({ ask }) => ask("listWebhooks")),
  row("findWebhook", 200, ({ ask }) => ask("findWebhook", webhook())),
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

/** Everything that is particular to one operation. What all have in common is in documented.test.ts. */
export const rows: readonly Row[] = [
  ...users,
  ...managing,
  ...sessions,
  ...calls,
  ...events,
  ...files,
  ...privacy,
  ...webhooks,
].filter(({ operation, status }) => !(`${operation} ${status}` in unprovokable()));

/** Documented statuses that these tests cannot bring about, and why. */
export function unprovokable(): Readonly<Record<string, string>> {
  return engine === "filesystem" ? { "getAudio 302": "a folder has no addresses to link to" } : {};
}
