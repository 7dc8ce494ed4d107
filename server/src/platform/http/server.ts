import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { App } from "../app.ts";
import { openYieldQueue } from "../async/yield-queue.ts";
import type { Caller, Role, Scope } from "../caller.ts";
import { type ErrorCode, notFound } from "../errors.ts";
import { type ByteSemaphore, openByteSemaphore } from "../storage/byte-semaphore.ts";
import { drain, forceCloseOnShutdown, refuseAmbiguous, refuseConnection } from "./connections.ts";
import { guardSlowBody } from "./form/slow-body-guard.ts";
import { logRequest, namesOf } from "./log-request.ts";
import { indexMethods } from "./method-index.ts";
import { toAppError, toProblem } from "./problem.ts";
import { securityHeaders } from "./security-headers.ts";
import { guardSlowReaders } from "./slow-reader-guard.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Limits the memory for data read from the object store but not yet sent. */
    downloadMemory: ByteSemaphore;
  }
  interface FastifyRequest {
    caller: Caller;
    /** Throws if the caller is no longer authorized. Long-running responses call it repeatedly. */
    confirmCaller: () => Promise<void>;
    /** Ids and numbers for the request's log line. */
    about: Record<string, string | number | boolean>;
    /** Size of the imported recording. */
    importedBytes: number | undefined;
    /** Error code of the response. */
    refusedWith: ErrorCode | undefined;
    /** The invalid fields of a refused request, for the log. */
    refusedFields: readonly string[] | undefined;
  }
  interface FastifyContextConfig {
    /**
     * Who may call the route: everyone, signed-in users, or API keys with one of these scopes. Without it, the route is
     * closed.
     */
    access?: "public" | "session" | readonly Scope[];
    /** Roles of signed-in users that may call the route. Default: administrators. */
    roles?: readonly Role[];
    /** Whether users who must set up two-step verification first may call the route. */
    beforeTwoStep?: boolean;
    /** Whether campaign-restricted API keys may call the route. The route then enforces the restriction itself. */
    campaignKeys?: boolean;
    /** Exempts a public route from the limit per client address, for example health checks. */
    unlimited?: boolean;
    /** Whether the request uploads a recording. Upload limits apply. */
    upload?: boolean;
    /** Whether the response is a large download. Download limits apply. */
    download?: boolean;
  }
}

export type Api = FastifyInstance<Server, IncomingMessage, ServerResponse, FastifyBaseLogger>;

/** Maximum size of a JSON body. */
export const jsonBodyBytes = 64 * 1024;

/** The HTTP server without routes: framing, timeouts, errors and logging. Routes are added in api.ts. */
export function openServer(app: App): Api {
  const { timeouts, trustedProxies } = app.config;
  const headers = securityHeaders({ secure: app.config.publicUrl.startsWith("https:") });
  const api = Fastify({
    loggerInstance: app.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    bodyLimit: jsonBodyBytes,
    // Proxies whose X-Forwarded-* headers are trusted.
    trustProxy: trustedProxies.map(({ address, prefix }) => `${address}/${prefix}`),
    genReqId: () => randomUUID(),
    forceCloseConnections: "idle",
    return503OnClosing: false,
    // Framework errors never reach the onRequest hook, so the headers are added here.
    frameworkErrors: (error, request, reply) => answerError(error, request, reply.headers(headers)),
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, headers),
    serverFactory(handler) {
      const server = createServer(
        {
          requireHostHeader: true,
          insecureHTTPParser: false,
          maxHeaderSize: 16 * 1024,
          headersTimeout: timeouts.headersMs,
          requestTimeout: timeouts.requestMs,
          keepAliveTimeout: 75_000,
          connectionsCheckingInterval: 1_000,
          noDelay: true,
        },
        handler,
      );
      server.maxHeadersCount = 100;
      forceCloseOnShutdown(server, timeouts);
      guardSlowReaders(server, {
        graceMs: timeouts.responseGraceMs,
        minBytesPerSecond: timeouts.responseMinBytesPerSecond,
      });
      // Without this listener, Node sends 100 Continue immediately. The server checks the API key first.
      server.on("checkContinue", handler);
      return server;
    },
  }) as unknown as Api;

  // Reject bodies that are not JSON by their type instead of parsing them as text.
  api.removeContentTypeParser("text/plain");
  parseJsonBodies(api);
  api.decorate("documentedRoutes", []);
  api.decorate("downloadMemory", openByteSemaphore(app.config.downloadMemoryBytes));
  api.decorateRequest("caller");
  api.decorateRequest("confirmCaller");
  api.decorateRequest("about");
  api.decorateRequest("importedBytes");
  api.decorateRequest("refusedWith");
  api.decorateRequest("refusedFields");

  api.addHook("onRequest", async (request, reply) => {
    refuseAmbiguous(request.raw);
    reply.header("x-request-id", request.id).headers(headers);
  });
  api.addHook("preParsing", async (request, reply) => {
    if (request.headers.expect) reply.raw.writeContinue();
    if (!isForm(request)) guardJsonBody(request, app);
  });
  api.addHook("onResponse", async (request, reply) => {
    drain(request.raw);
    const { method, routeOptions } = request;
    const route = routeOptions.url ?? "none";
    app.metrics.requests.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    logRequest(request, reply);
  });
  api.setErrorHandler(answerError);
  indexMethods(api);
  api.setNotFoundHandler((request) => {
    throw api.wrongMethod(request) ?? notFound();
  });
  return api;
}

/**
 * Large bodies are parsed one per iteration of the event loop: parsing and validating one takes up to 100 ms. Empty bodies are
 * accepted, because many clients send the content type with every request; routes that need a body refuse them.
 */
function parseJsonBodies(api: Api): void {
  const turn = openYieldQueue(1);
  const parse = api.getDefaultJsonParser("error", "error");
  api.removeContentTypeParser("application/json");
  api.addContentTypeParser("application/json", { parseAs: "string" }, (request, body: string, done) => {
    if (body === "") return done(null, undefined);
    const wait = body.length > jsonBodyBytes ? turn() : Promise.resolve();
    void wait.then(() => parse(request, body, done));
  });
}

const isForm = (request: FastifyRequest) => request.headers["content-type"]?.startsWith("multipart/") ?? false;

function guardJsonBody(request: FastifyRequest, app: App): void {
  const { bodyGraceMs: graceMs, bodyMinBytesPerSecond: minBytesPerSecond } = app.config.timeouts;
  const { stop } = guardSlowBody(request.raw, { graceMs, minBytesPerSecond }, () => request.raw.destroy());
  request.raw.once("end", stop).once("close", stop);
}

function answerError(thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const error = toAppError(thrown);
  request.refusedWith = error.code;
  request.refusedFields = error.issues && namesOf(error.issues);
  const problem = toProblem(error, request.id);
  if (problem.status >= 500) {
    request.log[error.code === "internal" ? "error" : "warn"]({ err: error.cause ?? error }, "request failed");
  }
  const retryAfter = error.retryAfterSeconds ?? (problem.status === 503 ? 2 : undefined);
  if (retryAfter !== undefined) reply.header("retry-after", String(retryAfter));
  if (error.allow) reply.header("allow", error.allow.join(", "));
  if (closing.has(error.code)) reply.header("connection", "close");
  reply.header("x-request-id", request.id);
  reply.code(problem.status).type("application/problem+json").send(JSON.stringify(problem));
}

/** Errors after which the connection is closed. */
const closing: ReadonlySet<string> = new Set(["body_too_slow", "request_malformed"]);
