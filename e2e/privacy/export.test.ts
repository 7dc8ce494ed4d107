import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addCalls } from "../support/data/many-calls.ts";
import { get, withEveryScope } from "../support/http/call-details.ts";
import { readCsv, restoreCell } from "../support/http/csv.ts";
import { importCall, postUser, type Service } from "../support/http/service.ts";
import { random, seed } from "../support/run-scale.ts";
import { openStack, type Stack } from "../support/stack/stack.ts";
import { inParallel, say } from "../support/waiting.ts";

/*
 * docs/exports.md: an export contains no formulas, loses no data, and never ends early without an error.
 */

let stack: Stack;
let service: Service;
beforeAll(async () => {
  stack = await openStack();
  const api = await stack.startApi();
  service = await withEveryScope(stack, { ...stack, baseUrl: api.baseUrl });
}, 120_000);
afterAll(async () => {
  await stack?.stop();
});

const signs = [
  "=",
  "+",
  "-",
  "@",
  "\t",
  "\r",
  "\n",
  "'",
  "＝",
  "＋",
  "－",
  "＠",
  " =",
  "\u00a0@",
  "\u200b+",
  "\ufeff-",
];
const words = [
  "1+1",
  'HYPERLINK("http://evil.example","x")',
  "cmd|' /C calc'!A0",
  "a,b;c",
  '"',
  "''",
  "\r\n=2",
  "ü€😀",
  "",
];

test("10,000 hostile cells are exported as text and read back unchanged", async () => {
  say(`seed ${seed}`);
  const next = random();
  const pick = (from: readonly string[]) => from[Math.floor(next() * from.length)] ?? "";
  const calls = 200;
  const keys = Array.from({ length: 50 }, (_, n) => `k${n}`);
  const sent = Array.from({ length: calls }, () => keys.map(() => pick(signs) + pick(words) + pick(words)));
  const agentEmail = "formula@example.com";
  const agent = { email: agentEmail, name: "=1+1", role: "agent", send_invite_email: false };
  expect((await postUser(service, agent)).status).toBe(201);
  const ids: string[] = [];
  await inParallel(calls, 8, async (call) => {
    const metadata = JSON.stringify(keys.map((key, n) => ({ key, value: sent[call]?.[n] })));
    const time = String(1_714_557_600 + call);
    const made = await importCall(service, { metadata, conversation_timestamp: time, agent_email: agentEmail });
    ids[call] = made.id;
  });

  const { status, text } = await get(service, `/calls/export?format=csv&metadata_columns=${keys.join()}`);
  expect(status).toBe(200);
  const [head = [], ...rows] = readCsv(text);
  expect(rows).toHaveLength(calls);
  let cells = 0;
  for (const row of rows) {
    expect(row).toHaveLength(head.length);
    const values = sent[ids.indexOf(row[0] ?? "")] ?? [];
    const cellOf = (name: string) => row[head.indexOf(name)] ?? "missing";
    for (const [n, key] of keys.entries()) {
      const cell = cellOf(`metadata.${key}`);
      expect(cell).toMatch(/^'/);
      expect(restoreCell(cell)).toBe(values[n]);
      cells += 1;
    }
    expect(cellOf("agent_name")).toBe("'=1+1");
    expect(JSON.parse(restoreCell(cellOf("metadata")))).toEqual(keys.map((key, n) => ({ key, value: values[n] })));
  }
  expect(cells).toBe(10_000);
  const lines = (await get(service, "/calls/export?format=jsonl")).text.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).metadata[7].value).sort()).toEqual(
    sent.map((values) => values[7]).sort(),
  );
}, 120_000);

/** Requests a large export and stops reading after the first bytes. */
async function begin() {
  const asked = request(`${service.baseUrl}/calls/export?format=jsonl`, { headers: { "x-api-key": service.apiKey } });
  asked.on("error", () => {});
  asked.end();
  const response = await new Promise<import("node:http").IncomingMessage>((resolve) => asked.once("response", resolve));
  await new Promise((resolve) => response.once("readable", resolve));
  return response;
}

describe("a large export", () => {
  const count = 30_000;
  beforeAll(() => addCalls(stack, count), 120_000);

  test("is complete", async () => {
    const { text } = await get(service, "/calls/export?format=csv");
    const rows = readCsv(text).slice(1);
    expect(rows).toHaveLength(count + 200);
    expect(new Set(rows.map(([id]) => id)).size).toBe(count + 200);
  });

  test("that fails midway is aborted and does not look complete", async () => {
    const response = await begin();
    await stack.adminDb.query("revoke select on call from hearback_service");
    try {
      const read = (async () => {
        for await (const _ of response);
      })();
      await expect(read).rejects.toThrow(/aborted/);
      expect(response.complete).toBe(false);
    } finally {
      await stack.adminDb.query("grant select on call to hearback_service");
    }
    expect((await get(service, "/calls/export?format=csv&to=2001-01-01T00:00:00Z")).status).toBe(200);
  });
});
