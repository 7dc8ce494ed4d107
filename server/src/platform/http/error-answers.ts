import { type Issue, Problem } from "@hearback/contract";
import type { z } from "zod";
import { AppError, type ErrorCode, errorCodes } from "../errors.ts";
import { toProblem } from "./problem.ts";

const meanings = {
  400: "The request cannot be taken apart, or something required is missing.",
  401: "No valid API key, and nobody is signed in.",
  403: "The key has not the scope, or is restricted to some campaigns; or the person has not the role.",
  404: "What the request names does not exist in this workspace.",
  409: "As things stand it cannot be done; the code says why.",
  410: "It was there and is not any more; the code says what.",
  413: "Larger than the limit.",
  416: "There are no such bytes.",
  422: "The request is complete and a value is wrong; all wrong values are named at once.",
  429: "Over a limit of the key or of the workspace; the code says which, Retry-After when to send it again.",
  500: "A defect of the service. The body holds the request id and nothing else.",
  503: "PostgreSQL or the object store cannot answer now; Retry-After says when to send it again.",
} as const;
type Status = keyof typeof meanings;

/** What each status is shown with, where a route says no more. */
const usual: Readonly<Record<Status, ErrorCode>> = {
  400: "json_malformed",
  401: "unauthenticated",
  403: "scope_missing",
  404: "not_found",
  409: "call_not_ready",
  410: "audio_lost",
  413: "body_too_large",
  416: "range_not_satisfiable",
  422: "fields_invalid",
  429: "rate_exceeded",
  500: "internal",
  503: "database_unavailable",
};

const wrongValue: Issue = {
  part: "limit",
  code: "invalid",
  detail: "limit must be a whole number from 1 to 100.",
};

/** What such an answer says, for the documentation: the words of the service itself. */
const words: Readonly<Partial<Record<ErrorCode, string>>> = {
  json_malformed: "The body is not JSON. Send a JSON object with the header Content-Type: application/json.",
  body_malformed: "The form ends before its last boundary. Send multipart/form-data as curl -F does.",
  unauthenticated: "The header x-api-key is missing, or its key is unknown, expired or revoked. Send a valid key.",
  scope_missing: "This key has the scope import; this needs read. Use a key made with `--scope read`.",
  role_missing: "This needs the role admin, and yours is reviewer. Ask an administrator of your workspace.",
  session_needed: "This is about somebody who is signed in, and an API key is nobody. Sign in: POST /session.",
  origin_forbidden: "The request does not come from a page of this service.",
  sign_in_failed: "The e-mail address or the password is wrong.",
  sign_in_limited: "Too many attempts to sign in. Wait as long as Retry-After says.",
  sign_in_busy: "Too many people sign in at this moment. Try again in a moment.",
  workspace_ambiguous: "The password is right in several workspaces. Send it again with the workspace_id of one.",
  link_ended: "The link was used already, has expired, or never was one. Ask for a new one.",
  session_not_found: "There is no such session in this workspace. GET /sessions lists them.",
  not_found: "There is nothing at this address. GET /docs lists what there is.",
  campaign_not_found: 'There is no campaign "support-fr" in this workspace.',
  agent_not_found: 'There is no agent "bob@example.com" in this workspace. Create it with POST /users/invite.',
  user_not_found: "There is no such user in this workspace. GET /users lists them.",
  key_not_found: "There is no such key in this workspace. GET /keys lists them.",
  campaign_exists: 'There is a campaign "support-fr" already; nothing was changed.',
  key_ended: "The key is revoked. Make a new one with POST /keys.",
  last_manage_key: "The key is the last one that can manage this workspace. Make another first (POST /keys).",
  call_not_found: "There is no such call in this workspace.",
  webhook_not_found: "There is no such webhook in this workspace. GET /webhooks lists them.",
  event_not_found: "There is no such event in this workspace, or it was removed.",
  call_not_ready: "The call is still being prepared. Ask again in a moment, or wait for call.ready.",
  call_failed: "The call could not be prepared: no sound can be decoded from the recording.",
  call_ready: "The call is ready: there is nothing to run again.",
  user_exists: "A user with this e-mail address exists already; nothing was changed.",
  webhook_disabled: "The webhook is disabled. Enable it with PATCH /webhooks/{id}.",
  webhook_limit_reached: "The workspace has as many webhooks as it may. Delete one first.",
  audio_lost: "It is not in the object store any more. Whoever runs this installation can restore it from a backup.",
  cursor_expired: "Events after this cursor were removed. Begin with the oldest that is kept.",
  body_too_large: "The body is larger than 64 KiB.",
  recording_too_large: "The recording is larger than 536,870,912 bytes, the limit of this installation.",
  range_not_satisfiable: "There are 48000 bytes, numbered from 0. Ask for some of these.",
  fields_invalid: wrongValue.detail,
  recording_truncated: "The recording announces 96,000 bytes of sound, and 48,000 came. Export it again.",
  rate_exceeded: "This key may send 200 requests a second, and has sent more. Wait as long as Retry-After says.",
  internal: "A defect of this service. Report the request id.",
  database_unavailable: "The database cannot answer now. Nothing was changed: send it again.",
  storage_unavailable: "The object store cannot answer now. Nothing was changed: send it again.",
};

function exampleOf(code: ErrorCode, members: Record<string, unknown> = {}): Problem {
  const issues = code === "fields_invalid" ? { issues: [wrongValue] } : {};
  const error = new AppError(code, words[code] ?? `${errorCodes[code].title}.`, { ...issues, members });
  return toProblem(error, "0f5c9d52-4a0b-4a86-9a6e-5a2f0f4b7f0c");
}

interface ProblemOfItsOwn {
  readonly schema: z.ZodType;
  /** What its example has beside what every problem has. */
  readonly members: Record<string, unknown>;
}

/** An error answer of a route in words of its own, shown with these codes. */
export const problemAnswer = (description: string, ...codes: ErrorCode[]) =>
  problemAnswerOf({ schema: Problem, members: {} }, description, ...codes);

/** The same for a problem that says more than others. */
export const problemAnswerOf = ({ schema, members }: ProblemOfItsOwn, description: string, ...codes: ErrorCode[]) => ({
  description,
  content: {
    "application/problem+json": {
      schema,
      examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code, members) }])),
    },
  },
});

/**
 * The error answers of a route, for its documentation: statuses, or codes where it is worth saying which. Whoever needs a
 * key can be over its limits.
 */
export function errorAnswers(...answers: (Status | ErrorCode)[]) {
  const codes = new Map<Status, ErrorCode[]>();
  for (const answer of answers.includes(401) ? [...answers, 429 as const] : answers) {
    const code = typeof answer === "number" ? usual[answer] : answer;
    const status = exampleOf(code).status as Status;
    codes.set(status, [...(codes.get(status) ?? []), code]);
  }
  return Object.fromEntries([...codes].map(([status, its]) => [status, problemAnswer(meanings[status], ...its)]));
}
