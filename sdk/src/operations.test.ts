import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { expect, test } from "vitest";
import { type Client, createClient } from "./index.ts";
import { httpServer } from "./testing/local-server.ts";

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}
interface Documented {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}
const documented = JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8")) as Documented;
const operations = Object.entries(documented.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
);

const id = "0190f3c2-7a55-7f0e-9d8e-0c8f5c3f8a11";
const at = new Date("2026-11-15T08:00:00Z");
const first = async <Item>(items: AsyncIterable<Item>) => {
  for await (const item of items) return item;
};

/** Every operation with every argument that it takes. */
const methods: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  inviteUser: (c) => c.users.invite({ email: "a@b.c", name: "Ann", role: "agent", sendInviteEmail: false }),
  listUsers: (c) =>
    first(c.users.list({ email: "a@b.c", search: "a", role: "agent", status: "active", limit: 5, cursor: id })),
  findUser: (c) => c.users.find(id),
  changeUser: (c) => c.users.change(id, { name: "Ann", role: "admin", deactivated: true }),
  listCampaigns: (c) => first(c.campaigns.list({ archived: "all", limit: 5, cursor: "c" })),
  createCampaign: (c) => c.campaigns.create({ id: "c", name: "C", agentChannel: "left" }),
  findCampaign: (c) => c.campaigns.find("c"),
  changeCampaign: (c) =>
    c.campaigns.change("c", { name: "C", agentChannel: "left", retentionDays: null, archived: true }),
  searchCalls: (c) =>
    first(
      c.calls.search({
        ...{ campaign: ["a", "b"], agent: "a@b.c", from: at, to: at, importedFrom: at, importedTo: at },
        ...{ status: ["ready"], minDuration: 1.5, maxDuration: 9, metadata: { site: ["Lyon", "Paris"], "a b": "c" } },
        ...{ limit: 5, after: id, count: "estimate" },
      }),
    ),
  lookUpCalls: (c) => c.calls.lookUp([]),
  getCall: (c) => c.calls.find(id),
  eraseCall: (c) => c.calls.erase(id),
  changeCall: (c) =>
    c.calls.change(id, {
      ...{ agentEmail: "a@b.c", agentId: id, agentChannel: null },
      metadata: { remove: [{ key: "site" }], add: { site: "Lyon" } },
    }),
  prepareCall: (c) => c.calls.prepare(id),
  getAudio: (c) => c.calls.audio(id, { original: true }),
  getWaveform: (c) => c.calls.waveform(id),
  getSpeech: (c) => c.calls.speech(id),
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
    c.calls.export({ format: "csv", campaign: "a", metadataColumns: ["a", "b"], bom: true, separator: "semicolon" }),
  listAuditEntries: (c) =>
    first(
      c.audit.list({ action: ["call.erased"], subject: "call:1", actor: id, from: at, to: at, before: 9, limit: 5 }),
    ),
  exportAuditEntries: (c) => c.audit.export({ format: "jsonl", after: 0, bom: false, separator: "comma" }),
  listEvents: (c) => c.events.page({ after: "latest", limit: 5, type: ["call.ready", "call.failed"] }),
  createWebhook: (c) => c.webhooks.create({ url: "https://x.y", description: "D", types: ["call.ready"] }),
  listWebhooks: (c) => c.webhooks.list(),
  findWebhook: (c) => c.webhooks.find(id),
  changeWebhook: (c) => c.webhooks.change(id, { url: "https://x.y", description: "D", types: [], enabled: false }),
  deleteWebhook: (c) => c.webhooks.delete(id),
  rotateWebhookSecret: (c) => c.webhooks.rotateSecret(id, { overlapHours: 1 }),
  testWebhook: (c) => c.webhooks.test(id),
  listWebhookDeliveries: (c) => first(c.webhooks.deliveries(id, { state: "failed", limit: 5, cursor: id })),
  replayWebhook: (c) => c.webhooks.replay(id, { eventId: "e", from: at, to: at, after: "a", until: "b" }),
  listKeys: (c) => first(c.keys.list({ limit: 5, cursor: id })),
  createKey: (c) => c.keys.create({ name: "K", scopes: ["read"], campaignIds: ["c"], expiresAt: at }),
  findKey: (c) => c.keys.find(id),
  changeKey: (c) => c.keys.change(id, { name: "K", expiresAt: null }),
  revokeKey: (c) => c.keys.revoke(id),
  rotateKey: (c) => c.keys.rotate(id, { overlapHours: 1, expiresAt: at }),
  findWorkspace: (c) => c.workspace.find(),
  changeWorkspace: (c) => c.workspace.change({ name: "W", settings: { timeZone: "Europe/Paris" } }),
  summarizeImports: (c) => c.imports.summary({ days: 7, timeZone: "Europe/Paris" }),
  getLimits: (c) => c.limits.find(),
  getSessionOptions: (c) => c.session.options(),
  signIn: (c) => c.session.signIn({ email: "a@b.c", password: "p", workspaceId: id }),
  getSession: (c) => c.session.find(),
  signOut: (c) => c.session.signOut(),
  changePassword: (c) => c.session.changePassword({ currentPassword: "p", newPassword: "q" }),
  forgotPassword: (c) => c.session.forgotPassword({ email: "a@b.c" }),
  lookAtLink: (c) => c.session.lookAtLink("t"),
  useLink: (c) => c.session.useLink({ token: "t", password: "p", name: "A", email: "a@b.c", workspaceName: "W" }),
  listSessions: (c) => first(c.session.list({ userId: id, limit: 5, cursor: id })),
  endSession: (c) => c.session.end(id),
  sendInvitation: (c) => c.users.sendInvitation(id, { byMail: false }),
  importCall: (c) =>
    c.calls.import({
      ...{ file: new Uint8Array(1), campaignId: "c", agentEmail: "a@b.c", happenedAt: at, dryRun: true },
    }),
};

const schemaOf = (schema: Schema): Schema =>
  schema.$ref ? (documented.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}) : schema;

/** Answers everything with an empty page of everything, and tells what came. */
async function ask(method: (client: Client) => Promise<unknown>) {
  const came: { method: string; url: URL; body: string; key: unknown }[] = [];
  const lists = [
    "users",
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
  ];
  const call = { id, agent: {}, recording: {} };
  const empty = JSON.stringify({
    ...call,
    next: null,
    deliveries: [],
    ...Object.fromEntries(lists.map((name) => [name, []])),
  });
  await using server = await httpServer(async (request, answer) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const url = new URL(request.url ?? "", "http://service");
    came.push({ method: request.method ?? "", url, body, key: request.headers["x-api-key"] });
    answer.end(empty);
  });
  const client = createClient({ baseUrl: `${server.baseUrl}/`, apiKey: "key", retries: { attempts: 1 } });
  await method(client);
  client.close();
  const [request] = came;
  if (!request || came.length > 1) throw new Error(`${came.length} requests came`);
  return request;
}

test("the client does everything that the interface offers, and nothing else", () => {
  expect(Object.keys(methods).sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
});

test.each(operations.map((operation) => [operation.operationId, operation] as const))("%s", async (name, operation) => {
  const method = methods[name];
  if (!method) throw new Error("there is no such method");
  const request = await ask(method);
  const path = operation.path.replace("{id}", operation.path.startsWith("/campaigns") ? "c" : id);
  expect(`${request.method} ${request.url.pathname}`).toBe(`${operation.method} ${path}`);
  expect(request.key).toBe("key");

  const names = (operation.parameters ?? []).filter((one) => one.in === "query").map((one) => one.name);
  expect(names).toEqual(expect.arrayContaining([...request.url.searchParams.keys()].map((one) => one.split("[")[0])));

  const schema = operation.requestBody?.content["application/json"]?.schema;
  if (!schema) return;
  const { properties = {}, required = [] } = schemaOf(schema);
  const sent = Object.keys(JSON.parse(request.body));
  expect(Object.keys(properties)).toEqual(expect.arrayContaining(sent));
  expect(sent).toEqual(expect.arrayContaining([...required]));
});

test("a search is written as the interface reads it", async () => {
  const { url } = await ask(methods.searchCalls ?? (async () => {}));
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
    ["after", id],
    ["count", "estimate"],
  ]);
});

test("a change is written as the interface reads it", async () => {
  const { body } = await ask(methods.changeCall ?? (async () => {}));
  expect(JSON.parse(body)).toEqual({
    ...{ agent_email: "a@b.c", agent_id: id, agent_channel: null },
    metadata: { remove: [{ key: "site" }], add: [{ key: "site", value: "Lyon" }] },
  });
});

test("goes through all pages, also through one that is empty", async () => {
  const pages = [
    { calls: [{ id: "1" }, { id: "2" }], next: "a" },
    { calls: [], next: "b" },
    { calls: [{ id: "3" }], next: null },
  ];
  const asked: string[] = [];
  await using server = await httpServer((request, answer) => {
    asked.push(request.url ?? "");
    answer.end(JSON.stringify(pages[asked.length - 1]));
  });
  const client = createClient({ baseUrl: server.baseUrl, apiKey: "key" });
  const ids: string[] = [];
  for await (const call of client.calls.search({ campaign: "c", limit: 2 })) ids.push(call.id);
  expect(ids).toEqual(["1", "2", "3"]);
  expect(asked).toEqual([
    "/calls?campaign=c&limit=2",
    "/calls?campaign=c&limit=2&after=a",
    "/calls?campaign=c&limit=2&after=b",
  ]);
});

test("follows events until it is told to stop", async () => {
  const stop = new AbortController();
  const pages = [
    { events: [{ id: "1" }, { id: "2" }], next: "2", more: true },
    { events: [], next: null, more: false },
    { events: [{ id: "3" }], next: "3", more: false },
  ];
  const asked: string[] = [];
  await using server = await httpServer((request, answer) => {
    asked.push(request.url ?? "");
    answer.end(JSON.stringify(pages[asked.length - 1]));
  });
  const client = createClient({ baseUrl: server.baseUrl, apiKey: "key" });
  const ids: string[] = [];
  for await (const event of client.events.follow({ type: "call.ready", pauseMs: 5, signal: stop.signal })) {
    ids.push(event.id);
    if (event.id === "3") stop.abort();
  }
  expect(ids).toEqual(["1", "2", "3"]);
  expect(asked).toEqual([
    "/events?type=call.ready",
    "/events?type=call.ready&after=2",
    "/events?type=call.ready&after=2",
  ]);
});

test("following from now on misses nothing where nothing has happened yet", async () => {
  const pages = [
    { events: [], next: null, more: false },
    { events: [{ id: "1" }], next: "1", more: false },
  ];
  const asked: string[] = [];
  await using server = await httpServer((request, answer) => {
    asked.push(request.url ?? "");
    answer.end(JSON.stringify(pages[asked.length - 1]));
  });
  const client = createClient({ baseUrl: server.baseUrl, apiKey: "key" });
  for await (const { id } of client.events.follow({ after: "latest", pauseMs: 5 })) {
    expect(id).toBe("1");
    break;
  }
  expect(asked).toEqual(["/events?after=latest", "/events"]);
});

test("fetches a recording that is elsewhere without showing the key there", async () => {
  let shown: unknown = "nothing";
  const store = createServer((request, answer) => {
    shown = request.headers["x-api-key"];
    answer.setHeader("content-type", "audio/mp4").end("sound");
  });
  await new Promise<void>((resolve) => store.listen(0, "127.0.0.1", resolve));
  const { port } = store.address() as { port: number };
  await using server = await httpServer((_, answer) => {
    answer.writeHead(302, { location: `http://127.0.0.1:${port}/signed` }).end();
  });
  const client = createClient({ baseUrl: server.baseUrl, apiKey: "key" });
  const { body, mediaType, bytes } = await client.calls.audio(id);
  expect([await new Response(body).text(), mediaType, bytes, shown]).toEqual(["sound", "audio/mp4", 5, undefined]);
  await expect(client.limits.find()).rejects.toMatchObject({ status: 302, message: expect.stringMatching(/signed/) });
  store.close();
});

const lookUp = (c: Client, count: number) =>
  c.calls.lookUp(
    Array.from({ length: count }, () => ({
      ...{ sha256: "0", conversation_timestamp: 1, agent_email: "a@b.c", campaign_id: "c" },
    })),
  );
test.each<[string, string, (client: Client) => Promise<unknown>]>([
  ["an import that is answered {}", "{}", methods.importCall ?? (async () => {})],
  ["an import that is answered null", "null", methods.importCall ?? (async () => {})],
  ["a look-up that is answered {}", "{}", (c) => lookUp(c, 1)],
  ["a look-up that is answered for fewer calls", '{"calls":[{}]}', (c) => lookUp(c, 2)],
  ["a look-up that is answered with nothing for a call", '{"calls":[null]}', (c) => lookUp(c, 1)],
  ["an invitation that is answered {}", "{}", methods.inviteUser ?? (async () => {})],
  ["a list that is answered {}", "{}", methods.listUsers ?? (async () => {})],
  ["a question that is answered true", "true", methods.getLimits ?? (async () => {})],
])("%s is not understood", async (_, body, method) => {
  await using server = await httpServer((request, answer) => request.resume().on("end", () => answer.end(body)));
  const client = createClient({ baseUrl: server.baseUrl, apiKey: "key", retries: { attempts: 1 } });
  await expect(method(client)).rejects.toMatchObject({ name: "ServiceError", code: "not_understood", status: 200 });
  client.close();
});
