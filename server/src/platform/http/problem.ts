import { type ErrorCode, errorCodes, type Problem } from "@hearback/contract";
import { databaseUnavailable } from "../database/errors.ts";
import {
  AppError,
  bodyIncomplete,
  bodyTooLarge,
  contentTypeWrong,
  databaseUnavailableError,
  internalError,
  jsonMalformed,
  notFound,
} from "../errors.ts";

/**
 * Converts any error to one that is safe to show to the caller. Unexpected errors become "internal", without details.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  // Node's message when the client disconnects. Lost database connections have other messages.
  if (error instanceof Error && error.message === "aborted") return bodyIncomplete();
  if (databaseUnavailable(error)) return databaseUnavailableError(error);
  return frameworkError(error) ?? internalError(error);
}

/** Translates Fastify's errors about request bodies. */
function frameworkError(error: unknown): AppError | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  switch (error.code) {
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return contentTypeWrong();
    case "FST_ERR_CTP_EMPTY_JSON_BODY":
    case "FST_ERR_CTP_INVALID_JSON_BODY":
      return jsonMalformed();
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return bodyTooLarge();
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return bodyIncomplete();
    case "FST_ERR_BAD_URL":
    case "FST_ERR_MAX_PARAM_LENGTH":
      return notFound();
    default:
      // secure-json-parse rejects "__proto__" members with a plain SyntaxError with status 400.
      return "statusCode" in error && error.statusCode === 400
        ? jsonMalformed.withDetail(errorCodes.content_type_wrong.detail)
        : undefined;
  }
}

/** The `part` of the issue for errors without issues of their own; "body" by default. */
const partOf: Partial<Record<ErrorCode, string>> = {
  content_type_wrong: "content-type",
  recording_empty: "file",
  recording_not_audio: "file",
  recording_truncated: "file",
};

export function toProblem(error: AppError, requestId: string): Problem {
  const { status, title } = errorCodes[error.code];
  const whole = { part: partOf[error.code] ?? "body", code: error.code, detail: error.message };
  const issues = error.issues ?? (status === 400 || status === 422 ? [whole] : undefined);
  return {
    type: `/errors/${error.code}`,
    title,
    status,
    code: error.code,
    detail: error.message,
    request_id: requestId,
    ...(issues && { errors: issues }),
    ...error.members,
  };
}
