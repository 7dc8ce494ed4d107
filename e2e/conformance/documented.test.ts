import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectProblem } from "../support/expect-problem.ts";
import { openGate } from "../support/gate.ts";
import { type Answer, begin, multipart, type Part, send } from "../support/http.ts";
import { type Operation, readInterface } from "../support/openapi.ts";
import { withEveryScope } from "../support/prepared.ts";
import { callParts } from "../support/service.ts";
import { aKey, local, target } from "../support/target.ts";
import { type Asking, rows, unprovokable, type World } from "./documented-rows.ts";

/*
 * What the documentation says is so: every operation is called, every status that it may answer with is brought about, and
 * every answer is measured by the schema that is documented for it. A documented status that nothing here provokes fails.
 */
const documented = target.local && (await readInterface(target.baseUrl));
const operations = documented?.operations ?? [];
const pairs = operations.flatMap((operation) => operation.statuses.map((status) => ({ operation, status })));
const provoked = new Set<string>();

/** The address, the headers and the body of a request: as documented, except for what is asked otherwise. */
function requestFor(operation: Operation, world: World, asking: Asking) {
  const { params = {}, query = "", apiKey = world.service.apiKey, baseUrl = world.service.baseUrl } = asking;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? randomUUID());
  const form = operation.body?.type === "multipart/form-data";
  const body = asking.body ?? (form ? callParts(world.service) : operation.body?.example);
  const parts = form ? multipart(body as Part[]) : undefined;
  const type = parts?.contentType ?? (body === undefined ? undefined : "application/json");
  return {
    url: `${baseUrl}${path}${query}`,
    method: operation.method,
    headers: {
      ...(apiKey !== null && { "x-api-key": apiKey }),
      ...(type && { "content-type": type }),
      ...asking.headers,
    },
    body: parts?.body ?? (typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body)),
  };
}

/** A value that cannot be right where this one is. */
const wrongFor = (value: unknown) => (typeof value === "object" ? "wrong" : { wrong: true });

type Provoke = (operation: Operation, world: World) => Promise<Answer> | undefined;

/** How a status is brought about that many operations have. Undefined: not for this one, it needs a row. */
const inGeneral: Readonly<Record<number, Provoke>> = {
  400: ({ id, body, parameters }, { ask }) => {
    // Without its query, where something in it is required.
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
  413: (operation, world) => {
    const { url, method, headers } = requestFor(operation, world, {});
    // Announced, and refused before any of it is sent.
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
let world: World;

describe.runIf(documented)("what is documented", () => {
  beforeAll(async () => {
    const stack = local();
    const service = await withEveryScope(stack, target);
    narrowKeys = Promise.all((["import", "read", "manage"] as const).map(async (scope) => (await aKey(scope)).key));
    world = {
      stack,
      service,
      ask(id, asking = {}) {
        const operation = operations.find((each) => each.id === id);
        if (!operation) throw new Error(`there is no operation ${id} in the documentation`);
        const { url, ...sending } = requestFor(operation, world, asking);
        return send(url, sending);
      },
    };
  });

  /** The answer is the documented one. */
  function expectDocumented(operation: Operation, status: number, answer: Answer): void {
    if (status >= 400) expectProblem(answer, status);
    expect(answer.status, answer.text).toBe(status);
    expect(documented?.wrongWith(operation, answer)).toEqual([]);
    if (status === 503 || status === 429) expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    provoked.add(`${operation.id} ${status}`);
  }

  test("every example fits the schema it stands beside", () => {
    expect(documented?.wrongExamples()).toEqual([]);
  });

  test.each(rows)("$operation answers $status", async ({ operation: id, status, provoke }) => {
    const operation = operations.find((each) => each.id === id);
    expect(operation?.statuses, `${id} ${status} is not documented any more`).toContain(status);
    if (operation) expectDocumented(operation, status, await provoke(world));
  });

  const general = pairs.filter(
    ({ operation, status }) =>
      status in inGeneral &&
      !(`${operation.id} ${status}` in unprovokable()) &&
      !rows.some((row) => row.operation === operation.id && row.status === status),
  );
  test.each(general)("$operation.id answers $status, as others do", async ({ operation, status }) => {
    const answer = await inGeneral[status]?.(operation, world);
    if (!answer) throw new Error(`${operation.id} ${status} needs a row in documented-rows.ts`);
    expectDocumented(operation, status, answer);
  });

  const allOf = (status: number) => pairs.filter((pair) => pair.status === status);

  describe.runIf(allOf(429).length > 0)("over the rate", () => {
    let baseUrl: string;
    beforeAll(async () => {
      ({ baseUrl } = await world.stack.startApi({ env: { LIMIT_KEY_REQUESTS_PER_SECOND: "1" } }));
    });
    test.each(allOf(429))("$operation.id answers $status", async ({ operation }) => {
      const asked = Array.from({ length: 20 }, () => world.ask(operation.id, { baseUrl }));
      const answers = await Promise.all(asked);
      const refused = answers.find(({ status }) => status === 429) ?? (answers[0] as Answer);
      expectDocumented(operation, 429, refused);
    });
  });

  describe("without a database", () => {
    let baseUrl: string;
    beforeAll(async () => {
      const url = new URL(world.stack.env.DATABASE_URL ?? "");
      const gate = await openGate(Number(url.port));
      url.port = String(gate.port);
      ({ baseUrl } = await world.stack.startApi({ env: { DATABASE_URL: url.href } }));
      await gate.shut();
    });
    test.each(allOf(503))("$operation.id answers $status", async ({ operation }) => {
      expectDocumented(operation, 503, await world.ask(operation.id, { baseUrl }));
    });
  });

  describe("with a defect: a table has gone", () => {
    const rename = (from: string, to: string) => world.stack.adminDb.query(`alter table ${from} rename to ${to}`);
    // What identifies a key, and what those read who have none.
    const tables = ["api_key", "credential", "sign_in_guess", "access_link"];
    let baseUrl: string;
    beforeAll(async () => {
      // A process of its own: it believes nothing that was found before.
      ({ baseUrl } = await world.stack.startApi());
      for (const table of tables) await rename(table, `${table}_gone`);
    });
    afterAll(async () => {
      for (const table of tables) await rename(`${table}_gone`, table);
    });
    test.each(allOf(500))("$operation.id answers $status", async ({ operation }) => {
      expectDocumented(operation, 500, await world.ask(operation.id, { baseUrl }));
    });
  });

  test("was all of it brought about", () => {
    const reasons = unprovokable();
    const names = pairs.map(({ operation, status }) => `${operation.id} ${status}`);
    expect(names.filter((name) => !provoked.has(name) && !(name in reasons))).toEqual([]);
    expect(Object.keys(reasons).filter((name) => !names.includes(name))).toEqual([]);
  });
});
