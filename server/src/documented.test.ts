import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { type ErrorCode, errorCodes } from "./platform/errors.ts";

/** As much of the OpenAPI document as is looked at here. */
interface Media {
  readonly schema?: { readonly $ref?: string; readonly examples?: readonly unknown[] };
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly unknown[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { description: string; content?: Readonly<Record<string, Media>> }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, NonNullable<Media["schema"]>>> };
}

const document = JSON.parse(await readFile(new URL("../../openapi.json", import.meta.url), "utf8")) as Document;
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
);

function examplesOf({ schema, example, examples = {} }: Media): readonly unknown[] {
  const declared = schema?.$ref ? document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] : schema;
  const shown = Object.values(examples).map(({ value }) => value);
  return [...(example === undefined ? [] : [example]), ...shown, ...(declared?.examples ?? [])];
}

test("there are operations, each with an id of its own", () => {
  expect(operations.length).toBeGreaterThan(15);
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

describe.each(operations)("$name", ({ operation }) => {
  test("says what it does", () => {
    expect([operation.operationId, operation.summary, operation.description, operation.tags?.[0]]).toEqual(
      Array.from({ length: 4 }, () => expect.stringMatching(/\S/)),
    );
  });

  test("shows a request, if it takes a body", () => {
    const bodies = Object.entries(operation.requestBody?.content ?? {});
    const without = bodies.filter(([, media]) => examplesOf(media).length === 0).map(([type]) => type);
    expect(without, "give the body's schema .meta({ examples: [...] })").toEqual([]);
  });

  test("shows every error answer, with codes that have its status", () => {
    const answers = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
    // What is open to everybody asks nobody who they are.
    const open = operation.security?.length === 0;
    const always = open ? ["500", "503"] : ["401", "500", "503"];
    expect(answers.map(([status]) => status)).toEqual(expect.arrayContaining(always));
    for (const [status, { content = {} }] of answers) {
      expect([status, Object.keys(content)]).toEqual([status, ["application/problem+json"]]);
      const examples = examplesOf(content["application/problem+json"] ?? {}) as { code: ErrorCode; status: number }[];
      expect(examples.length, `${status}: name its codes to errorAnswers or problemAnswer`).toBeGreaterThan(0);
      for (const { code, status: shown } of examples)
        expect([code in errorCodes, shown]).toEqual([true, Number(status)]);
    }
  });

  test("says in words of its own what a good answer is", () => {
    const good = Object.entries(operation.responses).filter(([status]) => Number(status) < 400);
    expect(good.length).toBeGreaterThan(0);
    expect(good.filter(([, { description }]) => description === "Default Response")).toEqual([]);
  });
});
