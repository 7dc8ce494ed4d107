import { Ajv2020 } from "ajv/dist/2020.js";
import type { Answer } from "./http.ts";

/** A path or query parameter. */
export interface Parameter {
  readonly in: "path" | "query";
  readonly name: string;
  readonly required?: boolean;
}

/** A part of the document, or a reference to it: `#/components/…`. */
type Ref<Part> = Part | { readonly $ref: string };

interface Schema {
  readonly examples?: readonly unknown[];
}

interface Media {
  readonly examples?: Readonly<Record<string, Ref<{ readonly value: unknown }>>>;
  readonly schema: Ref<Schema>;
}

interface Response {
  readonly content?: Readonly<Record<string, Media>>;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters?: readonly Ref<Parameter>[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Ref<Response>>>;
  readonly security?: Security;
}

type Security = readonly Readonly<Record<string, readonly string[]>>[];

interface Document {
  readonly security: Security;
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

/** A documented operation. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly statuses: readonly number[];
  /** How callers may identify themselves, such as "key or session"; empty if they need not. */
  readonly access: string;
  /** Content type and example of the request body. */
  readonly body: { readonly type: string; readonly example: unknown } | undefined;
}

export interface Interface {
  readonly operations: readonly Operation[];
  /** Validates the content type and body of a response; returns the problems. */
  wrongWith(operation: Operation, answer: Answer): string[];
  /** Examples that do not match their schema. */
  wrongExamples(): string[];
}

/** Follows a reference within the document. */
function resolve<Part extends object>(document: Document, part: Ref<Part>): Part {
  if (!("$ref" in part)) return part;
  const steps = part.$ref.split("/").slice(1);
  return steps.reduce((value, step) => (value as Record<string, unknown>)[step], document as unknown) as Part;
}

/** The steps to a part of the document, after following the reference at its end. */
const placeOf = (part: object, ...place: string[]) => ("$ref" in part ? String(part.$ref).split("/").slice(1) : place);

const pointer = (...steps: string[]) =>
  `openapi.json#/${steps.map((step) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;

/** Reads the OpenAPI document of a running service. */
export async function readInterface(baseUrl: string): Promise<Interface> {
  const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as Document;
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, allErrors: true });
  ajv.addSchema(document, "openapi.json");
  const misfits = (value: unknown, ...place: string[]): string[] => {
    // Compiles each schema once: the document has fifty times as many examples.
    const fits = ajv.getSchema(pointer(...place));
    if (!fits) throw new Error(`openapi.json has no ${pointer(...place)}`);
    return fits(value) ? [] : [`${place.at(-3)} ${place.at(-2)}: ${ajv.errorsText(fits.errors)}`];
  };
  const schemaOf = ({ schema }: Media) => resolve(document, schema);
  const documented = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );

  const operations = documented.map(({ path, method, operation }): Operation => {
    const [body] = Object.entries(operation.requestBody?.content ?? {});
    return {
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      parameters: (operation.parameters ?? []).map((parameter) => resolve(document, parameter)),
      statuses: Object.keys(operation.responses).map(Number),
      access: (operation.security ?? document.security).flatMap((way) => Object.keys(way)).join(" or "),
      body: body && { type: body[0], example: schemaOf(body[1]).examples?.[0] },
    };
  });

  return {
    operations,
    wrongWith({ path, method }, { status, headers, text, body }) {
      const response = document.paths[path]?.[method.toLowerCase()]?.responses[status] ?? {};
      const place = placeOf(response, "paths", path, method.toLowerCase(), "responses", String(status));
      const { content } = resolve<Response>(document, response);
      if (!content) return text === "" ? [] : ["it has a body, and none is documented"];
      const type = (headers["content-type"] ?? "").split(";")[0] ?? "";
      if (!content[type]) return [`its type is "${type}"; documented is ${Object.keys(content).join(", ")}`];
      return /^application\/(.+\+)?json$/.test(type) ? misfits(body, ...place, "content", type, "schema") : [];
    },
    wrongExamples() {
      return documented.flatMap(({ path, method, operation }) => {
        const requests = Object.entries(operation.requestBody?.content ?? {}).flatMap(([type, media]) =>
          (schemaOf(media).examples ?? []).flatMap((example) =>
            misfits(example, "paths", path, method, "requestBody", "content", type, "schema"),
          ),
        );
        const answers = Object.entries(operation.responses).flatMap(([status, response]) => {
          const place = placeOf(response, "paths", path, method, "responses", status);
          const { content = {} } = resolve<Response>(document, response);
          return Object.entries(content).flatMap(([type, media]) => {
            const errors = Object.values(media.examples ?? {}).map((example) => resolve(document, example).value);
            const examples = [...(schemaOf(media).examples ?? []), ...errors];
            return examples.flatMap((example) => misfits(example, ...place, "content", type, "schema"));
          });
        });
        return [...requests, ...answers].map((wrong) => `${operation.operationId}: ${wrong}`);
      });
    },
  };
}
