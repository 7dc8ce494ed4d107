import { sql } from "kysely";
import type { App } from "../app.ts";
import { toAppError } from "./problem.ts";
import type { Api } from "./server.ts";

/** For load balancers and for Prometheus. They hold nothing of any customer's. */
export function healthRoutes(api: Api, app: App): void {
  const config = { access: "public" } as const;
  let closing = false;
  api.addHook("preClose", async () => {
    closing = true;
  });

  api.get("/healthz", { config, schema: { hide: true } }, async () => ({ status: "ok" }));

  api.get("/readyz", { config, schema: { hide: true } }, async (_request, reply) => {
    if (closing) return reply.code(503).send({ status: "closing" });
    try {
      await sql`select 1`.execute(app.db);
      return { status: "ready" };
    } catch (error) {
      return reply.code(503).send({ status: "waiting", reason: toAppError(error).code });
    }
  });

  api.get("/metrics", { config, schema: { hide: true } }, async (_request, reply) => {
    return reply.type(app.metrics.registry.contentType).send(await app.metrics.registry.metrics());
  });
}
