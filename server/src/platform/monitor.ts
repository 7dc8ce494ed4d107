import { createServer } from "node:http";
import { sql } from "kysely";
import type { PgBoss } from "pg-boss";
import { Gauge } from "prom-client";
import type { App } from "./app.ts";
import { ConfigError } from "./config.ts";
import { sendMetrics } from "./metrics-server.ts";
import { countSetAside } from "./queue/set-aside.ts";
import { forceIndexScans } from "./queue/supervision.ts";
import { checkReadiness } from "./readiness.ts";

/** How long /healthz reports a failure of the queue. */
const unhealthyMs = 15_000;

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

/** Waiting and active jobs of each queue and the age of the oldest waiting job, across all workers. */
export async function queueStats(app: App): Promise<QueueRow[]> {
  return app.db.transaction().execute(async (tx) => {
    await forceIndexScans(tx);
    const { rows } = await sql<QueueRow>`
      select queue.name, coalesce(waiting.count, 0) as queued, coalesce(running.count, 0) as active, waiting.oldest_seconds
      from pgboss.queue left join (
        select name, count(*)::int, extract(epoch from now() - min(start_after) filter (where start_after <= now()))::float8
          as oldest_seconds
        from pgboss.job where state < 'active' and not blocked group by name
      ) as waiting on waiting.name = queue.name
      left join (
        select name, count(*)::int from pgboss.job where state = 'active' group by name
      ) as running on running.name = queue.name
      where not starts_with(queue.name, '__')`.execute(tx);
    return rows;
  });
}

function registerQueueMetrics(app: App): void {
  const registers = [app.metrics.registry];
  const jobs = new Gauge({
    name: "hearback_queue_jobs",
    help: "Jobs in each queue: waiting (for a worker or their start time) or active. The same on every worker",
    labelNames: ["queue", "state"],
    registers,
    async collect() {
      jobs.reset();
      for (const { name, queued, active } of await queueStats(app)) {
        jobs.set({ queue: name, state: "waiting" }, queued);
        jobs.set({ queue: name, state: "active" }, active);
      }
    },
  });
  const oldest = new Gauge({
    name: "hearback_queue_oldest_seconds",
    help: "Age of the oldest job that is ready to run. The same on every worker",
    labelNames: ["queue"],
    registers,
    async collect() {
      oldest.reset();
      for (const { name, oldestSeconds } of await queueStats(app)) oldest.set({ queue: name }, oldestSeconds ?? 0);
    },
  });
  const setAside = new Gauge({
    name: "hearback_queue_set_aside_jobs",
    help: "Jobs set aside until a worker that supports them starts. The same on every worker",
    labelNames: ["queue"],
    registers,
    async collect() {
      setAside.reset();
      for (const { name, count } of await countSetAside(app.db)) setAside.set({ queue: name.slice(0, 100) }, count);
    },
  });
}

/** Serves /healthz, /readyz and /metrics of a worker. Exposes no customer data. */
export async function openMonitor(app: App, boss: PgBoss): Promise<Monitor> {
  registerQueueMetrics(app);
  let failedAt = Number.NEGATIVE_INFINITY;
  boss.on("error", () => {
    failedAt = performance.now();
  });
  const server = createServer(async (request, response) => {
    if (request.method === "GET" && request.url === "/healthz") {
      const failing = performance.now() - failedAt < unhealthyMs;
      response.writeHead(failing ? 503 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify({ status: failing ? "waiting" : "ok" }));
    } else if (request.method === "GET" && request.url === "/readyz") {
      const readiness = await checkReadiness(app);
      response.writeHead(readiness.status === "ready" ? 200 : 503, { "content-type": "application/json" });
      response.end(JSON.stringify(readiness));
    } else if (request.method === "GET" && request.url === "/metrics") {
      await sendMetrics(app, response);
    } else {
      response.writeHead(404).end();
    }
  });
  const { host } = app.config;
  const { port } = app.config.worker;
  await new Promise<void>((resolve, reject) => {
    server.once("listening", resolve).once("error", ({ code }: NodeJS.ErrnoException) => {
      const advice = "If another worker runs on this machine, give each its own port, or 0 for any free port";
      reject(new ConfigError(`Cannot listen on WORKER_PORT ${port} (${code}). ${advice}.`));
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
