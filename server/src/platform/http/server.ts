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
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import type { App } from "../app.ts";
import type { Caller, Role, Scope } from "../caller.ts";
import { AppError, type ErrorCode } from "../errors.ts";
import { drain, limitClosing, refuseAmbiguous, refuseConnection } from "./connections.ts";
import { toAppError, toProblem } from "./problem.ts";
import { watchBody } from "./watch-body.ts";

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller;
    /** Refuses a caller who may not do this any more: asked again and again by what takes long. */
    confirmCaller: () => Promise<void>;
    /** What the request was about, for its line in the log: ids and numbers. */
    about: Record<string, string | number | boolean>;
    /** Bytes of the recording that it added to the workspace. */
    importedBytes: number | undefined;
    /** The code of its refusal. */
    refusedWith: ErrorCode | undefined;
  }
  interface FastifyContextConfig {
    /** Who may call the route: everybody, who is signed in, or a key with one of these scopes. A route that does not say it is closed. */
    access?: "public" | "session" | readonly Scope[];
    /** Who of those who are signed in may call it: administrators if it does not say. */
    roles?: readonly Role[];
    /** Whether a key that is restricted to some campaigns may call it. The route then holds the restriction itself. */
    campaignKeys?: boolean;
    /** Whether it brings a recording: such requests have limits of their own. */
    upload?: boolean;
  }
}

export type Api = FastifyInstance<Server, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>;

/** The most that a JSON body may have. */
export const jsonBodyBytes = 64 * 1024;

/** The bare server: framing, timeouts, errors, logging. What it serves is in api.ts. */
export function openServer(app: App): Api {
  const { timeouts, trustedProxies } = app.config;
  const api = Fastify({
    loggerInstance: app.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    bodyLimit: jsonBodyBytes,
    // Whom we believe about where a request came from.
    trustProxy: trustedProxies.map(({ address, prefix }) => `${address}/${prefix}`),
    genReqId: () => randomUUID(),
    forceCloseConnections: "idle",
    return503OnClosing: false,
    frameworkErrors: answerError,
    clientErrorHandler: refuseConnection,
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
      limitClosing(server, timeouts);
      // Without a listener Node says "go on" by itself; we first look at the key.
      server.on("checkContinue", handler);
      return server;
    },
  }).withTypeProvider<ZodTypeProvider>() as unknown as Api;

  // What is not JSON is refused by its type, not parsed as text.
  api.removeContentTypeParser("text/plain");
  // Answers are put together field by field by the to…Body functions: nothing is left to strip or to convert.
  api.setSerializerCompiler(() => (body) => JSON.stringify(body));
  // Bodies are parsed by the routes, which tell a missing value (400) from a wrong one (422).
  api.setValidatorCompiler(() => (value) => ({ value }));
  api.decorateRequest("caller");
  api.decorateRequest("confirmCaller");
  api.decorateRequest("about");
  api.decorateRequest("importedBytes");
  api.decorateRequest("refusedWith");

  api.addHook("onRequest", async (request, reply) => {
    refuseAmbiguous(request.raw);
    reply.header("x-request-id", request.id);
    reply.header("x-content-type-options", "nosniff");
  });
  api.addHook("preParsing", async (request, reply) => {
    if (request.headers.expect) reply.raw.writeContinue();
    if (!isForm(request)) watchJsonBody(request, app);
  });
  api.addHook("onResponse", async (request, reply) => {
    drain(request.raw);
    const { method, routeOptions } = request;
    // Probes and scrapes come every few seconds and say nothing.
    const route = routeOptions.url ?? "none";
    const seconds = reply.elapsedTime / 1000;
    app.metrics.requests.observe({ method, route, status: reply.statusCode }, seconds);
    // Neither does each request of a flood: the gate tells how many there were.
    const quiet = routeOptions.config.access === "public" || reply.statusCode === 429;
    const level = quiet ? "debug" : "info";
    const ms = Math.round(reply.elapsedTime);
    request.log[level]({ method, route, status: reply.statusCode, ms, ...request.about }, "request");
  });
  api.setErrorHandler(answerError);
  api.setNotFoundHandler(() => {
    throw new AppError("not_found", "There is nothing at this address. GET /docs lists what there is.");
  });
  return api;
}

const isForm = (request: FastifyRequest) => request.headers["content-type"]?.startsWith("multipart/") ?? false;

function watchJsonBody(request: FastifyRequest, app: App): void {
  const { bodyGraceMs: graceMs, bodyMinBytesPerSecond: minBytesPerSecond } = app.config.timeouts;
  const { stop } = watchBody(request.raw, { graceMs, minBytesPerSecond }, () => request.raw.destroy());
  request.raw.once("end", stop).once("close", stop);
}

function answerError(thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const error = toAppError(thrown);
  request.refusedWith = error.code;
  const problem = toProblem(error, request.id);
  if (problem.status >= 500) {
    request.log[error.code === "internal" ? "error" : "warn"]({ err: error.cause ?? error }, "request failed");
  }
  const retryAfter = error.retryAfterSeconds ?? (problem.status === 503 ? 2 : undefined);
  if (retryAfter !== undefined) reply.header("retry-after", String(retryAfter));
  if (closing.has(error.code)) reply.header("connection", "close");
  reply.header("x-request-id", request.id);
  // Serialised here: the route's schemas know some of these bodies less exactly.
  reply.code(problem.status).type("application/problem+json").send(JSON.stringify(problem));
}

/** After these nothing more is read from the connection. */
const closing: ReadonlySet<string> = new Set(["body_too_slow", "request_malformed"]);
