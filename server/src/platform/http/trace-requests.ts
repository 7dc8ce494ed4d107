import { context, type Span, SpanKind, trace } from "@opentelemetry/api";
import type { FastifyRequest } from "fastify";
import { continueTrace, endSpan, startSpan, traceIds } from "../tracing/spans.ts";
import type { Api } from "./server.ts";

/** A span for each request, which continues the client's trace. Paths are recorded without the ids in them. */
export function traceRequests(api: Api): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  api.addHook("onRequest", (request, reply, done) => {
    const { method, headers, routeOptions } = request;
    const route = routeOptions.url ?? "none";
    const parent = continueTrace(headers);
    const attributes = { "http.request.method": method, "http.route": route, "hearback.request_id": request.id };
    const span = startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, parent, attributes });
    spans.set(request, span);
    context.with(trace.setSpan(parent, span), () => {
      // The logger of the request is used outside of this context, too.
      request.log = request.log.child(traceIds());
      reply.log = request.log;
      done();
    });
  });
  api.addHook("onResponse", async (request, reply) => {
    const span = spans.get(request);
    span?.setAttribute("http.response.status_code", reply.statusCode);
    if (span) endSpan(span, reply.statusCode >= 500 ? (request.refusedWith ?? "Error") : undefined);
  });
}
