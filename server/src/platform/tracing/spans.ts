import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  propagation,
  type Span,
  type SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";

// Without open-tracing.ts, everything here does nothing and costs next to nothing.
const tracer = trace.getTracer("hearback");

/** Ids of the current span for the log, so that a log line can be found from its trace and vice versa. */
export function traceIds(): { trace_id: string; span_id: string } | Record<string, never> {
  const current = trace.getActiveSpan()?.spanContext();
  return current && isSpanContextValid(current) ? { trace_id: current.traceId, span_id: current.spanId } : {};
}

/** The current trace as `{ traceparent }` (W3C Trace Context), to continue it in another process. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}

/** A context that continues the trace of these headers, or begins a new one. */
export const continueTrace = (headers: unknown): Context => propagation.extract(context.active(), headers ?? {});

/** Ends the span. An error is recorded by its name only, because its message can contain personal data. */
export function endSpan(span: Span, error?: unknown): void {
  if (error !== undefined) {
    const name = error instanceof Error ? error.name : "Error";
    span.setAttribute("error.type", name).setStatus({ code: SpanStatusCode.ERROR, message: name });
  }
  span.end();
}

interface SpanOptions {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  readonly parent?: Context;
  /** Milliseconds since 1970, of something that has already happened. */
  readonly startTime?: number;
}

/** Starts a span without making it the current one. */
export const startSpan = (name: string, { parent = context.active(), ...options }: SpanOptions = {}) =>
  tracer.startSpan(name, options, parent);

/** Runs `work` as a span of the current trace, or of the given one. */
export async function inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const span = startSpan(name, options);
  try {
    const result = await context.with(trace.setSpan(options.parent ?? context.active(), span), work);
    endSpan(span);
    return result;
  } catch (error) {
    endSpan(span, error);
    throw error;
  }
}
