import type { Issue } from "@hearback/contract";

export type ErrorKind =
  | "malformed"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "gone"
  | "too_large"
  | "range"
  | "too_many"
  | "invalid"
  | "unavailable"
  | "internal";

/** Every error code of the interface, once. Each has its part in docs/errors.md; a test holds the two together. */
export const errorCodes = {
  content_type_wrong: { kind: "malformed", title: "The content type is not the one this route takes" },
  body_malformed: { kind: "malformed", title: "The form cannot be taken apart" },
  body_incomplete: { kind: "malformed", title: "The body ended early" },
  body_too_slow: { kind: "malformed", title: "The body came too slowly" },
  json_malformed: { kind: "malformed", title: "The body is not a JSON object" },
  part_missing: { kind: "malformed", title: "A required part is missing" },
  part_repeated: { kind: "malformed", title: "A part was sent twice" },
  part_not_text: { kind: "malformed", title: "A text part was sent as a file" },
  part_not_file: { kind: "malformed", title: "The file was sent as text" },
  member_missing: { kind: "malformed", title: "A required member is missing" },
  request_malformed: { kind: "malformed", title: "The request is not proper HTTP" },
  unauthenticated: { kind: "unauthenticated", title: "No valid API key, and nobody is signed in" },
  sign_in_failed: { kind: "unauthenticated", title: "E-mail or password is wrong" },
  scope_missing: { kind: "forbidden", title: "The key may not do this" },
  key_restricted: { kind: "forbidden", title: "The key is restricted to some campaigns" },
  role_missing: { kind: "forbidden", title: "Your role may not do this" },
  session_needed: { kind: "forbidden", title: "Only somebody who is signed in can do this" },
  origin_forbidden: { kind: "forbidden", title: "The request comes from another site" },
  not_found: { kind: "not_found", title: "There is nothing here" },
  campaign_not_found: { kind: "not_found", title: "The campaign does not exist" },
  campaign_archived: { kind: "not_found", title: "The campaign is archived" },
  agent_not_found: { kind: "not_found", title: "The agent does not exist" },
  user_not_found: { kind: "not_found", title: "The user does not exist" },
  key_not_found: { kind: "not_found", title: "The key does not exist" },
  call_not_found: { kind: "not_found", title: "The call does not exist" },
  erasure_not_found: { kind: "not_found", title: "The erasure does not exist" },
  hold_not_found: { kind: "not_found", title: "The legal hold does not exist" },
  session_not_found: { kind: "not_found", title: "The session does not exist" },
  link_ended: { kind: "not_found", title: "The link does not work any more" },
  audio_lost: { kind: "gone", title: "The sound is not in the object store any more" },
  call_not_ready: { kind: "conflict", title: "The call is not ready yet" },
  call_failed: { kind: "conflict", title: "The call could not be prepared" },
  call_ready: { kind: "conflict", title: "The call is ready already" },
  webhook_not_found: { kind: "not_found", title: "The webhook does not exist" },
  event_not_found: { kind: "not_found", title: "The event does not exist" },
  user_exists: { kind: "conflict", title: "The user exists already" },
  workspace_ambiguous: { kind: "conflict", title: "There are several workspaces to choose from" },
  user_deactivated: { kind: "conflict", title: "The user is deactivated" },
  last_admin: { kind: "conflict", title: "It is the last administrator" },
  on_hold: { kind: "conflict", title: "A legal hold forbids it" },
  erasure_running: { kind: "conflict", title: "The erasure is not done yet" },
  campaign_exists: { kind: "conflict", title: "The campaign exists already" },
  key_ended: { kind: "conflict", title: "The key has ended, or was replaced" },
  last_manage_key: { kind: "conflict", title: "It is the last key that can manage the workspace" },
  webhook_limit_reached: { kind: "conflict", title: "The workspace has as many webhooks as it may" },
  webhook_disabled: { kind: "conflict", title: "The webhook is disabled" },
  cursor_expired: { kind: "gone", title: "Events after this cursor were removed" },
  recording_too_large: { kind: "too_large", title: "The recording is too large" },
  body_too_large: { kind: "too_large", title: "The body is too large" },
  range_not_satisfiable: { kind: "range", title: "There are no such bytes" },
  fields_invalid: { kind: "invalid", title: "A value is wrong" },
  recording_empty: { kind: "invalid", title: "The recording is empty" },
  recording_not_audio: { kind: "invalid", title: "The file is not a recording" },
  recording_truncated: { kind: "invalid", title: "The recording is cut short" },
  rate_exceeded: { kind: "too_many", title: "Too many requests" },
  too_many_uploads: { kind: "too_many", title: "Too many uploads at once" },
  quota_exceeded: { kind: "too_many", title: "The workspace's quota is used up" },
  sign_in_limited: { kind: "too_many", title: "Too many attempts to sign in" },
  sign_in_busy: { kind: "unavailable", title: "Too many people sign in at this moment" },
  database_unavailable: { kind: "unavailable", title: "The database cannot answer now" },
  storage_unavailable: { kind: "unavailable", title: "The object store cannot answer now" },
  internal: { kind: "internal", title: "A defect of this service" },
} as const satisfies Record<string, { kind: ErrorKind; title: string }>;

export type ErrorCode = keyof typeof errorCodes;

interface Extra {
  readonly issues?: Issue[];
  /** Further members of the answer's body. */
  readonly members?: Record<string, unknown>;
  readonly cause?: unknown;
  /** When it is worth trying again. */
  readonly retryAfterSeconds?: number;
}

/** A failure that the caller can understand and act on. Anything else is a bug and answers 500. */
export class AppError extends Error {
  override name = "AppError";
  readonly code: ErrorCode;
  readonly issues: Issue[] | undefined;
  readonly members: Record<string, unknown> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, detail: string, extra: Extra = {}) {
    super(detail, { cause: extra.cause });
    this.code = code;
    this.issues = extra.issues;
    this.members = extra.members;
    this.retryAfterSeconds = extra.retryAfterSeconds;
  }
}

export const unauthenticated = () =>
  new AppError(
    "unauthenticated",
    "The header x-api-key is missing, or its key is unknown, expired or revoked. Send a valid key; `hearback-server key create` makes one.",
  );

export const notSignedIn = () =>
  new AppError("unauthenticated", "Nobody is signed in, or the session has ended. Sign in again: POST /session.");

export const bodyIncomplete = () =>
  new AppError("body_incomplete", "The body ended early. Nothing was imported: send it again.");

export const storageUnavailable = (cause: unknown) =>
  new AppError("storage_unavailable", "The object store cannot answer now. Nothing was changed: send it again.", {
    cause,
  });

export const recordingTooLarge = (maxBytes: number) =>
  new AppError(
    "recording_too_large",
    `The recording is larger than ${maxBytes.toLocaleString("en")} bytes, the limit of this installation (MAX_RECORDING_BYTES).`,
  );
