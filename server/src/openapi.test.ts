import { readFile } from "node:fs/promises";
import { type ErrorCode, errorCodes, eventTypes } from "@hearback/contract";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { describe, expect, test } from "vitest";

/** A part of the document, or a reference to it. */
type Ref<Part> = Part | { readonly $ref: string };
/** The parts of the OpenAPI document that this test reads. */
interface Schema {
  readonly examples?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly additionalProperties?: unknown;
}
interface Media {
  readonly schema?: Ref<Schema>;
  readonly examples?: Readonly<Record<string, Ref<{ readonly value: unknown }>>>;
}
interface Response {
  readonly description: string;
  readonly content?: Readonly<Record<string, Media>>;
}
interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly unknown[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Ref<Response>>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const path = new URL("../../openapi.json", import.meta.url).pathname;
const text = await readFile(path, "utf8");
const document = JSON.parse(text) as Document;
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
);

function resolve<Part extends object>(part: Ref<Part>): Part {
  if (!("$ref" in part)) return part;
  const steps = part.$ref.split("/").slice(1);
  return steps.reduce((value, step) => (value as Record<string, unknown>)[step], document as unknown) as Part;
}

function examplesOf({ schema = {}, examples = {} }: Media): readonly unknown[] {
  return [...Object.values(examples).map((example) => resolve(example).value), ...(resolve(schema).examples ?? [])];
}

test("has at most 4.9 KB per operation and the import first", () => {
  expect(text.length / operations.length).toBeLessThan(4_900);
  expect(operations[0]?.name).toBe("POST /calls/audio");
});

test("a client generated from it compiles and has one type per schema", async () => {
  const source = astToString(await openapiTS(new URL(`file://${path}`)));
  expect(source.match(/^ {8}\w+Input: /gm)).toBeNull();
  const host = ts.createCompilerHost({});
  const read = host.getSourceFile;
  const client = `${source}
    type Recordings = components["schemas"]["Call" | "CallItem" | "CallDetail"]["recording"];
    const recording: Recordings = null! as components["schemas"]["Recording"];
    const event = null! as components["schemas"]["Event"];
    if (event.type === "call.failed") event.data.failure.code satisfies string;
    export const used = [recording, event];`;
  host.getSourceFile = (name, version) =>
    name === "client.ts" ? ts.createSourceFile(name, client, version) : read(name, version);
  const options = { strict: true, noEmit: true, skipLibCheck: true, types: [], lib: ["lib.es2024.d.ts"] };
  const program = ts.createProgram(["client.ts"], { ...options, target: ts.ScriptTarget.ES2022 }, host);
  expect(ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText)).toEqual([]);
});

test("every JSON body refuses unknown members, so that misspelt ones are not ignored", () => {
  const open = operations.flatMap(({ operation: { operationId, requestBody } }) => {
    const body = requestBody?.content["application/json"]?.schema;
    return body ? openObjects(resolve(body)).map((path) => `${operationId}${path}`) : [];
  });
  // Browsers write this member, and may add to it.
  const written = /^(?:signInByPasskey|addPasskey)\/properties\/credential/;
  expect(open.filter((path) => !written.test(path))).toEqual([]);
});

/** Paths of the objects in a schema that accept any member. */
function openObjects(schema: unknown, path = ""): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { $ref, type, properties, additionalProperties } = schema as Record<string, unknown>;
  if (typeof $ref === "string") return openObjects(resolve({ $ref }), path);
  const isOpen = type === "object" && properties !== undefined && additionalProperties !== false;
  const inside = Object.entries(schema).flatMap(([name, value]) =>
    name === "examples" ? [] : openObjects(value, `${path}/${name}`),
  );
  return isOpen ? [path, ...inside] : inside;
}

test("every schema is used, and allows responses to gain members", () => {
  const used = new Set([...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name));
  expect(Object.keys(document.components.schemas).filter((name) => !used.has(name))).toEqual([]);
  const bodies = operations.flatMap(({ operation }) => Object.values(operation.requestBody?.content ?? {}));
  const requests = new Set(bodies.map(({ schema = {} }) => ("$ref" in schema ? schema.$ref.split("/").at(-1) : "")));
  const strict = Object.entries(document.components.schemas).filter(
    ([, schema]) => schema.additionalProperties === false,
  );
  const partsOfRequests = ["Fingerprint", "Answer", "Moment", "PlanMetadata", "PlanReviewer"];
  expect(strict.map(([name]) => name).filter((name) => !requests.has(name) && !partsOfRequests.includes(name))).toEqual(
    [],
  );
  expect(text).not.toMatch(/"format": "[\w-]+",\s*"pattern"|"pattern": "[^"]*",\s*"format"/);
});

test("every event type is documented as a webhook", () => {
  expect(Object.keys(document.webhooks).sort()).toEqual([...eventTypes].sort());
  for (const { post } of Object.values(document.webhooks)) {
    expect(examplesOf(post.requestBody?.content["application/json"] ?? {})).toHaveLength(1);
  }
});

test("every operation has a unique id", () => {
  expect(operations.length).toBeGreaterThan(15);
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

describe.each(operations)("$name", ({ operation }) => {
  test("has an id, a summary, a description and a tag", () => {
    expect([operation.operationId, operation.summary, operation.description, operation.tags?.[0]]).toEqual(
      Array.from({ length: 4 }, () => expect.stringMatching(/\S/)),
    );
  });

  test("has an example for its request body", () => {
    const bodies = Object.entries(operation.requestBody?.content ?? {});
    const without = bodies.filter(([, media]) => examplesOf(media).length === 0).map(([type]) => type);
    expect(without, "give the body's schema .meta({ examples: [...] })").toEqual([]);
  });

  test("has examples for every error response, with codes of that status", () => {
    const answers = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
    // Public operations require no credentials.
    const open = operation.security?.length === 0;
    const always = open ? ["500", "503"] : ["401", "500", "503"];
    expect(answers.map(([status]) => status)).toEqual(expect.arrayContaining(always));
    for (const [status, answer] of answers) {
      const { content = {} } = resolve(answer);
      expect([status, Object.keys(content)]).toEqual([status, ["application/problem+json"]]);
      const examples = examplesOf(content["application/problem+json"] ?? {}) as { code: ErrorCode; status: number }[];
      expect(examples.length, `${status} needs an error with an example`).toBeGreaterThan(0);
      for (const { code, status: shown } of examples)
        expect([code in errorCodes, shown]).toEqual([true, Number(status)]);
    }
  });

  test("describes its success responses, with an example for every JSON body", () => {
    const good = Object.entries(operation.responses).filter(([status]) => Number(status) < 400);
    expect(good.length).toBeGreaterThan(0);
    for (const [, answer] of good) {
      const { description, content = {} } = resolve(answer);
      expect(description).toMatch(/\w/);
      const json = content["application/json"];
      if (json) expect(examplesOf(json).length).toBeGreaterThan(0);
    }
  });
});
