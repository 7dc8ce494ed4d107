import { Ajv2020 } from "ajv/dist/2020.js";
import type { Answer } from "./http.ts";

/** A member of a request's path or query. */
export interface Parameter {
  readonly in: "path" | "query";
  readonly name: string;
  readonly required?: boolean;
}

interface Media {
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
  readonly schema: { readonly $ref?: string; readonly examples?: readonly unknown[] };
}

interface Response {
  readonly content?: Readonly<Record<string, Media>>;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Media["schema"]>> };
}

/** One thing that the service does, as its documentation describes it. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly statuses: readonly number[];
  /** The content type and the example of its body, if it takes one. */
  readonly body: { readonly type: string; readonly example: unknown } | undefined;
}

export interface Interface {
  readonly operations: readonly Operation[];
  /** What is wrong with an answer, measured by the documentation: its type, and its body. */
  wrongWith(operation: Operation, answer: Answer): string[];
  /** Every example that does not fit the schema it stands beside. */
  wrongExamples(): string[];
}

const pointer = (...steps: string[]) =>
  `openapi.json#/${steps.map((step) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;

/** Reads what a running service says of itself. */
export async function readInterface(baseUrl: string): Promise<Interface> {
  const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as Document;
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, allErrors: true });
  ajv.addSchema(document, "openapi.json");
  const misfits = (value: unknown, ...place: string[]): string[] => {
    const fits = ajv.compile({ $ref: pointer(...place) });
    return fits(value) ? [] : [`${place.at(-3)} ${place.at(-2)}: ${ajv.errorsText(fits.errors)}`];
  };
  const schemaOf = ({ schema }: Media) =>
    schema.$ref ? (document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? schema) : schema;
  const documented = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );

  const operations = documented.map(({ path, method, operation }): Operation => {
    const [body] = Object.entries(operation.requestBody?.content ?? {});
    return {
      ...{ id: operation.operationId, method: method.toUpperCase(), path },
      parameters: operation.parameters ?? [],
      statuses: Object.keys(operation.responses).map(Number),
      body: body && { type: body[0], example: schemaOf(body[1]).examples?.[0] },
    };
  });

  return {
    operations,
    wrongWith({ path, method }, { status, headers, text, body }) {
      const place = ["paths", path, method.toLowerCase(), "responses", String(status)];
      const { content } = document.paths[path]?.[method.toLowerCase()]?.responses[status] ?? {};
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
        const answers = Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
          Object.entries(content).flatMap(([type, { examples = {} }]) =>
            Object.values(examples).flatMap(({ value }) =>
              misfits(value, "paths", path, method, "responses", status, "content", type, "schema"),
            ),
          ),
        );
        return [...requests, ...answers].map((wrong) => `${operation.operationId}: ${wrong}`);
      });
    },
  };
}
