import { expect, test } from "vitest";
import { type Client, createClient, type ServiceError } from "./index.ts";
import { backoffMs, defaultRetries, openBudget, openOutage } from "./retry.ts";
import { retryAfterMs } from "./service-error.ts";
import { httpServer } from "./testing/local-server.ts";

const quick = { attempts: 4, initialBackoffMs: 1, maxBackoffMs: 5_000 };
const call = { file: new Uint8Array(10), campaignId: "c", agentEmail: "a@b.c", happenedAt: 1_714_557_600 };

type Answer = { status: number; code?: string; retryAfter?: string } | "cut";

/** Runs the method against a server that sends these responses in order and repeats the last one. */
async function run(method: (client: Client) => Promise<unknown>, answers: readonly Answer[], retries = quick) {
  let requests = 0;
  await using server = await httpServer((request, reply) => {
    const answer = answers[Math.min(requests++, answers.length - 1)] ?? "cut";
    if (answer === "cut") return request.socket.resetAndDestroy();
    if (answer.retryAfter) reply.setHeader("retry-after", answer.retryAfter);
    request.resume().on("end", () => {
      const problem = { code: answer.code, detail: "No.", request_id: "r-1" };
      reply
        .writeHead(answer.status)
        .end(JSON.stringify(answer.status < 300 ? { id: "1", agent: {}, recording: {} } : problem));
    });
  });
  const client = createClient({ baseUrl: server.baseUrl, apiKey: "key", retries });
  const failure = await method(client).then(
    () => undefined,
    (error: ServiceError) => error,
  );
  client.close();
  return { requests, failure };
}

const find = (client: Client) => client.limits.find();
const importCall = (client: Client) => client.calls.import(call);
const createKey = (client: Client) => client.keys.create({ name: "K", scopes: ["read"] });
const addMetadata = (client: Client) => client.calls.change("1", { metadata: { add: { a: "b" } } });
const setChannel = (client: Client) => client.calls.change("1", { agentChannel: "left" });

const ok = { status: 200 };
test.each<[string, (client: Client) => Promise<unknown>, Answer, number]>([
  ["a GET without a response", find, "cut", 2],
  ["a GET over a limit", find, { status: 429 }, 2],
  ["a GET to an unavailable service", find, { status: 503 }, 2],
  ["a GET through a proxy without a backend", find, { status: 502 }, 2],
  ["a GET through a proxy with a slow backend", find, { status: 504 }, 2],
  ["an import without a response", importCall, "cut", 2],
  ["an import to an unavailable service", importCall, { status: 503 }, 2],
  ["an import that hits an internal error", importCall, { status: 500 }, 2],
  ["an idempotent change without a response", setChannel, "cut", 2],
  ["a non-idempotent request that was rejected", createKey, { status: 429 }, 2],
  ["a non-idempotent request that changed nothing", createKey, { status: 503, code: "storage_unavailable" }, 2],
])("retries %s", async (_, method, answer, times) => {
  expect(await run(method, [answer, ok])).toEqual({ requests: times, failure: undefined });
});

test.each<[string, (client: Client) => Promise<unknown>, Answer]>([
  ["a non-idempotent request without a response", createKey, "cut"],
  ["a non-idempotent request that may have been committed", createKey, { status: 503, code: "database_unavailable" }],
  ["a non-idempotent request after an internal error", createKey, { status: 500 }],
  ["adding metadata", addMetadata, "cut"],
  ["a forbidden request", find, { status: 403 }],
  ["an invalid request", importCall, { status: 422 }],
  ["a request for something that does not exist", find, { status: 404 }],
  ["a request with a long Retry-After", importCall, { status: 429, retryAfter: "3600" }],
])("does not retry %s", async (_, method, answer) => {
  const { requests, failure } = await run(method, [answer, ok]);
  expect([requests, failure?.attempts]).toEqual([1, 1]);
});

test("ServiceError carries the details of the failure", async () => {
  const { failure } = await run(importCall, [{ status: 429, code: "quota_exceeded", retryAfter: "3600" }]);
  expect(failure).toMatchObject({
    name: "ServiceError",
    message: "No.",
    status: 429,
    code: "quota_exceeded",
    requestId: "r-1",
    attempts: 1,
    retryAfterMs: 3_600_000,
    problem: { detail: "No." },
    nothingDone: true,
  });
});

test("gives up after all attempts, and earlier after internal errors", async () => {
  expect(await run(find, [{ status: 503 }])).toMatchObject({ requests: 4, failure: { attempts: 4 } });
  expect(await run(find, [{ status: 500 }])).toMatchObject({ requests: 3, failure: { attempts: 3 } });
});

test("treats 404 on a retried DELETE as success", async () => {
  const erase = (client: Client) => client.calls.erase("1");
  expect(await run(erase, ["cut", { status: 404 }])).toEqual({ requests: 2, failure: undefined });
  expect(await run(erase, [{ status: 500 }, { status: 404 }])).toEqual({ requests: 2, failure: undefined });
  const mayBeCommitted = { status: 503, code: "database_unavailable" };
  expect(await run(erase, [mayBeCommitted, { status: 429 }, { status: 404 }])).toEqual({ requests: 3 });
  expect(await run(erase, [{ status: 404 }])).toMatchObject({ requests: 1, failure: { status: 404 } });
});

test.each([
  { status: 429, code: "rate_exceeded" },
  { status: 503, code: "storage_unavailable" },
])("reports 404 after an attempt that changed nothing ($status)", async (answer) => {
  const erase = (client: Client) => client.calls.erase("1");
  const { requests, failure } = await run(erase, [answer, { status: 404, code: "call_not_found" }]);
  expect([requests, failure?.code]).toEqual([2, "call_not_found"]);
});

test("waits for Retry-After", async () => {
  const started = performance.now();
  expect(await run(importCall, [{ status: 503, retryAfter: "1" }, ok])).toMatchObject({ requests: 2 });
  expect(performance.now() - started).toBeGreaterThanOrEqual(1_000);
});

test("retries a truncated response but not one that is not JSON", async () => {
  const bodies = ['{"id"', "<html>"];
  let requests = 0;
  await using server = await httpServer((_, response) => {
    const body = bodies[requests++] ?? "{}";
    response.writeHead(200, { "content-length": body === "<html>" ? 6 : 100 });
    response.write(body, () => body === "<html>" || response.destroy());
  });
  const client = createClient({ baseUrl: server.baseUrl, apiKey: "key", retries: quick });
  await expect(client.limits.find()).rejects.toMatchObject({ code: "not_understood", status: 200, attempts: 2 });
});

test("stops waiting when the signal is aborted", async () => {
  await using server = await httpServer((_, response) => response.writeHead(503, { "retry-after": "60" }).end());
  const client = createClient({ baseUrl: server.baseUrl, apiKey: "key" });
  const request = client.limits.find({ signal: AbortSignal.timeout(50) });
  await expect(request).rejects.toMatchObject({ name: "TimeoutError" });
});

test("aborts an attempt after the timeout and names the address", async () => {
  await using server = await httpServer(() => {});
  const options = {
    baseUrl: server.baseUrl,
    apiKey: "key",
    retries: { attempts: 2, initialBackoffMs: 1 },
    timeoutMs: 50,
  };
  await expect(createClient(options).limits.find()).rejects.toMatchObject({
    status: 0,
    code: "unreachable",
    attempts: 2,
    message: `No response from ${server.baseUrl}: timeout after 0.05 s`,
  });
});

test("a download may take longer than the timeout and fails with ServiceError if it is cut off", async () => {
  await using server = await httpServer((_, response) => {
    response.write("a,b\n");
    setTimeout(() => response.write("1,2\n", () => response.destroy()), 150);
  });
  const client = createClient({ baseUrl: server.baseUrl, apiKey: "key", timeoutMs: 100 });
  const { body } = await client.calls.export({ format: "csv" });
  let text = "";
  const read = async () => {
    for await (const chunk of body) text += Buffer.from(chunk);
  };
  await expect(read()).rejects.toMatchObject({ name: "ServiceError", code: "unreachable" });
  expect(text).toBe("a,b\n1,2\n");
});

const policy = defaultRetries;

test("backoff grows exponentially, has jitter and is never shorter than Retry-After", () => {
  const pauses = [2, 3, 4, 5, 6, 7, 8].map((attempt) => backoffMs({ attempt, policy, random: 1 }));
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
  expect(backoffMs({ attempt: 4, policy, random: 0 })).toBe(1_000);
  expect(backoffMs({ attempt: 4, policy, retryAfterMs: 2_000, random: 0 })).toBe(2_000);
  expect(backoffMs({ attempt: 4, policy, retryAfterMs: 2_000, random: 0.5 })).toBe(3_000);
});

test("a new request during a long outage starts with a long backoff", () => {
  let now = 0;
  const outage = openOutage(() => now);
  expect(outage.lastsMs()).toBe(0);
  now = 40_000;
  expect(backoffMs({ attempt: 2, policy, outageMs: outage.lastsMs(), random: 1 })).toBe(10_000);
  outage.end();
  expect(backoffMs({ attempt: 2, policy, outageMs: outage.lastsMs(), random: 1 })).toBe(500);
});

test("the default policy survives a restart of 30 s", () => {
  let shortest = 0;
  for (let attempt = 2; attempt <= policy.attempts; attempt++) shortest += backoffMs({ attempt, policy, random: 0 });
  expect(shortest).toBeGreaterThan(30_000);
});

test("retries beyond the reserve are limited to the refill rate", () => {
  let now = 0;
  const budget = openBudget({ reserve: 2, perRequest: 0.5, perSecond: 4 }, () => now);
  expect([budget.spend(), budget.spend(), budget.spend(), budget.spend()]).toEqual([0, 0, 250, 500]);
  now += 500;
  expect(budget.spend()).toBe(250);
  now += 10_000;
  budget.earn();
  expect([budget.spend(), budget.spend(), budget.spend()]).toEqual([0, 0, 250]);
});

test.each([
  ["3", 3_000],
  ["0", 0],
  ["Sun, 15 Nov 2026 08:00:10 GMT", 10_000],
  ["Sun, 15 Nov 2026 07:00:00 GMT", 0],
  ["soon", undefined],
  [null, undefined],
])("reads Retry-After: %s", (header, ms) => {
  expect(retryAfterMs(header, Date.parse("2026-11-15T08:00:00Z"))).toBe(ms);
});
