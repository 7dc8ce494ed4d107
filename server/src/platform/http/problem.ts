import type { Problem } from "@hearback/contract";
import { databaseUnavailable } from "../database/unavailable.ts";
import { AppError, bodyIncomplete, type ErrorCode, type ErrorKind, errorCodes } from "../errors.ts";

const statusOf: Record<ErrorKind, number> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  gone: 410,
  too_large: 413,
  range: 416,
  invalid: 422,
  too_many: 429,
  internal: 500,
  unavailable: 503,
};

/** What went wrong, as the caller may know it. Whatever nobody foresaw is a defect of ours and says nothing. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  // What Node says when the client hangs up; the database's connections are lost with other words.
  if (error instanceof Error && error.message === "aborted") return bodyIncomplete();
  if (databaseUnavailable(error)) {
    return new AppError(
      "database_unavailable",
      "The database cannot answer now. Nothing was imported, or what a second sending will find: send it again.",
      { cause: error },
    );
  }
  return (
    frameworkError(error) ??
    new AppError("internal", "A defect of this service. Report the request id.", { cause: error })
  );
}

const wrongJson = "Send a JSON object with the header Content-Type: application/json.";

/** Fastify's own refusals of a body, in our words. */
function frameworkError(error: unknown): AppError | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  switch (error.code) {
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new AppError("content_type_wrong", wrongJson, { cause: error });
    case "FST_ERR_CTP_EMPTY_JSON_BODY":
    case "FST_ERR_CTP_INVALID_JSON_BODY":
      return new AppError("json_malformed", `The body is not JSON. ${wrongJson}`, { cause: error });
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new AppError(
        "body_too_large",
        "The body is larger than this route takes, mostly 64 KiB. Send less at a time.",
        { cause: error },
      );
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return bodyIncomplete();
    case "FST_ERR_BAD_URL":
    case "FST_ERR_MAX_PARAM_LENGTH":
      return new AppError("not_found", "There is nothing at this address. GET /docs lists what there is.");
    default:
      // secure-json-parse refuses "__proto__" members with a bare SyntaxError of status 400.
      return "statusCode" in error && error.statusCode === 400
        ? new AppError("json_malformed", wrongJson, { cause: error })
        : undefined;
  }
}

/** What an error is about that is not about one part of a form or member of a body. */
const subjectOf: Partial<Record<ErrorCode, string>> = {
  content_type_wrong: "content-type",
  recording_empty: "file",
  recording_not_audio: "file",
  recording_truncated: "file",
};

export function toProblem(error: AppError, requestId: string): Problem {
  const { kind, title } = errorCodes[error.code];
  const whole = { part: subjectOf[error.code] ?? "body", code: error.code, detail: error.message };
  const issues = error.issues ?? (kind === "malformed" || kind === "invalid" ? [whole] : undefined);
  return {
    type: `/errors/${error.code}`,
    title,
    status: statusOf[kind],
    code: error.code,
    detail: error.message,
    request_id: requestId,
    ...(issues && { errors: issues }),
    ...error.members,
  };
}
