import { z } from "zod";
import { fieldsInvalid } from "../../platform/errors.ts";

/** Validates command-line values with the schema of the API. */
export function validate<Schema extends z.ZodType>(schema: Schema, values: unknown): z.output<Schema> {
  const parsed = schema.safeParse(values);
  if (!parsed.success) throw fieldsInvalid.withDetail(z.prettifyError(parsed.error));
  return parsed.data;
}
