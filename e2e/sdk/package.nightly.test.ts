// Nightly, and for changes in: sdk/, dev/build-package.ts, dev/release/, package-lock.json
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withEveryScope } from "../support/http/call-details.ts";
import type { Service } from "../support/http/service.ts";
import { serviceAt } from "../support/recordings/recordings.ts";
import { makeWav } from "../support/recordings/sounds.ts";
import { scale } from "../support/run-scale.ts";
import { compileAt, installSdk, nodeOf, type SdkUser } from "../support/stack/sdk-package.ts";
import { openStack, type Stack } from "../support/stack/stack.ts";

const run = promisify(execFile);
let user: SdkUser;
let stack: Stack;
let service: Service;

beforeAll(async () => {
  user = await installSdk();
  stack = await openStack();
  service = await withEveryScope(stack, serviceAt(stack, (await stack.startApi()).port));
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  await user?.close();
});

const consumer = `
import { type CallBody, type CallItem, createClient, isRetryable, ServiceError, verifyWebhook } from "@hearback/sdk";

const client = createClient({ baseUrl: "https://hearback.example.com", apiKey: "hb_", retries: { attempts: 2 } });
export async function work(file: Blob): Promise<string> {
  const call: CallBody = await client.calls.import({ file, campaignId: "c", agentEmail: "a@b.c", happenedAt: new Date() });
  const state: "received" | "ready" | "failed" | "erased" = call.status;
  for await (const item of client.calls.search({ status: ["ready"], from: new Date() })) look(item);
  for await (const event of client.events.follow({ type: "call.ready" })) verify(event.id);
  const { key } = await client.keys.create({ name: "k", scopes: ["import"] });
  // @ts-expect-error unknown scope
  await client.keys.create({ name: "k", scopes: ["everything"] });
  // @ts-expect-error unknown member
  void call.nothing;
  return key + state;
}
const look = (item: CallItem): string => item.agent.email;
const verify = (secret: string) => verifyWebhook({ secret, headers: new Headers(), body: "" });
export const again = (error: unknown) => error instanceof ServiceError && isRetryable(error);
`;

test("the package has no dependencies, and contains no sources and tests", async () => {
  expect(user.packages.map((path) => path.slice(user.folder.length))).toEqual(["/node_modules/@hearback/sdk"]);
  const entries = await readdir(user.packages[0] ?? "", { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const paths = files.map((path) => relative(user.packages[0] ?? "", path)).sort();
  expect(paths.filter((path) => !path.startsWith("lib/"))).toEqual(["LICENSE", "README.md", "package.json"]);
  expect(paths.filter((path) => path.startsWith("lib/") && !/\w\.(js|d\.ts)$/.test(path))).toEqual([]);
  expect(paths.filter((path) => /[./]test(ing)?[./]/.test(path))).toEqual([]);
});

test.each([
  ["a browser", ["--lib", "es2022,dom,dom.iterable,dom.asynciterable", "--module", "preserve"]],
  ["Node", ["--lib", "es2022", "--types", "node"]],
])("its types compile in strict mode for %s", async (_, options) => {
  await writeFile(join(user.folder, "consumer.ts"), consumer);
  expect(await compileAt(user.folder, ["consumer.ts"], options)).toBe("");
});

test("the examples compile with the package", async () => {
  const names = ["import-call", "nightly-import", "list-calls", "follow-events", "receive-webhooks"];
  const files = names.map((name) => `examples/${name}.ts`);
  expect(await compileAt(user.folder, files, ["--lib", "es2022", "--types", "node"])).toBe("");
});

const script = `
import { createClient } from "@hearback/sdk";
import { recordingFile } from "@hearback/sdk/node";
const [baseUrl, apiKey, campaignId, agentEmail, ...paths] = process.argv.slice(2);
const client = createClient({ baseUrl, apiKey });
const calls = [];
for (const path of paths) {
  const file = await recordingFile(path);
  calls.push(await client.calls.import({ file, campaignId, agentEmail, happenedAt: 1714557600 }));
}
const found = await client.calls.find(calls[0].id);
console.log(JSON.stringify({ node: process.version, calls, found: found.id }));
`;

async function importsWith(node: string, line: string) {
  const recordings = [makeWav(), makeWav({ seconds: 120 })];
  const paths = recordings.map((_, at) => join(user.folder, `recording-${at}.wav`));
  for (const [at, bytes] of recordings.entries()) await writeFile(paths[at] ?? "", bytes);
  await writeFile(join(user.folder, "import.js"), script);
  const { baseUrl, apiKey, campaignId, agentEmail } = service;
  const { stdout } = await run(node, ["import.js", baseUrl, apiKey, campaignId, agentEmail, ...paths], {
    cwd: user.folder,
  });
  const output = JSON.parse(stdout) as {
    node: string;
    calls: { id: string; duplicate: boolean; recording: { sha256: string } }[];
    found: string;
  };
  expect(output.node).toMatch(new RegExp(`^v${line}\\.`));
  expect(output.calls.map(({ duplicate }) => duplicate)).toEqual([false, false]);
  expect(output.calls.map(({ recording }) => recording.sha256)).toEqual(
    recordings.map((bytes) => createHash("sha256").update(bytes).digest("hex")),
  );
  expect(output.found).toBe(output.calls[0]?.id);
}

test("it imports calls with Node 24", () => importsWith(process.execPath, "24"));

test.runIf(scale(false, true, true))("it imports calls with Node 22", { timeout: 120_000 }, async ({ skip }) => {
  const node = await nodeOf(22, user.folder);
  if (!node) return skip("Node 22 cannot be had from the registry here");
  await importsWith(node, "22");
});
