import { execFile, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import type { CertificateBody, ErasureBody, ErasurePreviewBody } from "@hearback/contract";
import { importCall } from "../e2e/support/http/service.ts";
import { makeWav } from "../e2e/support/recordings/sounds.ts";
import { until } from "../e2e/support/waiting.ts";
import { type Cluster, openCluster } from "./support/search/search-cluster.ts";
import { agentEmail, campaignId, searched } from "./support/search/search-data.ts";
import { startService } from "./support/search/search-service.ts";

const run = promisify(execFile);
const server = join(import.meta.dirname, "../server/src/main.ts");
const hits = 120;
const defaultCalls = 10_000_000;

const usage = `npm run bench -- erase [--json] [--calls N] [--no-dump] [--dir DIR]

Imports ${hits} calls with one phone number, and as many with a number that differs in one digit, into the database of the
"search" benchmark; previews the erasure of the first number and runs it. Fails unless both match exactly those calls, or if
the number is found afterwards in a full dump (including queue and events) or in the store.

  --json     also print the results as JSON, in the last line
  --calls    number of calls in the database; default ${defaultCalls.toLocaleString("en")}
  --no-dump  skip searching the dump, which takes minutes
  --dir      location of the database; default /var/tmp/hearback-bench-search`;

/** Measures an erasure. Returns the exit code. */
export async function benchErase(args: string[], signal: AbortSignal): Promise<number> {
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      json: { type: "boolean" },
      calls: { type: "string", default: String(defaultCalls) },
      dump: { type: "boolean", default: true },
      dir: { type: "string", default: "/var/tmp/hearback-bench-search" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    console.error(usage);
    return 0;
  }
  await using cleanup = new AsyncDisposableStack();
  const cluster = await openCluster(values.dir, cleanup);
  const database = await cluster.database(Number(values.calls), { rebuild: false, signal });
  const api = await startService(cluster, database, cleanup);
  const env = cluster.env(database.name);
  await startWorker(env, cleanup);
  const apiKey = await manageKey(env);
  const service = { baseUrl: api.baseUrl, apiKey, campaignId: campaignId(0), agentEmail: agentEmail(0) };

  const number = `+3319${randomInt(1e6, 1e7)}7`;
  const near = `${number.slice(0, -1)}8`;
  const middle = database.end.getTime() / 1000 - 10 * 24 * 3600;
  const add = (value: string, at: number) =>
    importCall(service, {
      file: makeWav({ seed: at }),
      conversation_timestamp: String(at),
      metadata: JSON.stringify([{ key: "client_phone", value }]),
    });
  for (let call = 0; call < hits; call++) {
    signal.throwIfAborted();
    await add(number, middle - call * 3600);
    await add(near, middle - call * 3600 + 1);
  }
  console.error(`imported ${hits} calls with the number and ${hits} with a similar one`);

  const ask = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const headers = { "x-api-key": apiKey, ...(body && { "content-type": "application/json" }) };
    const answer = await fetch(`${api.baseUrl}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Body;
  };
  const count = (value: string) =>
    ask<ErasurePreviewBody>("POST", "/erasures/preview", { metadata: { key: "client_phone", value } });
  const began = performance.now();
  expect("the preview", (await count(number)).calls, hits);
  const previewMs = performance.now() - began;

  const erase = async (value: string): Promise<string> => {
    const { id } = await ask<ErasureBody>("POST", "/erasures", { metadata: { key: "client_phone", value } });
    await until(
      "the erasure is done",
      120_000,
      async () => (await ask<ErasureBody>("GET", `/erasures/${id}`)).ended_at,
    );
    return id;
  };
  const requested = performance.now();
  const id = await erase(number);
  const erasureMs = performance.now() - requested;
  const certificate = await ask<CertificateBody>("GET", `/erasures/${id}/certificate`);
  expect("the erasure", certificate.erased, hits);
  expect("a second preview", (await count(number)).calls, 0);
  expect("the near number", (await count(near)).calls, hits);
  if (JSON.stringify(certificate).includes(number)) throw new Error("the certificate contains the number");
  expect("objects with the number", await inStore(env.STORAGE_DIR ?? "", number), 0);
  if (values.dump) {
    const found = await inDump(cluster, database.name, [number, near]);
    expect("places in the dump", found.get(number) ?? 0, 0);
    if ((found.get(near) ?? 0) < hits) throw new Error("the dump was not searched");
  }
  await erase(near);

  const figures = { calls: database.calls, hits, preview_ms: Math.round(previewMs), erasure_ms: Math.round(erasureMs) };
  const where = values.dump ? "dump, store, queue and events" : "the store";
  console.log(
    `${hits} of ${database.calls.toLocaleString("en")} calls previewed in ${figures.preview_ms} ms and erased in ${figures.erasure_ms} ms; nothing left in ${where}.`,
  );
  if (values.json) console.log(JSON.stringify(figures));
  return 0;
}

function expect(what: string, found: number, wanted: number): void {
  if (found !== wanted) throw new Error(`${what}: ${found} instead of ${wanted}`);
}

async function manageKey(env: Record<string, string>): Promise<string> {
  const scopes = ["--scope", "import", "read", "manage"];
  const args = ["key", "create", "--workspace", searched.workspaceId, "--name", "bench", ...scopes, "--json"];
  return (JSON.parse((await run(process.execPath, [server, ...args], { env })).stdout) as { key: string }).key;
}

async function startWorker(env: Record<string, string>, cleanup: AsyncDisposableStack): Promise<void> {
  const worker = spawn(process.execPath, [server, "worker"], {
    env: { ...env, WORKER_PORT: "0" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  cleanup.defer(async () => {
    if (worker.exitCode !== null || worker.signalCode !== null) return;
    worker.kill("SIGTERM");
    await once(worker, "exit");
  });
}

/** Counts objects whose name or content contains the text. */
async function inStore(dir: string, text: string): Promise<number> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  let found = 0;
  for (const file of files) if (file.includes(text) || (await readFile(file)).includes(text)) found += 1;
  return found;
}

/** Counts the occurrences of each text in a full dump, which is searched as a stream. */
async function inDump(cluster: Cluster, database: string, texts: readonly string[]): Promise<Map<string, number>> {
  const command = 'pg_dump --dbname "$1" | { grep -oF -e "$2" -e "$3" || true; } | sort | uniq -c';
  const args = ["-o", "pipefail", "-c", command, "bash", cluster.adminUrl(database), ...texts];
  const { stdout } = await run("bash", args);
  const lines = stdout.split("\n").map((line) => /^ *(\d+) (.*)$/.exec(line));
  return new Map(lines.flatMap((line) => (line ? [[line[2] ?? "", Number(line[1])] as const] : [])));
}
