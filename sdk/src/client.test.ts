import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Client, createClient } from "./index.ts";
import { httpServer } from "./testing/local-server.ts";

const create = (options: { readonly baseUrl: string; readonly apiKey?: string }) => createClient({ ...options });

test.each([
  ["", "empty"],
  ["hearback.example.com", "https://hearback.example.com"],
  ["localhost:8080", "http://localhost:8080"],
  ["127.0.0.1:8080", "http://127.0.0.1:8080"],
  ["/api", "https://"],
  ["ftp://hearback.example.com", "https://"],
  ["https://", "https://"],
  ["https://ann:password@hearback.example.com", "password"],
  ["https://hearback.example.com/?a=b", "?"],
  ["https://hearback.example.com/#a", "#"],
])("refuses the base URL %j", (baseUrl, said) => {
  expect(() => create({ baseUrl })).toThrow(TypeError);
  expect(() => create({ baseUrl })).toThrow(/^baseUrl /);
  expect(() => create({ baseUrl })).toThrow(said);
  expect(() => create({ baseUrl })).not.toThrow("ann:");
});

test("accepts a base URL with a path", async () => {
  const asked: unknown[] = [];
  await using server = await httpServer((request, response) => {
    asked.push(request.url);
    response.end("{}");
  });
  await createClient({ baseUrl: `${server.baseUrl}/quality/` }).limits.find();
  expect(asked).toEqual(["/quality/limits"]);
});

test.each(["hb_c0_a b", "hb_c0_a\n", "hb_c0_é"])("refuses the API key %j without repeating it", (apiKey) => {
  const baseUrl = "https://hearback.example.com";
  expect(() => create({ baseUrl, apiKey })).toThrow(/^apiKey contains/);
  expect(() => create({ baseUrl, apiKey })).not.toThrow("hb_c0");
});

const never = new Date("never");
const file = new Uint8Array(1);
test.each<[string, string, (client: Client) => Promise<unknown>]>([
  ["in a query", "from", (c) => c.calls.page({ from: never })],
  ["in a list", "imported_to", (c) => c.calls.search({ importedTo: never }).next()],
  ["in an export", "from", (c) => c.audit.export({ format: "csv", from: never })],
  [
    "in a body, where JSON would make it null: no expiry",
    "expires_at",
    (c) => c.keys.create({ name: "K", scopes: ["read"], expiresAt: never }),
  ],
  [
    "in an import",
    "happenedAt",
    (c) => c.calls.import({ file, campaignId: "c", agentEmail: "a@b.c", happenedAt: never }),
  ],
  [
    "as a number",
    "happenedAt",
    (c) => c.calls.import({ file, campaignId: "c", agentEmail: "a@b.c", happenedAt: Number.NaN }),
  ],
  [
    "in a list in a body",
    "conversation_timestamp",
    (c) =>
      c.calls.lookUp([{ sha256: "0", conversation_timestamp: Number.NaN, agent_email: "a@b.c", campaign_id: "c" }]),
  ],
])("refuses an invalid date %s before a request is sent", async (_, name, method) => {
  let requests = 0;
  await using server = await httpServer((_, response) => {
    requests++;
    response.end("{}");
  });
  const client = createClient({ baseUrl: server.baseUrl, apiKey: "key" });
  const failure: unknown = await method(client).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(TypeError);
  expect(String(failure)).toMatch(new RegExp(`^TypeError: ${name} is not a valid`));
  expect(requests).toBe(0);
  client.close();
});

test("the documentation lists all methods of all groups, also those written by hand", () => {
  const text = readFileSync(new URL("../../docs/sdk.md", import.meta.url), "utf8");
  const rows = [...text.matchAll(/^\| `(\w+)` +\| ((?:`\w+`(?:, )?)+) +\|$/gm)];
  const listed = rows.map(([, group = "", methods = ""]) => [group, methods.match(/\w+/g)?.sort()]);
  const client = createClient({ baseUrl: "https://hearback.example.com" });
  const groups = Object.entries(client).filter(([, group]) => typeof group === "object");
  expect(listed.sort()).toEqual(groups.map(([group, methods]) => [group, Object.keys(methods).sort()]).sort());
});
