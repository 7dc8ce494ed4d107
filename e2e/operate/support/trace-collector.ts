import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

export interface CollectedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The members of an OTLP request that the tests use. */
interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<CollectedSpan, "service" | "attributes" | "parentSpanId"> & {
        readonly parentSpanId?: string;
        readonly attributes: readonly Attribute[];
      })[];
    }[];
  }[];
}

const valuesOf = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** Receives traces as OpenTelemetry collectors do (OTLP over HTTP with JSON). */
export async function openTraceCollector() {
  const spans: CollectedSpan[] = [];
  const server = createServer(async (request, response) => {
    const { resourceSpans } = (await json(request)) as ExportRequest;
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = String(valuesOf(resource.attributes)["service.name"]);
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({
          ...span,
          parentSpanId: span.parentSpanId ?? "",
          service,
          attributes: valuesOf(span.attributes),
        });
    }
    response.setHeader("content-type", "application/json").end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
