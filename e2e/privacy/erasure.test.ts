import { createHash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { storeTranscript } from "../support/data/stored-transcripts.ts";
import { waitForCall } from "../support/http/call-details.ts";
import { type EventClient, eventClient } from "../support/http/event-client.ts";
import { type Call, importCall, postUser, type Service } from "../support/http/service.ts";
import { sendJson } from "../support/http/users.ts";
import { makeWav } from "../support/recordings/sounds.ts";
import { random, scale, seed } from "../support/run-scale.ts";
import { openReceiver, type Receiver } from "../support/servers/webhook-receiver.ts";
import { type Backup, backUp, commandWith, placesOf } from "../support/stack/dumps.ts";
import { type ApiProcess, openStack, type ServerProcess, type Stack } from "../support/stack/stack.ts";
import { openStore, type Store } from "../support/stack/store.ts";
import { inParallel, say, until } from "../support/waiting.ts";

interface Erasure {
  readonly id: string;
  readonly state: string;
  readonly found: number;
  readonly erased: number;
  readonly held: number;
  readonly agent_erased: boolean;
}

const kills = scale(1, 2, 5);
/** Several batches of 100. */
const manyCalls = scale(400, 900, 900);
const chance = random();
const day = 86_400;

let stack: Stack;
let store: Store;
let api: ApiProcess;
let worker: ServerProcess;
let client: EventClient;
let service: Service;
let receiver: Receiver;

beforeAll(async () => {
  stack = await openStack(undefined, { WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32" });
  store = openStore(stack);
  api = await stack.startApi();
  client = await eventClient(stack, api.baseUrl);
  service = { baseUrl: api.baseUrl, apiKey: client.apiKey, campaignId: stack.campaignId, agentEmail: stack.agentEmail };
  receiver = await openReceiver();
  await client.createWebhook(receiver.url);
  worker = await stack.startWorker();
}, 120_000);
afterAll(async () => {
  await receiver?.close();
  await stack?.stop();
  await store?.close();
});

/** A unique person, phone number and recording, with the search terms that would find them. */
function makeSecret() {
  const mark = randomUUID().slice(0, 8);
  const file = makeWav({ seconds: 1 });
  const marker = `MARK${randomUUID().replaceAll("-", "")}`;
  file.write(marker, 2000, "latin1");
  const phone = `+33${String(Math.floor(chance() * 1e9)).padStart(9, "0")}`;
  const secret = {
    email: `Quentin.${mark}@example.org`,
    name: `Quentin Zz${mark}`,
    phone,
    file,
    metadata: JSON.stringify([{ key: `key-${mark}`, value: phone }]),
    key: `key-${mark}`,
  };
  const sha256 = createHash("sha256").update(file).digest("hex");
  // Lower case and without digits, as in the search index.
  const letters = mark.replaceAll(/\d/g, (digit) => "ghijklmnop"[Number(digit)] ?? "g");
  const said = { spoken: `spoken${letters}`, corrected: `corrected${letters}` };
  const ofCall = [phone, secret.key, sha256, marker, ...Object.values(said)];
  return { ...secret, ...said, ofCall, ofPerson: [secret.email, secret.name, `Zz${mark}`] };
}
type Secret = ReturnType<typeof makeSecret>;

async function createPerson(of: Service, { email, name }: Secret) {
  const answer = await postUser(of, { email, name, role: "agent", send_invite_email: false });
  expect([201, 409]).toContain(answer.status);
  return answer.body.id;
}

const importSecretCall = (of: Service, { email, file, metadata }: Secret) =>
  importCall(of, { agent_email: email, file, metadata, conversation_timestamp: "1714557600" });

/** A transcript, of which a person corrects a word. */
async function transcribe(
  of: Service & { readonly workspaceId: string },
  callId: string,
  { spoken, corrected }: Secret,
) {
  const { id } = await storeTranscript(stack, { workspaceId: of.workspaceId, callId, said: `hello ${spoken}` });
  const url = `${of.baseUrl}/calls/${callId}/transcript`;
  const correction = { transcript_id: id, corrections: [{ turn: 0, word: 0, text: corrected }] };
  const answer = await sendJson(url, correction, { "x-api-key": of.apiKey }, "PATCH");
  expect(answer.status, answer.text).toBe(200);
}

const places = (words: readonly string[], databaseUrl = stack.env.DATABASE_URL) =>
  placesOf(words, { store, databaseUrl });

async function finished(id: string, withinMs = 60_000): Promise<Erasure> {
  return until(
    `erasure ${id} is done`,
    withinMs,
    async () => {
      const { body } = await client.ask<Erasure>("GET", `/erasures/${id}`);
      return body.state === "done" ? body : undefined;
    },
    50,
  );
}

async function erase(subject: object): Promise<Erasure> {
  const answer = await client.ask<Erasure>("POST", "/erasures", subject);
  expect(answer.status, answer.text).toBe(202);
  return finished(answer.body.id);
}

/** Skips the preparation of calls that are only counted. */
const forgetPreparing = () => stack.adminDb.query("delete from outgoing_job where name = 'call.prepare'");
async function startWithoutPreparing(): Promise<void> {
  await forgetPreparing();
  worker = await stack.startWorker();
}

describe("no trace remains of", () => {
  let backup: Backup;
  const [one, person] = [makeSecret(), makeSecret()];
  const words = [...one.ofCall, ...person.ofCall, ...person.ofPerson];
  let calls: Call[];
  let bystander: Call;

  beforeAll(async () => {
    await createPerson(service, person);
    bystander = await importCall(service);
    calls = [
      await importSecretCall(service, { ...one, email: stack.agentEmail }),
      await importSecretCall(service, person),
    ];
    for (const { id } of [...calls, bystander]) await waitForCall(service, id);
    const ours = { ...service, workspaceId: stack.workspaceId };
    await transcribe(ours, calls[0]?.id ?? "", one);
    await transcribe(ours, calls[1]?.id ?? "", person);
    backup = await backUp(stack);
  }, 120_000);
  afterAll(() => backup?.remove());

  test("(control) before the erasure, everything is found", async () => {
    const found = await places(words);
    for (const word of words) expect(found.join("\n")).toContain(word);
  });

  test("an erased call", async () => {
    expect((await client.ask("DELETE", `/calls/${calls[0]?.id}`)).status).toBe(204);
    expect(await places(one.ofCall)).toEqual([]);
  });

  test("an erased agent", async () => {
    const agentId = calls[1]?.agent.id;
    expect(await erase({ agent_id: agentId })).toMatchObject({ erased: 1, held: 0, agent_erased: true });
    expect(await places(words)).toEqual([]);
    await until("the webhook received the events", 30_000, () => {
      const events = receiver.received.map(({ body }) => JSON.parse(body)).map(({ type, data }) => [type, data]);
      const erased = events.filter(([type]) => /erased$/.test(type)).map(([, data]) => data.call_id ?? data.user_id);
      return [...calls.map(({ id }) => id), agentId].every((id) => erased.includes(id));
    });
    for (const text of [...receiver.received.map(({ body }) => body), api.log(), worker.log()]) {
      expect(words.filter((word) => text.includes(word))).toEqual([]);
    }
  });

  test("the objects of erased calls; other objects remain", async () => {
    const { rows } = await stack.adminDb.query("select recording_key, playback_key, drawing_key from call");
    const known = rows.flatMap((row) => Object.values(row as Record<string, string>)).sort();
    expect((await store.keys()).filter((key) => !key.startsWith("erasures/")).sort()).toEqual(known);
    expect(rows).toHaveLength(1);
  });

  test("either, after restoring a backup and replaying the erasures", async () => {
    const restored = await backup.restore();
    const before = await places(words, restored.DATABASE_URL);
    expect(before.length).toBeGreaterThan(0);
    const doctor = () =>
      commandWith<{ findings: { check: string; ok: boolean }[] }>(stack, restored, "doctor", "--json");
    await expect(doctor()).rejects.toThrow();
    const report = await commandWith(stack, restored, "erasures", "replay", "--json");
    expect(report).toEqual({ entries: 3, erased: 2, held_back: 0 });
    expect(await places(words, restored.DATABASE_URL)).toEqual([]);
    expect((await doctor()).findings.find(({ check }) => check === "erasures")).toMatchObject({ ok: true });

    const later = await stack.startApi({ env: restored });
    const there = { ...service, baseUrl: later.baseUrl };
    expect(await importSecretCall(there, { ...one, email: stack.agentEmail })).toMatchObject({
      id: calls[0]?.id,
      status: "erased",
      duplicate: true,
      metadata: [],
      created_at: null,
    });
    await createPerson(there, person);
    expect(await importSecretCall(there, person)).toMatchObject({ id: calls[1]?.id, status: "erased" });
    expect(await places([...one.ofCall, ...person.ofCall], restored.DATABASE_URL)).toEqual([]);
    await later.stop();
  }, 120_000);
});

test("preview and erasure of a phone number find exactly its 120 calls among similar numbers", {
  timeout: 300_000,
}, async () => {
  const phone = "+33612345678";
  const near = [
    { key: "client_phone", value: `${phone}9` },
    { key: "client_phone", value: phone.slice(0, -1) },
    { key: "client_phone", value: phone.slice(1) },
    { key: "client_phone", value: `${phone} ` },
    { key: "Client_Phone", value: phone },
    { key: "callback", value: phone },
    { key: "note", value: `client_phone ${phone}` },
  ];
  await worker.stop();
  const hits = new Set<string>();
  let others = 0;
  const began = Date.now();
  await inParallel(240, 12, async (n) => {
    const isHit = n % 2 === 0;
    const entry = isHit ? { key: "client_phone", value: phone } : near[Math.floor(n / 2) % near.length];
    const metadata = JSON.stringify([{ key: "site", value: "Lyon" }, entry]);
    const call = await importCall(service, {
      file: makeWav({ seconds: 0.05 }),
      metadata,
      conversation_timestamp: String(1_714_557_600 + n * day),
    });
    if (isHit) hits.add(call.id);
    else others++;
  });
  await startWithoutPreparing();
  const subject = { metadata: { key: "client_phone", value: phone } };
  const before = await store.keys();
  const preview = await client.ask<{ calls: number; held: number }>("POST", "/erasures/preview", subject);
  expect(preview.body).toMatchObject({ calls: 120, held: 0 });
  const done = await erase(subject);
  expect(done).toMatchObject({ found: 120, erased: 120, held: 0 });
  const { rows } = await stack.adminDb.query<{ id: string }>(
    "select id from call where metadata::text ilike '%phone%' or metadata::text like '%callback%'",
  );
  expect(rows.filter(({ id }) => hits.has(id))).toEqual([]);
  expect(rows).toHaveLength(others);
  expect(before.length).toBeGreaterThan((await store.keys()).length);
  const certificate = await client.ask("GET", `/erasures/${done.id}/certificate`);
  expect(certificate.text).not.toMatch(/phone|33612345678/);
  const { rows: kept } = await stack.adminDb.query(
    "select row_to_json(erasure)::text as text from erasure where id = $1",
    [done.id],
  );
  expect(kept[0]?.text).not.toMatch(/phone|33612345678/);
  say(`120 of 240 erased, with imports ${Date.now() - began} ms`);
});

test(`an erasure completes exactly once although its worker is killed (${kills}x)`, {
  timeout: 900_000,
}, async () => {
  say(`seed ${seed}`);
  await worker.stop();
  const email = "killed@example.com";
  await postUser(service, { email, name: "Kay Illed", role: "agent", send_invite_email: false });
  const calls: Call[] = [];
  await inParallel(manyCalls, 12, async (n) => {
    calls.push(
      await importCall(service, {
        agent_email: email,
        file: makeWav({ seconds: 0.05 }),
        conversation_timestamp: String(1_600_000_000 + n),
      }),
    );
  });
  await forgetPreparing();
  const agentId = calls[0]?.agent.id;
  const { body: requested } = await client.ask<Erasure>("POST", "/erasures", { agent_id: agentId });
  const progress = async () => (await client.ask<Erasure>("GET", `/erasures/${requested.id}`)).body;
  const at: number[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const doomed = await stack.startWorker();
    const { erased } = await progress();
    await until("the erasure continues", 90_000, async () => (await progress()).erased > erased, 5);
    await sleep(chance() * 800);
    await doomed.kill();
    at.push((await progress()).erased);
  }
  worker = await stack.startWorker();
  const done = await finished(requested.id, 120_000);
  say(`killed at ${at.join(", ")} of ${calls.length}`);
  expect(done).toMatchObject({ found: manyCalls, erased: manyCalls, held: 0, agent_erased: true });
  const ids = calls.map(({ id }) => id);
  const count = async (query: string) => (await stack.adminDb.query<{ n: number }>(query, [ids])).rows[0]?.n;
  expect(await count("select count(*)::int as n from call where id = any ($1)")).toBe(0);
  expect(await count("select count(*)::int as n from erased_call where id = any ($1)")).toBe(manyCalls);
  expect(
    await count(
      "select count(*)::int as n from event where type = 'call.erased' and (data->>'call_id')::uuid = any ($1)",
    ),
  ).toBe(manyCalls);
  const { rows } = await stack.adminDb.query("select recording_key, playback_key, drawing_key from call");
  const known = new Set(rows.flatMap((row) => Object.values(row as Record<string, string>)));
  const left = (await store.keys()).filter((key) => !key.startsWith("erasures/") && !known.has(key));
  expect(left, "objects of calls that are gone").toEqual([]);
  const entries = await stack.adminDb.query("select action from audit_entry where subject_id = $1 order by number", [
    requested.id,
  ]);
  expect(entries.rows).toEqual([{ action: "erasure.requested" }, { action: "erasure.done" }]);
});

test("a legal hold overrides retention and erasure", { timeout: 120_000 }, async () => {
  const campaign = "short-lived";
  await stack.command(
    "campaign",
    "create",
    "--workspace",
    stack.workspaceId,
    "--id",
    campaign,
    "--name",
    "Short",
    "--json",
  );
  const at = (days: number) => String(Math.floor(Date.now() / 1000) - days * day);
  const parts = (days: number) => ({ campaign_id: campaign, conversation_timestamp: at(days) });
  const [held, old, young] = [
    await importCall(service, parts(40)),
    await importCall(service, parts(31)),
    await importCall(service, parts(29)),
  ];
  await stack.command("campaign", "retention", campaign, "--workspace", stack.workspaceId, "--days", "30", "--json");
  const hold = await client.ask<{ id: string }>("POST", "/holds", { call_id: held.id, reason: "Case 2026-114" });
  const found = [{ workspace_id: stack.workspaceId, campaign_id: campaign, calls: 1, held: 1 }];
  expect(await stack.command("calls", "expire", "--dry-run", "--json")).toEqual(found);
  expect(await stack.command("calls", "expire", "--json")).toEqual(found);
  const status = async ({ id }: Call) => (await client.ask("GET", `/calls/${id}`)).status;
  expect([await status(held), await status(old), await status(young)]).toEqual([200, 404, 200]);
  expect((await client.ask("DELETE", `/calls/${held.id}`)).status).toBe(409);
  expect(await erase({ call_id: held.id })).toMatchObject({ erased: 0, held: 1 });
  expect(await erase({ agent_id: held.agent.id })).toMatchObject({ held: 1, agent_erased: false });
  await expect(stack.command("workspace", "erase", stack.workspaceId, "--yes")).rejects.toThrow(/legal hold/);
  expect(await status(held)).toBe(200);
  expect((await client.ask("DELETE", `/holds/${hold.body.id}`)).status).toBe(204);
  expect(await stack.command("calls", "expire", "--json")).toMatchObject([{ calls: 1, held: 0 }]);
  expect(await status(held)).toBe(404);
});

test("no trace remains of an erased workspace, even after a restore", { timeout: 300_000 }, async () => {
  const secret = makeSecret();
  const name = `Customer ${randomUUID()}`;
  const { id } = await stack.command<{ id: string }>("workspace", "create", "--name", name, "--json");
  const campaignName = `Campaign ${randomUUID()}`;
  await stack.command("campaign", "create", "--workspace", id, "--id", "theirs", "--name", campaignName, "--json");
  const keyName = `Key ${randomUUID()}`;
  const { key } = await stack.command<{ key: string }>(
    ...[
      "key",
      "create",
      "--workspace",
      id,
      "--name",
      keyName,
      "--scope",
      "import",
      "read",
      "review",
      "manage",
      "--json",
    ],
  );
  const theirs = { ...service, apiKey: key, campaignId: "theirs" };
  await createPerson(theirs, secret);
  const call = await importSecretCall(theirs, secret);
  await waitForCall(theirs, call.id);
  await transcribe({ ...theirs, workspaceId: id }, call.id, secret);
  const url = `http://127.0.0.1:${receiver.port}/${randomUUID()}`;
  await stack.command("webhook", "create", "--workspace", id, "--url", url, "--json");
  const backup = await backUp(stack);
  const words = [...secret.ofCall, ...secret.ofPerson, name, campaignName, keyName, url];
  expect(new Set((await places(words)).map((place) => place.split(": ")[0]))).toEqual(new Set(words));

  expect(await stack.command("workspace", "erase", id, "--yes", "--json")).toMatchObject({ id, calls: 1 });
  expect(await places(words)).toEqual([]);
  expect((await store.keys()).filter((object) => object.includes(id) && !object.startsWith("erasures/"))).toEqual([]);
  const { rows } = await stack.adminDb.query("select action from audit_entry where workspace_id = $1", [id]);
  expect(rows).toContainEqual({ action: "workspace.erased" });
  expect(await stack.command("workspace", "erase", id, "--yes", "--json")).toMatchObject({ calls: 0 });

  const restored = await backup.restore();
  expect((await places(words, restored.DATABASE_URL)).length).toBeGreaterThan(0);
  await commandWith(stack, restored, "erasures", "replay", "--json");
  expect(await places(words, restored.DATABASE_URL)).toEqual([]);
  await backup.remove();
});
