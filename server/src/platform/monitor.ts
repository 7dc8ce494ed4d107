import { createServer } from "node:http";
import { sql } from "kysely";
import type { PgBoss } from "pg-boss";
import { Gauge } from "prom-client";
import type { App } from "./app.ts";
import { ConfigError } from "./config.ts";

/** How long after a failure of the queue a worker calls itself unwell. */
const shownForMs = 15_000;

export interface Monitor {
  readonly port: number;
  close(): Promise<void>;
}

interface QueueRow {
  readonly name: string;
  readonly queued: number;
  readonly active: number;
  readonly oldestSeconds: number | null;
}

/** What waits in each queue and how long the oldest has waited, across all workers. */
export async function lookAtQueues(app: App): Promise<QueueRow[]> {
  const { rows } = await sql<QueueRow>`
    select queue.name, queue.queued_count as queued, queue.active_count as active, waiting.oldest_seconds
    from pgboss.queue left join (
      select name, extract(epoch from now() - min(start_after))::float8 as oldest_seconds from pgboss.job
      where state < 'active' and not blocked and start_after <= now() group by name
    ) as waiting on waiting.name = queue.name
    where not starts_with(queue.name, '__')`.execute(app.db);
  return rows;
}

function watchQueues(app: App): void {
  const registers = [app.metrics.registry];
  const jobs = new Gauge({
    name: "hearback_queue_jobs",
    help: "Jobs in each queue: waiting (for a lane or for their time) or active. The same on every worker",
    labelNames: ["job", "state"],
    registers,
    async collect() {
      jobs.reset();
      for (const { name, queued, active } of await lookAtQueues(app)) {
        jobs.set({ job: name, state: "waiting" }, queued);
        jobs.set({ job: name, state: "active" }, active);
      }
    },
  });
  const oldest = new Gauge({
    name: "hearback_queue_oldest_seconds",
    help: "How long the oldest job that could run has waited. The same on every worker",
    labelNames: ["job"],
    registers,
    async collect() {
      oldest.reset();
      for (const { name, oldestSeconds } of await lookAtQueues(app)) oldest.set({ job: name }, oldestSeconds ?? 0);
    },
  });
}

/** Answers /healthz and /metrics of a worker. It holds nothing of any customer's. */
export async function openMonitor(app: App, boss: PgBoss): Promise<Monitor> {
  watchQueues(app);
  let failedAt = Number.NEGATIVE_INFINITY;
  boss.on("error", () => {
    failedAt = performance.now();
  });
  const server = createServer(async (request, response) => {
    if (request.method === "GET" && request.url === "/healthz") {
      const failing = performance.now() - failedAt < shownForMs;
      response.writeHead(failing ? 503 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify({ status: failing ? "waiting" : "ok" }));
    } else if (request.method === "GET" && request.url === "/metrics") {
      const { registry } = app.metrics;
      const text = await registry.metrics().catch(() => "");
      response.writeHead(text === "" ? 503 : 200, { "content-type": registry.contentType });
      response.end(text);
    } else {
      response.writeHead(404).end();
    }
  });
  const { host } = app.config;
  const { port } = app.config.worker;
  await new Promise<void>((resolve, reject) => {
    server.once("listening", resolve).once("error", ({ code }: NodeJS.ErrnoException) => {
      const advice = "another worker on this machine? Give each its own, or 0 for any";
      reject(new ConfigError(`WORKER_PORT ${port} cannot be had (${code}): ${advice}.`));
    });
    server.listen(port, host);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
