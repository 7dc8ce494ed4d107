import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { AuditPageBody, CallBody } from "@hearback/contract";
import { beforeAll, expect, test } from "vitest";
import { createCampaign } from "../../campaigns/create-campaign.ts";
import { operatorIn } from "../../platform/actor.ts";
import { aForm } from "../../testing/forms.ts";
import { insertCalls } from "../../testing/insert-calls.ts";
import { readCsv, restoreCell } from "../../testing/read-csv.ts";
import { aRecording } from "../../testing/sounds.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { createTestUser, signedIn } from "../../testing/users.ts";

const service = await openTestApp();
const { app, api, admin, agentEmail } = service;
const { workspaceId } = service.caller;
const headers = { "x-api-key": await service.key("import", "read", "manage") };
const first = 1_714_557_600;
const days = 24 * 60 * 60;
const metadata = [
  { key: "note", value: "=1+1" },
  { key: "note", value: "'second" },
  { key: "place", value: 'Lyon, "Part-Dieu"\u2028' },
];

async function imported(campaignId: string, time: number): Promise<string> {
  const form = aForm(
    ["campaign_id", campaignId],
    ["conversation_timestamp", String(time)],
    ["agent_email", agentEmail],
    ["metadata", JSON.stringify(metadata)],
    ["file", aRecording({ seed: time })],
  );
  const request = { method: "POST", url: "/calls/audio", payload: form.payload } as const;
  return (await api.inject({ ...request, headers: { ...headers, ...form.headers } })).json().id;
}

let ids: string[] = [];
beforeAll(async () => {
  await createCampaign(app, operatorIn(workspaceId), { id: "sales", name: "Sales" });
  for (let call = 0; call < 6; call++) {
    ids.push(await imported(call % 2 ? "sales" : "support-fr", first + call * days));
  }
  ids = ids.reverse();
});

const get = (query: string, key = headers) => api.inject({ url: `/calls/export?${query}`, headers: key });
const lines = (body: string) =>
  body
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as CallBody);
const exportEntries = async () => {
  const answer = await api.inject({ url: "/audit?action=calls.exported&limit=200", headers });
  return answer.json<AuditPageBody>().entries;
};

test("exports calls as JSON lines, newest first, and adds one audit entry", async () => {
  const before = (await exportEntries()).length;
  const answer = await get("format=jsonl");
  expect(answer.statusCode).toBe(200);
  const found = lines(answer.body);
  expect(found.map(({ id }) => id)).toEqual(ids);
  expect(found[0]).toMatchObject({ metadata, agent: { email: agentEmail }, campaign_id: "sales", warnings: [] });
  expect(found[0]).not.toHaveProperty("duplicate");
  const entries = await exportEntries();
  expect(entries).toHaveLength(before + 1);
  expect(entries[0]).toMatchObject({
    subject: { type: "workspace", id: workspaceId },
    data: { format: "jsonl", filters: [] },
  });
});

test("exports CSV with one column per field and per requested metadata key", async () => {
  const { body } = await get("format=csv&metadata_columns=note,place,absent");
  const [head = [], ...rows] = readCsv(body);
  expect(head.slice(-4)).toEqual(["metadata", "metadata.note", "metadata.place", "metadata.absent"]);
  const cell = (name: string) => rows[0]?.[head.indexOf(name)] ?? "missing";
  expect(rows.map((row) => row[0])).toEqual(ids);
  expect(JSON.parse(restoreCell(cell("metadata")))).toEqual(metadata);
  expect([cell("metadata.note"), cell("metadata.place"), cell("metadata.absent")]).toEqual([
    "'=1+1\n''second",
    metadata[2]?.value,
    "",
  ]);
  expect([cell("status"), cell("bytes")]).toEqual(["received", "16044"]);
});

test("filters by campaign and time", async () => {
  const found = async (query: string) => lines((await get(`format=jsonl&${query}`)).body).map(({ id }) => id);
  const time = (day: number) => new Date((first + day * days) * 1000).toISOString();
  expect(await found("campaign=sales")).toEqual([ids[0], ids[2], ids[4]]);
  expect(await found("campaign=sales&campaign=support-fr")).toEqual(ids);
  expect(await found("campaign=nobodys")).toEqual([]);
  expect(await found(`from=${time(1)}&to=${time(3)}`)).toEqual([ids[3], ids[4]]);
  expect(await found(`campaign=sales&from=${time(2)}`)).toEqual([ids[0], ids[2]]);
  expect((await exportEntries())[0]?.data).toEqual({ format: "jsonl", filters: ["campaign", "from"] });
});

test("a key restricted to a campaign exports only calls of that campaign", async () => {
  await admin.query("update api_key set name = 'other'");
  const key = await service.key("read");
  await admin.query("update api_key set campaign_ids = '{sales}' where name <> 'other'");
  const found = async (query: string) =>
    lines((await get(`format=jsonl${query}`, { "x-api-key": key })).body).map((call) => call.id);
  expect(await found("")).toEqual([ids[0], ids[2], ids[4]]);
  expect(await found("&campaign=support-fr")).toEqual([]);
  expect(await found("&campaign=sales&campaign=support-fr")).toEqual([ids[0], ids[2], ids[4]]);
});

test("an export stops when its session ends", async () => {
  const { workspaceId: place } = await service.anotherWorkspace();
  const { id: agentId, email } = await createTestUser(app, place);
  await createCampaign(app, operatorIn(place), { id: "long", name: "Long" });
  const call = { workspaceId: place, campaignId: "long", agentId, importedAt: new Date(), status: "received" } as const;
  const note = { key: "note", value: "x".repeat(1000) };
  const times = Array.from({ length: 1000 }, (_, seed) => ({ seed, happenedAt: new Date((first + seed) * 1000) }));
  await insertCalls(
    admin,
    times.map((one) => ({ ...call, ...one, durationMs: null, metadata: [note] })),
  );
  const session = await signedIn(api, email);
  const begin = async () => {
    const url = "/calls/export?format=jsonl";
    return (await api.inject({ url, headers: session, payloadAsStream: true })).stream();
  };
  const lengthOf = async (file: Readable) => lines(await text(file)).length;
  expect(await lengthOf(await begin())).toBe(1000);
  const cut = await begin();
  await api.inject({ method: "DELETE", url: "/session", headers: session });
  await sleep(600);
  await expect(lengthOf(cut)).rejects.toThrow();
});

test("an empty export is a CSV header or an empty JSON lines file", async () => {
  const never = "to=2001-01-01T00:00:00Z";
  expect(readCsv((await get(`format=csv&${never}`)).body)).toHaveLength(1);
  expect((await get(`format=jsonl&${never}`)).body).toBe("");
});

test("rejected exports add no audit entry", async () => {
  const before = (await exportEntries()).length;
  const statuses = [
    (await get("")).statusCode,
    (await get("format=xlsx")).statusCode,
    (await get("format=csv", { "x-api-key": await service.key("import") })).statusCode,
    (await get("format=csv", { "x-api-key": randomUUID() })).statusCode,
  ];
  expect(statuses).toEqual([400, 422, 403, 401]);
  expect(await exportEntries()).toHaveLength(before);
});
