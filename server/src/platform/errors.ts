import { type ErrorCode, errorCodes, type Issue, type LimitName } from "@hearback/contract";

export type { ErrorCode };

interface Extra {
  readonly issues?: Issue[];
  /** Additional members of the response body. */
  readonly members?: Record<string, unknown>;
  readonly cause?: unknown;
  /** Value of the Retry-After header. */
  readonly retryAfterSeconds?: number;
  /** Methods of the Allow header. */
  readonly allow?: readonly string[];
}

/** An error that the caller can act on. Any other error is a bug and results in status 500. */
export class AppError extends Error {
  override name = "AppError";
  readonly code: ErrorCode;
  readonly issues: Issue[] | undefined;
  readonly members: Record<string, unknown> | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly allow: readonly string[] | undefined;

  constructor(code: ErrorCode, detail: string, extra: Extra = {}) {
    super(detail, { cause: extra.cause });
    this.code = code;
    this.issues = extra.issues;
    this.members = extra.members;
    this.retryAfterSeconds = extra.retryAfterSeconds;
    this.allow = extra.allow;
  }
}

/** An error that a route can document. */
export interface DocumentedError {
  readonly code: ErrorCode;
  /** The error with example values. Its message is the `detail` of the contract. */
  example(): AppError;
  /** Name of the documented response, if it is not the code. */
  readonly responseName?: string;
}

export interface ErrorFactory<Args extends unknown[]> extends DocumentedError {
  (...args: Args): AppError;
  /** The same code with a message for a special case. */
  withDetail(detail: string, extra?: Extra): AppError;
}

/**
 * Defines the factory of an error code. Without `build`, the message is the contract's. `sample` are the arguments of the
 * documented example.
 */
export function defineError<Args extends unknown[] = []>(
  code: ErrorCode,
  build: (...args: Args) => string | (Extra & { readonly detail: string }) = () => errorCodes[code].detail,
  ...sample: NoInfer<Args>
): ErrorFactory<Args> {
  const create = (...args: Args) => {
    const built = build(...args);
    return typeof built === "string" ? new AppError(code, built) : new AppError(code, built.detail, built);
  };
  return Object.assign(create, {
    code,
    example: () => create(...sample),
    withDetail: (detail: string, extra: Extra = {}) => new AppError(code, detail, extra),
  });
}

/** The same code with another constant message, documented as a response of its own. */
export function errorVariant({ code }: DocumentedError, responseName: string, detail: string): ErrorFactory<[]> {
  return Object.assign(
    defineError(code, () => detail),
    { responseName },
  );
}

/** An error whose only issue is about one form part, query parameter or member. */
const aboutPart = (part: string, code: string, detail: string) => ({ detail, issues: [{ part, code, detail }] });

export const contentTypeWrong = defineError("content_type_wrong");
export const bodyMalformed = defineError(
  "body_malformed",
  (reason: string) => `${reason}. Send multipart/form-data, as \`curl -F\` does.`,
  "The form ends before its closing boundary",
);
export const bodyIncomplete = defineError("body_incomplete");
export const bodyTooSlow = defineError(
  "body_too_slow",
  (minBytesPerSecond: number) =>
    `The body arrived at less than ${minBytesPerSecond} bytes per second. Send it again over a faster connection.`,
  1024,
);
export const jsonMalformed = defineError("json_malformed");
export const partRepeated = defineError(
  "part_repeated",
  (part: string) => aboutPart(part, "repeated", `The part "${part}" was sent more than once. Send it once.`),
  "agent_email",
);
export const partNotText = defineError(
  "part_not_text",
  (part: string) =>
    aboutPart(part, "not_text", `The part "${part}" was sent as a file. Send it as text, without a filename.`),
  "metadata",
);
export const partNotFile = defineError(
  "part_not_file",
  (part: string) =>
    aboutPart(
      part,
      "not_file",
      `The part "${part}" was sent as text. Send it as a file, with a filename: curl -F ${part}=@call.wav`,
    ),
  "file",
);
export const requestMalformed = defineError("request_malformed");

export interface AlsoWrong {
  /** Unknown names that were sent, with the missing names that were probably meant. */
  readonly renamings?: readonly { readonly from: string; readonly to: string }[];
  /** Problems with the values that were sent. */
  readonly wrong?: readonly Issue[];
}

function missing(what: "part" | "member", names: readonly string[], { renamings = [], wrong = [] }: AlsoWrong) {
  const quoted = (all: readonly string[]) => all.map((name) => `"${name}"`).join(", ");
  const questions = renamings.map(({ from, to }) => `"${to}" instead of "${from}"`);
  const details = [
    `Missing required ${what}${names.length > 1 ? "s" : ""}: ${quoted(names)}.`,
    ...(questions.length > 0 ? [`Did you mean ${questions.join(" and ")}?`] : []),
    ...wrong.map((issue) => issue.detail),
  ];
  const absent = names.map((part) => {
    const sent = renamings.find(({ to }) => to === part);
    const detail = `The ${what} "${part}" is required.${sent ? ` Did you mean it by "${sent.from}"?` : ""}`;
    return { part, code: "missing", detail };
  });
  return { detail: details.join(" "), issues: [...absent, ...wrong] };
}
export const partMissing = defineError(
  "part_missing",
  (names: readonly string[], also: AlsoWrong = {}) => missing("part", names, also),
  ["file"],
);
/** Error for a JSON body or a query that lacks required members. */
export const memberMissing = defineError(
  "member_missing",
  (names: readonly string[], also: AlsoWrong = {}) => missing("member", names, also),
  ["name"],
);
/** Error that lists all invalid values. */
export const fieldsInvalid = defineError(
  "fields_invalid",
  (issues: Issue[]) => ({ detail: issues.map((issue) => issue.detail).join(" "), issues }),
  [{ part: "limit", code: "invalid", detail: errorCodes.fields_invalid.detail }],
);
export const ifMatchMissing = defineError("if_match_missing");
/** The same for one value. `detail` is a whole sentence. */
export const fieldInvalid = (part: string, code: string, detail: string) => fieldsInvalid([{ part, code, detail }]);

export const unauthenticated = defineError("unauthenticated");
export const keyHeaderMissing = () =>
  unauthenticated.withDetail(
    "The request has no x-api-key header. Send your API key in it, as in `x-api-key: hb_…`; an Authorization header is not used. Create a key in the console or with `hearback-server key create`.",
  );
export const notSignedIn = () =>
  unauthenticated.withDetail("You are not signed in, or your session has ended. Sign in with POST /session.");
export const originForbidden = defineError("origin_forbidden");

export const notFound = defineError("not_found");
export const methodNotAllowed = defineError(
  "method_not_allowed",
  (method: string, allowed: readonly string[]) => ({
    detail: `This path exists, but not with the method ${method}. Use ${allowed.join(" or ")}.`,
    allow: allowed,
  }),
  "GET",
  ["POST"],
);
export const recordingTooLarge = defineError(
  "recording_too_large",
  (maxBytes: number) =>
    `The recording is larger than ${maxBytes.toLocaleString("en")} bytes, the limit of this installation. Compress it, or ask the server operator to raise MAX_RECORDING_BYTES.`,
  536_870_912,
);
export const bodyTooLarge = defineError("body_too_large");
export const rangeNotSatisfiable = defineError(
  "range_not_satisfiable",
  (bytes: number) => `The file has ${bytes} bytes, numbered from 0. Request a range within it.`,
  48_000,
);

interface LimitReached {
  readonly limit: LimitName;
  readonly detail: string;
  readonly retryAfterSeconds: number;
}
const limitReached = ({ limit, detail, retryAfterSeconds }: LimitReached) => ({
  detail,
  members: { limit },
  retryAfterSeconds,
});
const exampleLimit = (code: "rate_exceeded" | "too_many_uploads" | "too_many_downloads" | "quota_exceeded") => ({
  detail: errorCodes[code].detail,
  retryAfterSeconds: 1,
});
export const limitErrors = {
  rate_exceeded: defineError("rate_exceeded", limitReached, {
    limit: "key_requests",
    ...exampleLimit("rate_exceeded"),
  }),
  too_many_uploads: defineError("too_many_uploads", limitReached, {
    limit: "key_uploads",
    ...exampleLimit("too_many_uploads"),
  }),
  too_many_downloads: defineError("too_many_downloads", limitReached, {
    limit: "key_downloads",
    ...exampleLimit("too_many_downloads"),
  }),
  quota_exceeded: defineError("quota_exceeded", limitReached, {
    limit: "workspace_calls_per_day",
    ...exampleLimit("quota_exceeded"),
  }),
};

const causedBy = (code: ErrorCode) => (cause?: unknown) => ({ detail: errorCodes[code].detail, cause });
export const databaseUnavailableError = defineError("database_unavailable", causedBy("database_unavailable"));
export const storageUnavailable = defineError("storage_unavailable", causedBy("storage_unavailable"));
export const internalError = defineError("internal", causedBy("internal"));
