import { z } from "zod";
import { AppError } from "../platform/errors.ts";

/** Values of the command line, held to the same rules as those of a request. */
export function checked<Schema extends z.ZodType>(schema: Schema, values: unknown): z.output<Schema> {
  const parsed = schema.safeParse(values);
  if (!parsed.success) throw new AppError("fields_invalid", z.prettifyError(parsed.error));
  return parsed.data;
}
