import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "../../../e2e/support/stack/free-port.ts";
import { unlimited } from "../../../e2e/support/stack/stack.ts";
import type { Cluster, LoadedDatabase } from "./search-cluster.ts";
import { searched } from "./search-data.ts";

const server = join(import.meta.dirname, "../../../server/src/main.ts");
const run = promisify(execFile);

export interface FoundPage {
  readonly calls: readonly { readonly id: string }[];
  readonly next: string | null;
  readonly searched_to?: string;
}

/** An API process on one of the databases, in its default configuration. */
export interface SearchService {
  readonly database: LoadedDatabase;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Fetches one page. Returns it with the time until it was complete. */
  search(query: string): Promise<{ ms: number; page: FoundPage }>;
  stop(): Promise<void>;
}

export async function startService(
  cluster: Cluster,
  database: LoadedDatabase,
  cleanup: AsyncDisposableStack,
): Promise<SearchService> {
  const env = cluster.env(database.name);
  const scopes = ["--scope", "read", "import"];
  const args = [server, "key", "create", "--workspace", searched.workspaceId, "--name", "bench", ...scopes, "--json"];
  const { key: apiKey } = JSON.parse((await run(process.execPath, args, { env })).stdout) as { key: string };
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [server, "api"], {
    env: { ...env, ...unlimited, PORT: String(port) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const stop = async () => {
    agent.destroy();
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "exit");
  };
  cleanup.defer(stop);
  for (let ready = false; !ready; await sleep(50)) {
    if (child.exitCode !== null) throw new Error("the API did not start");
    ready = await fetch(`${baseUrl}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
  }

  function search(query: string): Promise<{ ms: number; page: FoundPage }> {
    const { promise, resolve, reject } = Promise.withResolvers<{ ms: number; page: FoundPage }>();
    const start = performance.now();
    const sent = request(`${baseUrl}/calls?${query}`, { agent, headers: { "x-api-key": apiKey } }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk);
      const ms = performance.now() - start;
      const text = Buffer.concat(chunks).toString();
      if (answer.statusCode === 200) resolve({ ms, page: JSON.parse(text) as FoundPage });
      else reject(new Error(`GET /calls?${query}: ${answer.statusCode} ${text}`));
    });
    sent.on("error", reject).end();
    return promise;
  }
  return { database, baseUrl, apiKey, search, stop };
}
