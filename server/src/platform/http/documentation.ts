import { readFile } from "node:fs/promises";
import { join } from "node:path";
import swagger from "@fastify/swagger";
import Fastify, { type FastifyInstance } from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { AppError } from "../errors.ts";
import { errorPagePolicy, readErrorPages } from "./error-pages.ts";
import { limitHeaders, withLimitHeaders } from "./limit-headers.ts";
import type { Api } from "./server.ts";

const root = join(import.meta.dirname, "../../../..");

const nothingFromOutside =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What the service is, to machines and people: /openapi.json, /docs, and a page for every error code. */
export async function documentationRoutes(api: Api): Promise<void> {
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
  await api.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Hearback",
        version,
        description: "Receives recorded telephone calls, keeps them safe and helps people listen, score and improve.",
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: "/" }],
      components: {
        headers: limitHeaders,
        securitySchemes: {
          key: { type: "apiKey", in: "header", name: "x-api-key" },
          session: { type: "apiKey", in: "cookie", name: "__Host-hearback", description: "POST /session gives it." },
        },
      },
      security: [{ key: [] }, { session: [] }],
    },
    transform: withExamples(jsonSchemaTransform),
    transformObject: (document) => withLimitHeaders(withDeepObjects(jsonSchemaTransformObject(document))),
  });

  const publicRoute = { config: { access: "public" as const }, schema: { hide: true } };
  api.get("/openapi.json", publicRoute, async () => api.swagger());

  const readReference = openReference();
  for (const path of ["/docs", "/docs/", "/docs/js/scalar.js"]) {
    api.get(path, publicRoute, async (_request, reply) => {
      const page = await readReference(path);
      return reply
        .code(page.statusCode)
        .headers(page.headers)
        .header("content-security-policy", nothingFromOutside)
        .send(page.rawPayload);
    });
  }

  const pages = await readErrorPages(join(root, "docs/errors.md"));
  api.get("/errors/:code", publicRoute, async (request, reply) => {
    const page = pages.get((request.params as { code: string }).code);
    if (!page) throw new AppError("not_found", "There is no such error code. docs/errors.md lists them.");
    return reply.header("content-security-policy", errorPagePolicy).type("text/html; charset=utf-8").send(page);
  });
}

type Transform = typeof jsonSchemaTransform;
type Answer = { content?: Record<string, { examples?: unknown }> };

/** Carries the examples of answers over: the transformation of schemas leaves them behind. */
function withExamples(transform: Transform): Transform {
  return (route) => {
    const transformed = transform(route);
    const made = (transformed.schema as { response?: Record<string, Answer> }).response ?? {};
    const declared = (route.schema as { response?: Record<string, Answer> } | undefined)?.response ?? {};
    for (const [status, { content = {} }] of Object.entries(declared)) {
      for (const [type, { examples }] of Object.entries(content)) {
        const target = made[status]?.content?.[type];
        if (target && examples) target.examples = examples;
      }
    }
    return transformed;
  };
}

/** The reference page. Its library is loaded when somebody first looks: it takes memory that imports can use better. */
function openReference() {
  let loaded: Promise<FastifyInstance> | undefined;
  async function load(): Promise<FastifyInstance> {
    const { default: scalar } = await import("@scalar/fastify-api-reference");
    const docs = Fastify();
    await docs.register(scalar, {
      routePrefix: "/docs",
      configuration: {
        url: "/openapi.json",
        title: "Hearback",
        // What the library offers beyond the reference leads to its maker's services.
        withDefaultFonts: false,
        telemetry: false,
        showDeveloperTools: "never",
        hideClientButton: true,
        agent: { disabled: true },
        mcp: { disabled: true },
      },
    });
    return docs;
  }
  return async (path: string) => {
    loaded ??= load();
    return (await loaded).inject(path);
  };
}

interface Parameter {
  readonly in?: string;
  readonly schema?: { readonly type?: string };
  style?: string;
  explode?: boolean;
}

/** An object in a query is sent as name[key]=value. */
function withDeepObjects<Document extends object>(document: Document): Document {
  const { paths = {} } = document as { paths?: Record<string, Record<string, { parameters?: Parameter[] }>> };
  const parameters = Object.values(paths).flatMap((path) =>
    Object.values(path).flatMap((route) => route.parameters ?? []),
  );
  for (const parameter of parameters) {
    if (parameter.in === "query" && parameter.schema?.type === "object") {
      Object.assign(parameter, { style: "deepObject", explode: true });
    }
  }
  return document;
}
