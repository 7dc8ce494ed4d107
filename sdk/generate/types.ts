import { readFileSync } from "node:fs";
import { join } from "node:path";
import { camel, type Parameter, resolve, root, type Schema } from "./openapi.ts";

const wire = new Set(
  [...readFileSync(join(root, "sdk/src/wire.ts"), "utf8").matchAll(/^ {2}(\w+),$/gm)].map(([, name]) => name),
);
/** Names of src/wire.ts that were written. */
export const used = new Set<string>();

/** The name of a schema in src/wire.ts. */
export function nameOf({ $ref }: Schema): string | undefined {
  const name = $ref?.split("/").at(-1);
  const known = [`${name}Body`, name].find((each) => wire.has(each));
  if (known) used.add(known);
  return known;
}

export const comment = (text: string | undefined) =>
  text ? `/** ${text.replaceAll(/\s+/g, " ").replaceAll("*/", "*\\/")} */\n` : "";

/** A value that the SDK sends: its members keep their names, unless `rename` says otherwise. */
export function toType(schema: Schema, rename = (name: string) => name): string {
  const name = nameOf(schema);
  if (name) return name;
  const {
    enum: values,
    anyOf,
    oneOf,
    items,
    properties,
    additionalProperties,
    required = [],
    ...rest
  } = resolve(schema);
  // In a query, booleans are texts.
  if (values)
    return [...new Set(values.map((value) => (isBoolean(value) ? "boolean" : JSON.stringify(value))))].join(" | ");
  if (rest.const !== undefined) return JSON.stringify(rest.const);
  const some = anyOf ?? oneOf;
  if (some) return [...new Set(some.map((each) => toType(each, rename)))].join(" | ");
  const types = [rest.type ?? []].flat().map((type) => {
    if (type === "array") return items ? `readonly (${toType(items)})[]` : "readonly unknown[]";
    if (type === "integer") return "number";
    if (type === "string") return rest.format === "date-time" ? "Date" : "string";
    if (type !== "object") return type;
    if (properties) return members(properties, required, rename);
    return `Readonly<Record<string, ${additionalProperties ? toType(additionalProperties) : "unknown"}>>`;
  });
  return types.join(" | ") || "unknown";
}

/** An interface, whose members are in camelCase. */
export const members = (properties: Readonly<Record<string, Schema>>, required: readonly string[], rename = camel) =>
  `{\n${Object.entries(properties)
    .map(([name, schema]) => {
      const optional = required.includes(name) ? ["", ""] : ["?", " | undefined"];
      return `${comment(resolve(schema).description)}readonly ${rename(name)}${optional[0]}: ${toType(schema, rename)}${optional[1]};\n`;
    })
    .join("")} }`;

/** In a query, an array is repeated, and times are dates. */
export const querySchema = ({ schema, description }: Parameter): Schema => {
  const { description: own, ...plain } = resolve(schema);
  const value = plain.type === "array" && plain.items ? { anyOf: [plain.items, plain] } : plain;
  return { ...value, ...((description ?? own) && { description: description ?? own ?? "" }) };
};

const isBoolean = (value: unknown) => value === "true" || value === "false";
