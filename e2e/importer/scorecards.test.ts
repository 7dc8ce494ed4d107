import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Connection, runCommand } from "../support/stack/command.ts";
import { openStack, type Stack } from "../support/stack/stack.ts";

let folder: string;
let stack: Stack;
let connection: Connection;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearback-scorecards-"));
  stack = await openStack();
  const { baseUrl } = await stack.startApi();
  const create = ["key", "create", "--workspace", stack.workspaceId, "--name", "scorecards in git"];
  const { key: apiKey } = await stack.command<{ key: string }>(...create, "--scope", "review", "read", "--json");
  connection = { baseUrl, apiKey };
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  await rm(folder, { recursive: true, force: true });
});

const at = (file: string) => join(folder, file);
const run = (...args: string[]) => runCommand(connection, "scorecards", ...args);

test("a scorecard is created from a file, published, pulled, changed, compared and published again", async () => {
  expect(await run("new", at("support.yaml"), "--template", "support")).toMatchObject({ code: 0 });
  expect(await run("lint", at("support.yaml"), "--strict")).toMatchObject({ code: 0 });
  expect(await run("push", at("support.yaml"))).toMatchObject({ code: 1, stderr: expect.stringContaining("--create") });
  const created = await run("push", at("support.yaml"), "--create", "--publish", "--json");
  expect(created).toMatchObject({ code: 0 });
  const { id, version } = JSON.parse(created.stdout) as { id: string; version: number };
  expect(version).toBe(1);

  expect(await run("pull", "Support call", at("pulled.yaml"))).toMatchObject({ code: 0 });
  const original = await readFile(at("support.yaml"), "utf8");
  expect(await readFile(at("pulled.yaml"), "utf8")).toBe(original);
  expect(await run("diff", at("pulled.yaml"), "--id", id)).toMatchObject({ code: 0 });
  expect((await run("push", at("pulled.yaml"), "--publish")).stdout).toContain("Nothing to publish: version 1");

  await writeFile(at("pulled.yaml"), original.replace("passing_score: 80", "passing_score: 85"));
  expect(await run("diff", at("pulled.yaml"), "--id", id)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("! setting passing_score: 80 → 85"),
  });
  expect(await run("push", at("pulled.yaml"))).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Saved the draft"),
  });
  expect((await run("list", "--json")).stdout).toContain('"latest_version":1,"has_draft":true');
  expect(await run("push", at("pulled.yaml"), "--id", id, "--publish")).toMatchObject({
    code: 0,
    stdout: `✓ Published version 2 of "Support call" (${id}) for all campaigns.\n`,
  });
  expect(await run("pull", id, at("first.json"), "--version", "1")).toMatchObject({ code: 0 });
  expect(await run("diff", at("first.json"), at("support.yaml"))).toMatchObject({ code: 0 });
  expect(JSON.parse((await run("list", "--json")).stdout)).toMatchObject({ id, latest_version: 2, has_draft: false });
}, 60_000);

test("a key without the scope review cannot push", async () => {
  await run("new", at("sales.yaml"), "--template", "sales");
  const restricted = { ...connection, apiKey: stack.apiKey };
  const pushed = await runCommand(restricted, "scorecards", "push", at("sales.yaml"), "--create");
  expect(pushed).toMatchObject({ code: 3, stdout: "", stderr: expect.stringContaining("scope") });
});
