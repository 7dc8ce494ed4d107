import { z } from "zod";

/**
 * Documents a text value by the JSON schema of what it stands for. Query parameters arrive as text; clients and readers
 * should see a number or a list.
 */
export const documentedAs = <Schema extends z.ZodType>(schema: Schema, wire: Readonly<Record<string, unknown>>) =>
  schema.meta({ wire });

/** An integer query parameter from 1 to `max`. */
export const integerUpTo = (max: number, fallback: number) =>
  documentedAs(
    z
      .string()
      .regex(/^\d{1,9}$/, `must be a whole number from 1 to ${max}`)
      .transform(Number)
      .refine((value) => value >= 1 && value <= max, `must be from 1 to ${max}`),
    { type: "integer", minimum: 1, maximum: max, default: fallback },
  ).default(fallback);

/** A query parameter that is true or false. */
export const booleanParameter = documentedAs(
  z.enum(["true", "false"], "must be true or false").transform((value) => value === "true"),
  { type: "boolean", default: false },
);

/** A repeatable query parameter, parsed to an array. */
export const anyOf = <Item extends z.ZodType<string, string>>(item: Item, max: number) =>
  documentedAs(
    z
      .union([z.string(), z.array(z.string())])
      .transform((sent) => [sent].flat())
      .pipe(z.array(item).max(max, `must not be repeated more than ${max} times`)),
    {
      type: "array",
      items: { type: "string", ...(item instanceof z.ZodEnum && { enum: item.options }) },
      maxItems: max,
    },
  );

const cursorDescription = "The `next` value from the previous page.";
export const cursor = z
  .uuid("must be the `next` value from a previous page")
  .optional()
  .meta({ description: cursorDescription });
export const describeCursor = { description: cursorDescription };

const nextDescription = "Pass this as `cursor` to get the next page. null: this is the last page.";
/** The cursor of a list that is sorted by more than an id: only the server can read it. */
export const opaqueCursor = z
  .string()
  .max(2_000, "must be the `next` value from a previous page")
  .optional()
  .meta(describeCursor);
export const opaqueNext = z.string().max(2_000).nullable().meta({ description: nextDescription, example: null });

/** The cursor of the next page. */
export const next = z.uuid().nullable().meta({ description: nextDescription });

/** The first example of a schema, to build the examples of schemas that contain it. */
export function exampleOf<Schema extends z.ZodType>(schema: Schema): z.output<Schema> {
  const [example] = (schema.meta()?.examples ?? []) as z.output<Schema>[];
  if (example === undefined) throw new Error("the schema has no example");
  return example;
}
