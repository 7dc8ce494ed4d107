import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withEveryScope } from "../support/http/call-details.ts";
import { expectProblem } from "../support/http/expect-problem.ts";
import { type Answer, begin, multipart, type Part, send } from "../support/http/http.ts";
import { type Operation, readInterface } from "../support/http/openapi.ts";
import { callParts } from "../support/http/service.ts";
import { scale } from "../support/run-scale.ts";
import { openToxicProxy } from "../support/servers/toxic-proxy.ts";
import { createKey, local, target } from "../support/stack/target.ts";
import type { RequestOverrides, TestContext } from "./documented-row.ts";
import { rows, unprovokable } from "./documented-rows.ts";

/*
 * Tests the service against its OpenAPI document: calls every operation, provokes every documented status, and validates
 * every response against its schema. Fails if a documented status is not provoked.
 */
const documented = target.local && (await readInterface(target.baseUrl));
const operations = documented?.operations ?? [];
const pairs = operations.flatMap((operation) => operation.statuses.map((status) => ({ operation, status })));
const provoked = new Set<string>();

/** URL, headers and body of a request: the documented examples with overrides. */
function requestFor(operation: Operation, context: TestContext, overrides: RequestOverrides) {
  const { params = {}, query = "", apiKey = context.service.apiKey, baseUrl = context.service.baseUrl } = overrides;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? randomUUID());
  const form = operation.body?.type === "multipart/form-data";
  const body = overrides.body ?? (form ? callParts(context.service) : operation.body?.example);
  const parts = form ? multipart(body as Part[]) : undefined;
  const type = parts?.contentType ?? (body === undefined ? undefined : "application/json");
  return {
    url: `${baseUrl}${path}${query}`,
    method: operation.method,
    headers: {
      ...(apiKey !== null && { "x-api-key": apiKey }),
      ...(type && { "content-type": type }),
      ...overrides.headers,
    },
    body: parts?.body ?? (typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body)),
  };
}

/** A value of the wrong type. */
const wrongFor = (value: unknown) => (typeof value === "object" ? "wrong" : { wrong: true });

type Provoke = (operation: Operation, context: TestContext) => Promise<Answer> | undefined;

/** Provokes a status that many operations share; undefined if the operation needs its own row. */
const inGeneral: Readonly<Record<number, Provoke>> = {
  400: ({ id, body, parameters }, { ask }) => {
    // Omit required query parameters.
    if (!body) return parameters.some((each) => each.in === "query" && each.required) ? ask(id) : undefined;
    return body.type === "application/json" ? ask(id, { body: "{" }) : ask(id, { headers: { "content-type": "a/b" } });
  },
  401: ({ id }, { ask }) => ask(id, { apiKey: null }),
  403: async ({ id }, { ask }) => {
    const keys = await narrowKeys;
    const answers = await Promise.all(keys.map((apiKey) => ask(id, { apiKey })));
    return answers.find(({ status }) => status === 403) ?? (answers[0] as Answer);
  },
  404: ({ id, path }, { ask }) => (path.includes("{") ? ask(id) : undefined),
  413: (operation, context) => {
    const { url, method, headers } = requestFor(operation, context, {});
    // Announce a large body; it is rejected before it is sent.
    return begin(url, { method, headers: { ...headers, "content-length": String(10 * 2 ** 30) } }).answer;
  },
  422: ({ id, body, parameters }, { ask }) => {
    const example = body?.type === "application/json" ? (body.example as Record<string, unknown>) : {};
    const [member] = Object.entries(example);
    if (member) return ask(id, { body: { ...example, [member[0]]: wrongFor(member[1]) } });
    const names = parameters.filter((parameter) => parameter.in === "query").map(({ name }) => `${name}=wrong`);
    return names.length > 0 ? ask(id, { query: `?${names.join("&")}` }) : undefined;
  },
};

let narrowKeys: Promise<string[]>;
let context: TestContext;

describe.runIf(documented)("OpenAPI document", () => {
  beforeAll(async () => {
    const stack = local();
    const service = await withEveryScope(stack, target);
    narrowKeys = Promise.all(
      (["import", "read", "manage"] as const).map(async (scope) => (await createKey(scope)).key),
    );
    context = {
      stack,
      service,
      ask(id, overrides = {}) {
        const operation = operations.find((each) => each.id === id);
        if (!operation) throw new Error(`no operation ${id} in the OpenAPI document`);
        const { url, ...sending } = requestFor(operation, context, overrides);
        return send(url, sending);
      },
    };
  });

  /** Validates the response against its documented schema. */
  function expectDocumented(operation: Operation, status: number, answer: Answer): void {
    if (status >= 400) expectProblem(answer, status);
    expect(answer.status, answer.text).toBe(status);
    expect(documented?.wrongWith(operation, answer)).toEqual([]);
    if (status === 503 || status === 429) expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    provoked.add(`${operation.id} ${status}`);
  }

  test("every example matches its schema", () => {
    expect(documented?.wrongExamples()).toEqual([]);
  });

  test.each(rows)("$operation answers $status", async ({ operation: id, status, provoke }) => {
    const operation = operations.find((each) => each.id === id);
    expect(operation?.statuses, `${id} ${status} is not documented any more`).toContain(status);
    if (operation) expectDocumented(operation, status, await provoke(context));
  });

  const general = pairs.filter(
    ({ operation, status }) =>
      status in inGeneral &&
      !(`${operation.id} ${status}` in unprovokable()) &&
      !rows.some((row) => row.operation === operation.id && row.status === status),
  );
  test.each(general)("$operation.id answers $status (shared)", async ({ operation, status }) => {
    const answer = await inGeneral[status]?.(operation, context);
    if (!answer) throw new Error(`${operation.id} ${status} needs a row in documented-rows.ts`);
    expectDocumented(operation, status, answer);
  });

  /**
   * These statuses come from before an operation's own code. For a change, one reading and one writing operation of each kind
   * of access provokes them; nightly, all operations do.
   */
  const allOf = (status: number) => {
    const all = pairs.filter((pair) => pair.status === status && !(`${pair.operation.id} ${status}` in unprovokable()));
    const kinds = new Map(all.map((pair) => [`${pair.operation.access} ${pair.operation.method === "GET"}`, pair]));
    return scale([...kinds.values()], all, all);
  };

  describe.runIf(allOf(429).length > 0)("over the rate limit", () => {
    let baseUrl: string;
    beforeAll(async () => {
      ({ baseUrl } = await context.stack.startApi({
        env: { LIMIT_KEY_REQUESTS_PER_SECOND: "1", LIMIT_ADDRESS_REQUESTS_PER_SECOND: "1" },
      }));
    });
    test.each(allOf(429))("$operation.id answers $status", async ({ operation }) => {
      // The bucket of an address holds ten requests.
      const asked = Array.from({ length: 20 }, () => context.ask(operation.id, { baseUrl }));
      const answers = await Promise.all(asked);
      const refused = answers.find(({ status }) => status === 429) ?? (answers[0] as Answer);
      expectDocumented(operation, 429, refused);
    });
  });

  describe("without a database", () => {
    let baseUrl: string;
    beforeAll(async () => {
      const { DATABASE_URL = "" } = context.stack.env;
      const proxy = await openToxicProxy(Number(new URL(DATABASE_URL).port));
      ({ baseUrl } = await context.stack.startApi({ env: { DATABASE_URL: proxy.url(DATABASE_URL) } }));
      proxy.inject("down");
    });
    test.each(allOf(503))("$operation.id answers $status", async ({ operation }) => {
      expectDocumented(operation, 503, await context.ask(operation.id, { baseUrl }));
    });
  });

  describe("with a missing table", () => {
    const rename = (from: string, to: string) => context.stack.adminDb.query(`alter table ${from} rename to ${to}`);
    // The tables that authentication and public routes read.
    const tables = ["api_key", "credential", "sign_in_guess", "access_link"];
    let baseUrl: string;
    beforeAll(async () => {
      // A new process with empty caches.
      ({ baseUrl } = await context.stack.startApi());
      for (const table of tables) await rename(table, `${table}_gone`);
    });
    afterAll(async () => {
      for (const table of tables) await rename(`${table}_gone`, table);
    });
    test.each(allOf(500))("$operation.id answers $status", async ({ operation }) => {
      expectDocumented(operation, 500, await context.ask(operation.id, { baseUrl }));
    });
  });

  test("every documented status was provoked", () => {
    const reasons = unprovokable();
    const names = pairs.map(({ operation, status }) => `${operation.id} ${status}`);
    const ofKinds = pairs.filter(({ status }) => [429, 500, 503].includes(status));
    const left = new Set(scale(ofKinds, [], []).map(({ operation, status }) => `${operation.id} ${status}`));
    expect(names.filter((name) => !provoked.has(name) && !(name in reasons) && !left.has(name))).toEqual([]);
    expect(Object.keys(reasons).filter((name) => !names.includes(name))).toEqual([]);
  });
});
