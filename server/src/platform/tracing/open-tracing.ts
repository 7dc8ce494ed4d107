import { context, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { TracingConfig } from "../config.ts";

export interface Tracing {
  /** Sends the spans that were not sent yet. */
  close(): Promise<void>;
}

/** Sends the spans of this process to an OpenTelemetry collector. */
export function openTracing({ endpoint, sampleRatio }: TracingConfig, service: "api" | "worker"): Tracing {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, "")}/v1/traces` });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": `hearback-${service}`, "service.namespace": "hearback" }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    // Drops spans when the collector does not keep up or is away: tracing must never slow down or stop the service.
    spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize: 4096 })],
  });
  trace.setGlobalTracerProvider(provider);
  return { close: () => provider.shutdown().catch(() => {}) };
}
