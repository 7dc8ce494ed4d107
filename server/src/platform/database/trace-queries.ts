import { SpanKind } from "@opentelemetry/api";
import type { LogEvent } from "kysely";
import { endSpan, startSpan } from "../tracing/spans.ts";
import { preparedComment } from "./prepared-statement-client.ts";

const maxTextLength = 2_000;

/** The name of a prepared statement, or the first word of another one. */
const nameOf = (text: string) =>
  preparedComment.exec(text)?.[1] ?? /[a-z]+/i.exec(text)?.[0].toLowerCase() ?? "statement";

/** Records a statement that has ended as a span. Its text contains no values: they are parameters. */
export function traceQuery({ query, queryDurationMillis, ...event }: LogEvent): void {
  const span = startSpan(nameOf(query.sql), {
    kind: SpanKind.CLIENT,
    startTime: Date.now() - queryDurationMillis,
    attributes: { "db.system.name": "postgresql", "db.query.text": query.sql.slice(0, maxTextLength) },
  });
  endSpan(span, event.level === "error" ? event.error : undefined);
}
