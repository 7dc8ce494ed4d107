import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { once } from "../../async/single-flight.ts";
import { notFound } from "../../errors.ts";
import { immutable, makeStaticBody, revalidate, sendStatic } from "../body/static-body.ts";
import { errorPagePolicy, readErrorPages } from "../error-pages.ts";
import type { Api } from "../server.ts";
import { buildOpenApi } from "./openapi.ts";
import { buildReferencePages } from "./reference-pages.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** The OpenAPI document. */
    openApi: () => Readonly<Record<string, unknown>>;
  }
}

const root = join(import.meta.dirname, "../../../../..");

const sameOriginPolicy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves /openapi.json, the API reference at /docs, and a page for every error code. */
export async function documentationRoutes(api: Api): Promise<void> {
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
  api.decorate("openApi", () => buildOpenApi(api.documentedRoutes, version));
  const publicRoute = { config: { access: "public" as const } };
  // Built on the first request and cached: it takes about 10 ms and never changes.
  const openApi = once(() => makeStaticBody("application/json; charset=utf-8", JSON.stringify(api.openApi())));
  api.get("/openapi.json", publicRoute, async (request, reply) =>
    sendStatic(request, reply, await openApi(), revalidate),
  );

  const readReference = once(buildReferencePages);
  api.get("/docs", publicRoute, async (_request, reply) => reply.redirect("/docs/", 301));
  api.get("/docs/", publicRoute, async (request, reply) => {
    const { page } = await readReference();
    return sendStatic(request, reply.header("content-security-policy", sameOriginPolicy), page, revalidate);
  });
  api.get("/docs/js/scalar.js", publicRoute, async (request, reply) => {
    const { script } = await readReference();
    const versioned = (request.query as { v?: unknown }).v === script.etag;
    return sendStatic(request, reply, script, versioned ? immutable : revalidate);
  });

  const pages = await readErrorPages(join(root, "docs/errors.md"));
  api.get("/errors/:code", publicRoute, async (request, reply) => {
    const page = pages.get((request.params as { code: string }).code);
    if (!page) throw notFound.withDetail("This error code does not exist. docs/errors.md lists all codes.");
    return sendStatic(request, reply.header("content-security-policy", errorPagePolicy), page, revalidate);
  });
}
