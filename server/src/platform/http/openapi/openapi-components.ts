import { errorCodes, Problem, problemsByCode } from "@hearback/contract";
import { z } from "zod";
import type { DocumentedError } from "../../errors.ts";
import { toProblem } from "../problem.ts";
import { errorGroups } from "./implied-errors.ts";

export type Json = Readonly<Record<string, unknown>>;

export const header = (description: string, type: "string" | "integer") => ({ description, schema: { type } });

/** Rate limit headers (docs/limits.md). */
export const headers = {
  RateLimitPolicy: header('The limits that apply, such as `"key_requests";q=200;w=1`.', "string"),
  RateLimit: header('What remains of each limit, such as `"key_requests";r=187;t=1`.', "string"),
  RetryAfter: header("Seconds to wait before the next attempt.", "integer"),
};
const headerRef = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` });
const limitHeaders = { "RateLimit-Policy": headerRef("RateLimitPolicy"), RateLimit: headerRef("RateLimit") };
const retryHeaders = { "Retry-After": headerRef("RetryAfter") };

/** Descriptions of responses with several codes. */
const descriptions: Readonly<Record<number, string>> = {
  400: "The request is malformed, or a required part is missing.",
  401: "Not authenticated; see `code`.",
  403: "The API key or the user may not do this; see `code`.",
  404: "The requested object does not exist in this workspace; see `code`.",
  409: "The request conflicts with the current state; see `code`.",
  410: "What was requested is no longer stored; see `code`.",
  413: "The request body is too large.",
  422: "The request is well-formed but contains invalid values; `errors` lists all of them.",
  429: "A limit of the API key or workspace was reached; see `code`. Retry after `Retry-After`.",
  503: "The service is temporarily unavailable; see `code`. Retry after `Retry-After`.",
};

export interface Parameter extends Json {
  readonly name: string;
  readonly schema: Json;
}

export type Components = ReturnType<typeof openComponents>;

/** Collects the schemas and error responses that operations share. */
export function openComponents() {
  const schemas = new Map<string, Json>();
  const responses = new Map<string, Json>();
  const examples = new Map<string, Json>();
  const parameters = new Map<string, Parameter>();
  /** Ids of the bodies themselves. Only these keep their examples, which contain those of their parts. */
  const direct = new Set<string>();
  const sorted = (map: ReadonlyMap<string, Json>) =>
    Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : Number(a > b))));

  function schema(zod: z.ZodType, io: "input" | "output"): Json {
    const { id } = z.globalRegistry.get(zod) ?? {};
    if (id) direct.add(id);
    const made = z.toJSONSchema(z.object({ root: zod }), { io, override: (made) => simplify(made, io) });
    const { properties, $defs = {} } = JSON.parse(
      JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/'),
    ) as { properties: { root: Json }; $defs?: Record<string, Json> };
    for (const [id, definition] of Object.entries($defs)) {
      const known = schemas.get(id);
      if (known && JSON.stringify(known) !== JSON.stringify(definition)) {
        throw new Error(`the schema ${id} has two forms: give one of them another id`);
      }
      schemas.set(id, definition);
    }
    return properties.root;
  }

  function exampleRef(error: DocumentedError): Json {
    const name = nameOf(error);
    examples.set(name, { value: exampleProblem(error) });
    return { $ref: `#/components/examples/${name}` };
  }

  /** A reference to a parameter that several operations have. */
  function parameter(value: Parameter, tag: string): Json {
    const other = parameters.get(value.name);
    const isTaken = other && JSON.stringify(other) !== JSON.stringify(value);
    const name = isTaken ? `${value.name}${value.schema.maximum ?? tag}` : value.name;
    parameters.set(name, value);
    return { $ref: `#/components/parameters/${name}` };
  }

  /** A reference to a response without a body that several operations have. */
  function response(name: string, description: string): Json {
    responses.set(name, { description });
    return { $ref: `#/components/responses/${name}` };
  }

  /** A reference to the response with these errors, which have the same status. */
  function errorResponse(errors: readonly DocumentedError[]): Json {
    const codes = errors.map(({ code }) => code);
    const name = responseName(errors);
    const [{ status, title } = errorCodes.internal] = codes.map((code) => errorCodes[code]);
    const problem = codes.map((code) => problemsByCode[code]).find(Boolean) ?? Problem;
    if (!responses.has(name)) {
      responses.set(name, {
        description: codes.length > 1 ? descriptions[status] : `${title}.`,
        ...(status === 429
          ? { headers: { ...limitHeaders, ...retryHeaders } }
          : status === 503 && { headers: retryHeaders }),
        content: {
          "application/problem+json": {
            schema: schema(problem, "output"),
            examples: Object.fromEntries(errors.map((error) => [error.code, exampleRef(error)])),
          },
        },
      });
    }
    return { $ref: `#/components/responses/${name}` };
  }

  return {
    schema,
    errorResponse,
    parameter,
    response,
    all: () => ({
      parameters: sorted(parameters),
      responses: sorted(responses),
      examples: sorted(examples),
      schemas: sorted(
        new Map([...schemas].map(([id, { examples, ...rest }]) => [id, direct.has(id) ? { ...rest, examples } : rest])),
      ),
    }),
  };
}

/** Named after the group that it contains, if any, and after its other errors. */
function responseName(errors: readonly DocumentedError[]): string {
  const group = Object.entries(errorGroups).find(([, members]) => members.every((error) => errors.includes(error)));
  const others = errors.filter((error) => !group?.[1].includes(error)).map(nameOf);
  return [...(group ? [group[0]] : []), ...others].join("Or");
}

const nameOf = ({ code, responseName = pascalCase(code) }: DocumentedError) => responseName;
export const pascalCase = (code: string) =>
  code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

const exampleProblem = (error: DocumentedError) => toProblem(error.example(), "0f5c9d52-4a0b-4a86-9a6e-5a2f0f4b7f0c");

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>["override"]>;

/** Removes what clients do not need, and replaces query parameters by what their text stands for (documentedAs). */
function simplify({ zodSchema, jsonSchema }: Parameters<Override>[0], io: "input" | "output"): void {
  const schema = jsonSchema as Record<string, unknown>;
  const { wire, examples } = (z.globalRegistry.get(zodSchema) ?? {}) as { wire?: Json; examples?: unknown };
  // z.toJSONSchema drops the examples of what it transforms.
  if (examples) schema.examples = examples;
  if (wire) {
    for (const key of Object.keys(schema)) delete schema[key];
    Object.assign(schema, wire);
  }
  delete schema.id;
  mergeNull(schema);
  if (schema.format) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if ("example" in schema) {
    schema.examples = [schema.example];
    delete schema.example;
  }
  // Members may be added to responses.
  const { type, catchall } = zodSchema._zod.def as { type: string; catchall?: unknown };
  if (type === "object" && (io === "output" || !catchall)) delete schema.additionalProperties;
}

/** A type that may be null is a list of types instead of a union, which is half as long. */
function mergeNull(schema: Record<string, unknown>): void {
  const [first, second, ...more] = (schema.anyOf ?? []) as Record<string, unknown>[];
  if (second?.type !== "null" || more.length > 0 || typeof first?.type !== "string" || first.properties) return;
  delete schema.anyOf;
  const { type, enum: values, ...rest } = first;
  Object.assign(schema, { type: [type, "null"], ...(Array.isArray(values) && { enum: [...values, null] }), ...rest });
}
