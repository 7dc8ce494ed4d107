import { type AppError, fieldInvalid } from "./errors.ts";

/** Error for a cursor that is malformed or of another list. */
export function invalidCursor(): AppError {
  const detail =
    "cursor must be the `next` value from a previous page. Start again from the first page, without cursor.";
  return fieldInvalid("cursor", "not_a_cursor", detail);
}
