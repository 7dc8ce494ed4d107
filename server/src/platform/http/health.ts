import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../app.ts";
import { cacheResult } from "../async/single-flight.ts";
import { checkReadiness } from "../readiness.ts";
import type { Api } from "./server.ts";

const cacheTtlMs = 500;

/** Health and metrics endpoints for load balancers and Prometheus. They expose no customer data. */
export function healthRoutes(api: Api, app: App): void {
  const config = { access: "public", unlimited: true } as const;
  // Public and not rate-limited, so the results are cached.
  const cachedReadiness = cacheResult(cacheTtlMs, () => checkReadiness(app));
  const cachedMetrics = cacheResult(cacheTtlMs, () => app.metrics.registry.metrics());
  let closing = false;
  // Load balancers see that the process is stopping before it refuses connections.
  api.addHook("preClose", async () => {
    closing = true;
    await sleep(app.config.timeouts.shutdownDelayMs);
  });

  api.get("/healthz", { config }, async (_request, reply) => {
    if (closing) return reply.code(503).send({ status: "closing" });
    return { status: "ok" };
  });

  api.get("/readyz", { config }, async (_request, reply) => {
    if (closing) return reply.code(503).send({ status: "closing" });
    const readiness = await cachedReadiness();
    return reply.code(readiness.status === "ready" ? 200 : 503).send(readiness);
  });

  if (app.config.metricsPort > 0) return;
  api.get("/metrics", { config }, async (_request, reply) => {
    return reply.type(app.metrics.registry.contentType).send(await cachedMetrics());
  });
}
