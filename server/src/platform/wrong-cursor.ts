import { AppError } from "./errors.ts";

/** The refusal of a cursor that no answer gave, or whose row is not there any more. */
export function wrongCursor(): AppError {
  const detail = "cursor must be the `next` of an answer before. Read again from the first page, without it.";
  return new AppError("fields_invalid", detail, { issues: [{ part: "cursor", code: "not_a_cursor", detail }] });
}
