import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AuditAction, type AuditEntryBody, type AuditPageBody, auditActions } from "@hearback/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operator } from "../platform/actor.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { readCsv } from "../testing/read-csv.ts";
import { openTestApp } from "../testing/test-app.ts";
import { recordAuditEntry } from "./record-audit-entry.ts";

const service = await openTestApp();
const { app, api, admin } = service;
const { workspaceId } = service.caller;
const headers = { "x-api-key": await service.key("manage") };
const [ann, bob] = [randomUUID(), randomUUID()];
const [one, another] = [randomUUID(), randomUUID()];

const add = (action: AuditAction, keyId: string | null, callId: string) =>
  inWorkspace(app, workspaceId, (tx) =>
    recordAuditEntry(tx, workspaceId, {
      actor: keyId ? { type: "key", id: keyId } : operator,
      action,
      subject: { type: "call", id: callId },
      data: { "=1+1": 2 },
    }),
  );

/** Number of entries from creating the workspace. */
let before = 0;

beforeAll(async () => {
  const { rows } = await admin.query("select coalesce(max(number), 0)::int as last from audit_entry");
  before = rows[0].last;
  for (let round = 0; round < 10; round++) {
    await add("call.listened", ann, one);
    await add("call.listened", bob, another);
    await add("call.changed", ann, another);
    await add("call.downloaded", null, one);
  }
});

const get = (query: string) => api.inject({ url: `/audit${query}`, headers });
const page = async (query: string) => {
  const answer = await get(query);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<AuditPageBody>();
};
const numbers = ({ entries }: AuditPageBody) => entries.map(({ number }) => number);

describe("the log", () => {
  test("is listed newest first, in pages", async () => {
    const first = await page("?limit=15");
    expect(numbers(first)).toEqual(Array.from({ length: 15 }, (_, n) => before + 40 - n));
    expect(first.next).toBe(before + 26);
    const second = await page(`?limit=200&before=${first.next}`);
    expect(numbers(second)).toEqual(Array.from({ length: before + 25 }, (_, n) => before + 25 - n));
    expect(second.next).toBeNull();
    expect(second.entries[24]).toMatchObject({
      number: before + 1,
      actor: { type: "key", id: ann },
      action: "call.listened",
      subject: { type: "call", id: one },
      data: { "=1+1": 2 },
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    });
  });

  test("can be followed from a number, oldest first", async () => {
    expect(numbers(await page("?after=0&limit=3"))).toEqual([1, 2, 3]);
    const next = await page("?after=3&limit=3");
    expect([numbers(next), next.next]).toEqual([[4, 5, 6], 6]);
    expect(await page(`?after=${before + 40}`)).toEqual({ entries: [], next: null });
  });

  test("can be filtered by action, subject, actor and time, separately and combined", async () => {
    const actions = async (query: string) => {
      const { entries } = await page(query);
      return [entries.length, [...new Set(entries.map(({ action }) => action))].sort()];
    };
    expect(await actions("?action=call.changed")).toEqual([10, ["call.changed"]]);
    const two = await page("?action=call.changed&action=call.downloaded&limit=5");
    expect([numbers(two), two.next]).toEqual([[40, 39, 36, 35, 32].map((number) => before + number), before + 32]);
    expect(await actions(`?subject=call:${one}`)).toEqual([20, ["call.downloaded", "call.listened"]]);
    expect(await actions(`?actor=${ann}`)).toEqual([20, ["call.changed", "call.listened"]]);
    expect(await actions(`?actor=${ann}&action=call.listened`)).toEqual([10, ["call.listened"]]);
    expect(await actions(`?actor=${ann}&subject=call:${another}`)).toEqual([10, ["call.changed"]]);
    expect(await actions(`?actor=${randomUUID()}`)).toEqual([0, []]);
  });

  test("can be filtered by time, even if the clock was set back", async () => {
    const { entries } = await page("?after=0&limit=200");
    const at = (number: number) => entries[number - 1]?.at ?? "";
    // API timestamps have millisecond resolution.
    const expected = (from: string, to: string) =>
      entries
        .filter((entry) => new Date(from) <= micros(entry.at) && micros(entry.at) < new Date(to))
        .map(({ number }) => number);
    const micros = (text: string) => new Date(text);
    for (const query of ["", "&action=call.changed&action=call.listened&action=call.downloaded"]) {
      const found = await page(`?after=0&limit=200&from=${at(10)}&to=${at(30)}${query}`);
      expect(numbers(found)).toEqual(expected(at(10), at(30)));
    }
    expect(numbers(await page(`?from=2000-01-01T00:00:00Z&to=2001-01-01T00:00:00Z`))).toEqual([]);
    expect(numbers(await page(`?from=2999-01-01T00:00:00Z`))).toEqual([]);
  });

  test.each([
    ["?limit=201", "limit"],
    ["?action=call.eaten", "action"],
    ["?subject=call", "subject"],
    ["?actor=ann", "actor"],
    ["?from=yesterday", "from"],
    ["?after=-1", "after"],
    ["?after=1&before=3", "before"],
    ["/export?format=xlsx", "format"],
    ["/export?format=csv&separator=tab", "separator"],
  ])("refuses %s", async (query, part) => {
    const answer = await get(query);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().errors[0].part).toBe(part);
  });

  test("requires the manage scope", async () => {
    for (const path of ["/audit", "/audit/export?format=csv"]) {
      const answer = await api.inject({ url: path, headers: { "x-api-key": await service.key("read", "import") } });
      expect(answer.statusCode).toBe(403);
    }
    expect((await get("/export")).statusCode).toBe(400);
  });
});

describe("the export", () => {
  test("contains every entry in order, ending with its own", async () => {
    const answer = await get("/export?format=jsonl");
    expect(answer.headers).toMatchObject({
      "content-type": "application/x-ndjson; charset=utf-8",
      "content-disposition": expect.stringMatching(/^attachment; filename="audit-\d{4}-\d\d-\d\d\.jsonl"$/),
    });
    const lines = answer.body
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as AuditEntryBody & { text: string });
    expect(lines.map(({ number }) => number)).toEqual(lines.map((_, index) => index + 1));
    expect(lines.at(-1)).toMatchObject({ action: "audit.exported", data: { format: "jsonl", filters: [] } });
    const { rows } = await admin.query("select audit_text(audit_entry) as text from audit_entry order by number");
    expect(lines.map(({ text }) => text)).toEqual(rows.map(({ text }) => text));
  });

  test("contains the same as CSV, and its entry has the names of the filters", async () => {
    const answer = await get(
      "/export?format=csv&bom=true&separator=semicolon&action=call.changed&action=audit.exported",
    );
    expect(answer.body.startsWith("\ufeffnumber;at;")).toBe(true);
    const [head, ...rows] = readCsv(answer.body.slice(1), ";");
    expect(head).toEqual([
      "number",
      "at",
      "actor_type",
      "actor_id",
      "action",
      "subject_type",
      "subject_id",
      "data",
      "hash",
      "text",
    ]);
    expect(rows.filter((row) => row[4] === "call.changed")).toHaveLength(10);
    const { entries } = await page("?action=audit.exported&limit=1");
    expect(entries[0]?.data).toEqual({ format: "csv", filters: ["action"] });
    expect(rows.at(-1)?.[0]).toBe(String(entries[0]?.number));
  });
});

const guide = readFileSync(new URL("../../../docs/audit.md", import.meta.url), "utf8");

test("every action is documented", () => {
  expect(auditActions.filter((action) => !guide.includes(`| \`${action}\` `))).toEqual([]);
});

describe("the verification program for auditors", () => {
  const dir = mkdtempSync(join(tmpdir(), "hearback-audit-"));
  afterAll(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, "verify.mjs"), /```js\n([\s\S]*?)```/.exec(guide)?.[1] ?? "");

  function runVerifier(lines: string, ...kept: string[]) {
    writeFileSync(join(dir, "audit.jsonl"), lines);
    const { status, stdout, stderr } = spawnSync(process.execPath, ["verify.mjs", "audit.jsonl", ...kept], {
      cwd: dir,
      encoding: "utf8",
    });
    return { status, output: stdout + stderr };
  }

  test("verifies an export without Hearback's code", async () => {
    const { body } = await get("/export?format=jsonl");
    const last = JSON.parse(body.trimEnd().split("\n").at(-1) ?? "") as AuditEntryBody;
    const end = `${last.number}:${last.hash}`;
    expect(runVerifier(body)).toEqual({ status: 0, output: expect.stringContaining(end) });
    expect(runVerifier(body, end).status).toBe(0);
    expect(runVerifier(body, `${last.number}:${"0".repeat(64)}`)).toMatchObject({ status: 1 });
    const lines = body.split("\n");
    expect(runVerifier(lines.toSpliced(4, 1).join("\n"))).toEqual({
      status: 1,
      output: expect.stringMatching(/^entry 5:/),
    });
    expect(runVerifier(body.replace('"call.changed"', '"call.listened"')).output).toMatch(
      `entry ${before + 3}: is not what was hashed`,
    );
    expect(runVerifier(body.replaceAll("call.changed", "call.listened")).output).toMatch(
      `entry ${before + 3}: does not follow`,
    );
  });
});
