import { expect, test } from "vitest";
import { type Client, createClient, type ServiceError } from "./index.ts";
import { defaultRetries, openBudget, openOutage, pauseBefore } from "./retry.ts";
import { retryAfterMs } from "./service-error.ts";
import { httpServer } from "./testing/local-server.ts";

const quick = { attempts: 4, firstPauseMs: 1, longestPauseMs: 5_000 };
const call = { file: new Uint8Array(10), campaignId: "c", agentEmail: "a@b.c", happenedAt: 1_714_557_600 };

type Answer = { status: number; code?: string; retryAfter?: string } | "cut";

/** What comes of a request whose answers are these; the last is repeated. */
async function ask(method: (client: Client) => Promise<unknown>, answers: readonly Answer[], retries = quick) {
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
  ["a question without an answer", find, "cut", 2],
  ["a question over a limit", find, { status: 429 }, 2],
  ["a question to a service that cannot now", find, { status: 503 }, 2],
  ["a question to a proxy without a service", find, { status: 502 }, 2],
  ["a question to a proxy whose service is slow", find, { status: 504 }, 2],
  ["an import without an answer", importCall, "cut", 2],
  ["an import to a service that cannot now", importCall, { status: 503 }, 2],
  ["an import that meets a defect", importCall, { status: 500 }, 2],
  ["a correction without an answer", setChannel, "cut", 2],
  ["what would be done twice, if it was refused", createKey, { status: 429 }, 2],
  ["what would be done twice, if nothing was done", createKey, { status: 503, code: "storage_unavailable" }, 2],
])("sends %s again", async (_, method, answer, times) => {
  expect(await ask(method, [answer, ok])).toEqual({ requests: times, failure: undefined });
});

test.each<[string, (client: Client) => Promise<unknown>, Answer]>([
  ["what would be done twice, without an answer", createKey, "cut"],
  ["what would be done twice, when a commit may be lost", createKey, { status: 503, code: "database_unavailable" }],
  ["what would be done twice, after a defect", createKey, { status: 500 }],
  ["what would be added twice", addMetadata, "cut"],
  ["what is not allowed", find, { status: 403 }],
  ["what is wrong", importCall, { status: 422 }],
  ["what is not there", find, { status: 404 }],
  ["what has to wait for longer than a pause", importCall, { status: 429, retryAfter: "3600" }],
])("does not send %s again", async (_, method, answer) => {
  const { requests, failure } = await ask(method, [answer, ok]);
  expect([requests, failure?.attempts]).toEqual([1, 1]);
});

test("a failure tells all that is known of it", async () => {
  const { failure } = await ask(importCall, [{ status: 429, code: "quota_exceeded", retryAfter: "3600" }]);
  expect(failure).toMatchObject({
    ...{ name: "ServiceError", message: "No.", status: 429, code: "quota_exceeded", requestId: "r-1" },
    ...{ attempts: 1, retryAfterMs: 3_600_000, problem: { detail: "No." }, nothingDone: true },
  });
});

test("gives up after all attempts, and after fewer at a defect", async () => {
  expect(await ask(find, [{ status: 503 }])).toMatchObject({ requests: 4, failure: { attempts: 4 } });
  expect(await ask(find, [{ status: 500 }])).toMatchObject({ requests: 3, failure: { attempts: 3 } });
});

test("what is gone at a second attempt was removed by the first", async () => {
  const erase = (client: Client) => client.calls.erase("1");
  expect(await ask(erase, ["cut", { status: 404 }])).toEqual({ requests: 2, failure: undefined });
  expect(await ask(erase, [{ status: 500 }, { status: 404 }])).toEqual({ requests: 2, failure: undefined });
  const perhapsCommitted = { status: 503, code: "database_unavailable" };
  expect(await ask(erase, [perhapsCommitted, { status: 429 }, { status: 404 }])).toEqual({ requests: 3 });
  expect(await ask(erase, [{ status: 404 }])).toMatchObject({ requests: 1, failure: { status: 404 } });
});

test.each([
  { status: 429, code: "rate_exceeded" },
  { status: 503, code: "storage_unavailable" },
])("what is not there after an attempt that did nothing ($status) never was", async (answer) => {
  const erase = (client: Client) => client.calls.erase("1");
  const { requests, failure } = await ask(erase, [answer, { status: 404, code: "call_not_found" }]);
  expect([requests, failure?.code]).toEqual([2, "call_not_found"]);
});

test("waits as long as the service asks for", async () => {
  const started = performance.now();
  expect(await ask(importCall, [{ status: 503, retryAfter: "1" }, ok])).toMatchObject({ requests: 2 });
  expect(performance.now() - started).toBeGreaterThanOrEqual(1_000);
});

test("an answer that is cut is asked for again, and something else than JSON is not", async () => {
  const bodies = ['{"id"', "<html>"];
  let requests = 0;
  await using server = await httpServer((_, answer) => {
    const body = bodies[requests++] ?? "{}";
    answer.writeHead(200, { "content-length": body === "<html>" ? 6 : 100 });
    answer.write(body, () => body === "<html>" || answer.destroy());
  });
  const client = createClient({ baseUrl: server.baseUrl, apiKey: "key", retries: quick });
  await expect(client.limits.find()).rejects.toMatchObject({ code: "not_understood", status: 200, attempts: 2 });
});

test("stops waiting when it is told to", async () => {
  await using server = await httpServer((_, answer) => answer.writeHead(503, { "retry-after": "10" }).end());
  const client = createClient({ baseUrl: server.baseUrl, apiKey: "key" });
  const started = performance.now();
  const asked = client.limits.find({ signal: AbortSignal.timeout(50) });
  await expect(asked).rejects.toMatchObject({ name: "TimeoutError" });
  expect(performance.now() - started).toBeLessThan(1_000);
});

test("gives an attempt up that takes too long, and names where it went", async () => {
  await using server = await httpServer(() => {});
  const options = { baseUrl: server.baseUrl, apiKey: "key", retries: { attempts: 2, firstPauseMs: 1 }, timeoutMs: 50 };
  await expect(createClient(options).limits.find()).rejects.toMatchObject({
    ...{ status: 0, code: "unreachable", attempts: 2 },
    message: `No answer from ${server.baseUrl}: nothing within 0.05 s`,
  });
});

test("a download may take longer than an attempt, and fails as a request does if it is cut", async () => {
  await using server = await httpServer((_, answer) => {
    answer.write("a,b\n");
    setTimeout(() => answer.write("1,2\n", () => answer.destroy()), 150);
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

test("pauses grow, differ between clients, and never begin before the service asks for it", () => {
  const pauses = [2, 3, 4, 5, 6, 7, 8].map((attempt) => pauseBefore({ attempt, policy, random: 1 }));
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
  expect(pauseBefore({ attempt: 4, policy, random: 0 })).toBe(1_000);
  expect(pauseBefore({ attempt: 4, policy, askedMs: 2_000, random: 0 })).toBe(2_000);
  expect(pauseBefore({ attempt: 4, policy, askedMs: 2_000, random: 0.5 })).toBe(3_000);
});

test("a new request to a service that is down for long is as patient as the old ones", () => {
  let now = 0;
  const outage = openOutage(() => now);
  expect(outage.lastsMs()).toBe(0);
  now = 40_000;
  expect(pauseBefore({ attempt: 2, policy, outageMs: outage.lastsMs(), random: 1 })).toBe(10_000);
  outage.end();
  expect(pauseBefore({ attempt: 2, policy, outageMs: outage.lastsMs(), random: 1 })).toBe(500);
});

test("the default policy outlasts a restart of half a minute", () => {
  let shortest = 0;
  for (let attempt = 2; attempt <= policy.attempts; attempt++) shortest += pauseBefore({ attempt, policy, random: 0 });
  expect(shortest).toBeGreaterThan(30_000);
});

test("retries beyond the reserve come no faster than they are earned", () => {
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
