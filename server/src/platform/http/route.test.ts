import { integerUpTo, type Problem } from "@hearback/contract";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { z } from "zod";
import { defineError } from "../errors.ts";
import { buildOpenApi } from "./openapi/openapi.ts";
import { toAppError, toProblem } from "./problem.ts";
import { route } from "./route.ts";
import type { Api } from "./server.ts";

const gone = defineError("hold_not_found");
const Thing = z.object({ id: z.uuid(), at: z.iso.datetime().nullable() }).meta({ id: "Thing", examples: [{}] });
const common = { tag: "Privacy", summary: "s", description: "d", access: "public" } as const;

const api = Fastify({ bodyLimit: 2 ** 23 }) as unknown as Api;
api.decorate("documentedRoutes", []);
api.setErrorHandler((error, _request, reply) => {
  const problem = toProblem(toAppError(error), "id");
  reply.code(problem.status).send(problem);
});
route(api, {
  ...common,
  method: "POST",
  path: "/things/:id",
  id: "createThing",
  body: z.strictObject({ name: z.string("must be text"), size: z.number().default(3) }),
  answers: { 201: [z.object({ id: z.string(), name: z.string(), size: z.number() }), "Created."] },
  errors: [gone],
}).handle(async ({ params: { id }, body: { name, size } }) => ({ id, name, size }));
route(api, {
  ...common,
  method: "POST",
  path: "/things/:id/rotate",
  id: "rotateThing",
  body: z.object({ hours: z.number().default(24) }).optional(),
  answers: { 200: [z.object({ hours: z.number() }), "Rotated."] },
}).handle(async ({ body: { hours } }) => ({ hours }));
route(api, {
  ...common,
  method: "GET",
  path: "/things",
  id: "listThings",
  query: z.object({ limit: integerUpTo(100, 20), kind: z.enum(["a"]) }),
  answers: { 200: [z.object({ limit: z.number(), things: z.array(Thing) }), "A page."] },
}).handle(async ({ query: { limit } }) => ({ limit, things: [] }));
route(api, {
  ...common,
  method: "DELETE",
  path: "/things/:id",
  id: "deleteThing",
  answers: { 204: "Deleted." },
  errors: [gone],
}).handle(async ({ params: { id } }) => {
  if (id === "gone") throw gone();
});

const ask = async (method: "GET" | "POST" | "DELETE", url: string, payload?: object) => {
  const { statusCode, body } = await api.inject({ method, url, ...(payload && { payload }) });
  return [statusCode, body && JSON.parse(body)];
};

test("a route passes the parsed parts of a request on and sends its status", async () => {
  expect(await ask("POST", "/things/7", { name: "x" })).toEqual([201, { id: "7", name: "x", size: 3 }]);
  expect(await ask("POST", "/things/7/rotate")).toEqual([200, { hours: 24 }]);
  expect(await ask("GET", "/things?kind=a")).toEqual([200, { limit: 20, things: [] }]);
  expect(await ask("DELETE", "/things/7")).toEqual([204, ""]);
  expect(await ask("DELETE", "/things/gone")).toMatchObject([404, { code: "hold_not_found" }]);
});

test.each([
  ["POST", "/things/7", {}, 400, "member_missing", "name"],
  ["POST", "/things/7", { name: 1 }, 422, "fields_invalid", "name"],
  ["POST", "/things/7", { name: "x", other: 1 }, 422, "fields_invalid", "other"],
  ["POST", "/things/7/rotate", { hours: "x" }, 422, "fields_invalid", "hours"],
  ["GET", "/things", undefined, 400, "member_missing", "kind"],
  ["GET", "/things?kind=a&limit=0", undefined, 422, "fields_invalid", "limit"],
] as const)("%s %s with %j answers %i %s", async (method, url, payload, status, code, part) => {
  expect(await ask(method, url, payload)).toMatchObject([status, { code, errors: [{ part }] }]);
});

test("missing, misspelt and invalid members are listed at once", async () => {
  const [status, problem] = (await ask("POST", "/things/7", { Name: "x", size: "big" })) as [number, Problem];
  expect([status, problem.errors?.map(({ part, code }) => [part, code])]).toEqual([
    400,
    [
      ["name", "missing"],
      ["Name", "unknown_member"],
      ["size", "wrong_type"],
    ],
  ]);
  expect(problem.detail).toContain('Did you mean "name" instead of "Name"?');
});

test("many unknown members result in a short answer", async () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`member-${at}`.padEnd(1_000, "x"), 1]));
  const [, problem] = (await ask("POST", "/things/7", { name: "x", ...many })) as [number, Problem];
  expect(problem.errors).toHaveLength(20);
  expect(JSON.stringify(problem).length).toBeLessThan(10_000);
});

interface Documented {
  readonly paths: Record<string, Record<string, { parameters?: unknown; responses: Record<string, unknown> }>>;
  readonly components: { schemas: Record<string, unknown>; responses: Record<string, unknown> };
}

test("the document has the route's parameters, schemas and errors, also those that are implied", () => {
  const { paths, components } = buildOpenApi(api.documentedRoutes, "1") as unknown as Documented;
  expect(paths["/things"]?.get?.parameters).toEqual([
    { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 100, default: 20 } },
    { name: "kind", in: "query", required: true, schema: { type: "string", enum: ["a"] } },
  ]);
  expect(Object.keys(paths["/things/{id}"]?.post?.responses ?? {})).toEqual([
    "201",
    "400",
    "403",
    "404",
    "413",
    "422",
    "429",
    "500",
    "503",
  ]);
  expect(paths["/things/{id}"]?.delete?.responses["404"]).toEqual({ $ref: "#/components/responses/HoldNotFound" });
  expect(components.schemas.Thing).toEqual({
    type: "object",
    properties: { id: { type: "string", format: "uuid" }, at: { type: ["string", "null"], format: "date-time" } },
    required: ["id", "at"],
  });
});
