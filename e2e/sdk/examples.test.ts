import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withEveryScope } from "../support/http/call-details.ts";
import type { Service } from "../support/http/service.ts";
import { MB, serviceAt, wavHeader } from "../support/recordings/recordings.ts";
import { makeWav } from "../support/recordings/sounds.ts";
import { freePort } from "../support/stack/free-port.ts";
import { openStack, type Stack } from "../support/stack/stack.ts";
import { until } from "../support/waiting.ts";

const examples = join(import.meta.dirname, "../../sdk/examples");
let stack: Stack;
let service: Service;
let folder: string;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearback-examples-"));
  stack = await openStack(undefined, { WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32", WEBHOOK_RETRY_FACTOR: "0.001" });
  service = await withEveryScope(stack, serviceAt(stack, (await stack.startApi()).port));
  await stack.startWorker();
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await stack?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Starts an example in a child process. */
function start(name: string, args: readonly string[] = [], more: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(examples, `${name}.ts`), ...args], {
    cwd: folder,
    env: {
      ...process.env,
      HEARBACK_URL: service.baseUrl,
      HEARBACK_API_KEY: service.apiKey,
      CAMPAIGN_ID: service.campaignId,
      ...more,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { child, ended, output: () => output };
}

async function runToEnd(name: string, args: readonly string[]) {
  const { ended, output } = start(name, args);
  return { code: await ended, output: output() };
}

const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000);

test("import-call imports a call, reports a duplicate, and reports errors", async () => {
  const path = join(folder, "call.wav");
  await writeFile(path, makeWav({ seconds: 90 }));
  const args = [path, service.agentEmail, yesterday.toISOString()];
  const first = await runToEnd("import-call", args);
  expect(first.output).toMatch(/100%\nimported: [0-9a-f-]{36}/);
  expect((await runToEnd("import-call", args)).output).toMatch(/already imported:/);
  const wrong = await runToEnd("import-call", [path, "nobody@example.com", yesterday.toISOString()]);
  expect([wrong.code, wrong.output]).toEqual([1, expect.stringMatching(/agent_not_found: .+ \([0-9a-f-]{36}\)/)]);
});

test("import-call can be stopped", async () => {
  const path = join(folder, "long.wav");
  await writeFile(path, wavHeader(400 * MB));
  await truncate(path, 44 + 400 * MB);
  const { child, ended, output } = start("import-call", [path, service.agentEmail, yesterday.toISOString()]);
  await until("the upload started", 20_000, () => output().includes("1%"), 1);
  child.kill("SIGINT");
  expect([await ended, output()]).toEqual([1, expect.stringMatching(/cancelled; it is safe to import it again/)]);
});

test("nightly-import creates the agents and imports a folder once", async () => {
  const recordings = join(folder, "recordings");
  await mkdir(recordings);
  const stamp = yesterday.toISOString().replace(/[-:]|\.\d+/g, "");
  for (let count = 0; count < 30; count++) {
    await writeFile(join(recordings, `agent-${count}@example.com_${stamp}.wav`), makeWav());
  }
  await writeFile(join(recordings, "notes.txt"), "not a recording");
  const first = await runToEnd("nightly-import", [recordings]);
  expect([first.code, JSON.parse(first.output)]).toEqual([0, { imported: 30, present: 0, failed: 0 }]);
  await writeFile(join(recordings, `bad@example.com_${stamp}.wav`), "no sound");
  const second = await runToEnd("nightly-import", [recordings]);
  expect(second.code).toBe(1);
  expect(second.output).toMatch(/bad@example\.com_.+\.wav: .+/);
  expect(second.output).toContain('{"imported":0,"present":30,"failed":1}');
});

test("follow-events prints every call once, also after a restart", async () => {
  const cursor = join(folder, "cursor");
  const first = start("follow-events", [cursor]);
  await until("31 calls are ready", 60_000, () => first.output().trim().split("\n").length === 31);
  first.child.kill("SIGTERM");
  expect(await first.ended).toBe(0);
  const path = join(folder, "call-2.wav");
  await writeFile(path, makeWav());
  await runToEnd("import-call", [path, service.agentEmail, yesterday.toISOString()]);
  const second = start("follow-events", [cursor]);
  await until("the last call is ready", 30_000, () => second.output() !== "");
  expect(second.output()).toMatch(/^call\.ready [0-9a-f-]{36}\n$/);
  expect(first.output()).not.toContain(second.output());
  second.child.kill("SIGINT");
  expect(await second.ended).toBe(0);
});

test("list-calls reads all pages and saves the audio of a call", async () => {
  const { code, output } = await runToEnd("list-calls", [join(folder, "call.m4a")]);
  expect([code, output.trim().split("\n").length]).toEqual([0, 32]);
  expect((await readFile(join(folder, "call.m4a"))).subarray(4, 8).toString()).toBe("ftyp");
});

test("receive-webhooks accepts only requests from the service", async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const created = await fetch(`${service.baseUrl}/webhooks`, {
    method: "POST",
    headers: { "x-api-key": service.apiKey, "content-type": "application/json" },
    body: JSON.stringify({ url }),
  });
  const { id, secret } = (await created.json()) as { id: string; secret: string };
  const secrets = `whsec_${Buffer.from("the next secret of ours").toString("base64")} ${secret}`;
  const { output } = start("receive-webhooks", [], { PORT: String(port), WEBHOOK_SECRETS: secrets });
  await until("the server listens", 10_000, () => output().includes("listening"));
  expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(400);
  await fetch(`${service.baseUrl}/webhooks/${id}/test`, { method: "POST", headers: { "x-api-key": service.apiKey } });
  await until("the event arrives", 30_000, () => output().includes("webhook.test evt_"));
});
