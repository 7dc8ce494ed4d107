import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { waitForCall, withEveryScope } from "../support/http/call-details.ts";
import { multipart, send } from "../support/http/http.ts";
import type { Call } from "../support/http/service.ts";
import { KB, makeRecording, partsOf, serviceAt } from "../support/recordings/recordings.ts";
import { type ApiProcess, openStack, type ServerProcess, type Stack } from "../support/stack/stack.ts";
import { openTraceCollector } from "./support/trace-collector.ts";

let collector: Awaited<ReturnType<typeof openTraceCollector>>;
let stack: Stack;
let api: ApiProcess;
let worker: ServerProcess;

beforeAll(async () => {
  collector = await openTraceCollector();
  stack = await openStack(undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  [api, worker] = await Promise.all([stack.startApi(), stack.startWorker({ LOG_LEVEL: "debug" })]);
});
afterAll(async () => {
  await stack?.stop();
  collector?.close();
});

test("the client's trace goes through API, database and store to the worker that makes the call ready", async () => {
  const service = await withEveryScope(stack, serviceAt(stack, api.port));
  const traceId = randomBytes(16).toString("hex");
  const { contentType, body } = multipart(partsOf(service, makeRecording(20 * KB)));
  const traceparent = `00-${traceId}-${randomBytes(8).toString("hex")}-01`;
  const imported = await send<Call>(`${service.baseUrl}/calls/audio`, {
    body,
    headers: { "x-api-key": service.apiKey, "content-type": contentType, traceparent },
  });
  expect(imported.status).toBe(200);
  await waitForCall(service, imported.body.id);
  // Sends the spans that are still waiting.
  expect([await api.stop(), await worker.stop()]).toEqual([0, 0]);

  const spans = collector.spans.filter((span) => span.traceId === traceId);
  const request = spans.find(({ name }) => name === "POST /calls/audio");
  expect(request).toMatchObject({
    service: "hearback-api",
    attributes: { "http.route": "/calls/audio", "http.response.status_code": 200 },
  });
  const job = spans.find(({ name }) => name === "call.prepare");
  expect(job).toMatchObject({ service: "hearback-worker", parentSpanId: request?.spanId });
  const childrenOf = (parent: typeof request) =>
    new Set(spans.filter(({ parentSpanId }) => parentSpanId === parent?.spanId).map(({ name }) => name));
  expect([...childrenOf(request)]).toEqual(expect.arrayContaining(["store object", "insert-calls", "call.prepare"]));
  expect([...childrenOf(job)]).toEqual(expect.arrayContaining(["read object", "store object", "update"]));

  const logged = (process: ServerProcess) =>
    process
      .log()
      .split("\n")
      .filter((line) => line.includes(`"trace_id":"${traceId}"`));
  expect(logged(api).join()).toContain('"msg":"request"');
  expect(logged(worker).join()).toContain('"msg":"job done"');

  const everything = JSON.stringify(collector.spans);
  for (const secret of [service.apiKey, stack.agentEmail, imported.body.id]) expect(everything).not.toContain(secret);
});
