import { ServiceError, type ServiceErrorCode } from "@hearback/sdk";
import { EntryError } from "./entry-error.ts";

export interface Explanation {
  readonly code: string;
  readonly reason: string;
  readonly fix: string;
}

const runAgain = "Run the command again; imported calls are not sent twice.";
const malformedRequest =
  "A proxy between this machine and the service may change requests. Check its log, or contact support with the request id.";

const rejectedByProxy = "A proxy or firewall between this machine and the service rejected the upload (403).";

type EntryErrorCode = "file_changed" | "file_unreadable" | "answer_differs";

/** An email address belongs to a user who is not an agent. */
const otherRole =
  "Use the email address of an agent in this row, create the agent with another address, or ask an administrator to change the user's role.";

/** How to fix each error code of an import (docs/errors.md). */
export const fixes: Readonly<Record<string, string>> = {
  agent_not_found: "Run the command with --create-agents, or correct the agent's email address in this row.",
  user_not_agent: otherRole,
  user_exists: otherRole,
  campaign_not_found:
    "Correct the campaign (ids are case-sensitive), create it, or use an API key that can import into it.",
  campaign_archived: "Import into another campaign, or reactivate this one.",
  recording_empty: "The recorder did not write to this file. Use the right file, or remove the row.",
  recording_not_audio: "Use an audio file: WAV, MP3, M4A, Ogg, FLAC, AMR, WebM or AU.",
  recording_truncated: "Copy the file again from the phone system once it is complete.",
  recording_too_large: "Compress it (Opus or MP3), or ask the server operator to raise the limit.",
  fields_invalid: "Correct the value in this row.",
  file_changed: `Wait until the recording is complete. ${runAgain}`,
  file_unreadable: `Check that the file exists and is readable. ${runAgain}`,
  answer_differs: "The service returned a different call than the one that was sent. Contact support with the call id.",
  body_incomplete: `Every attempt lost the connection. ${runAgain}`,
  body_too_slow: `The network is too slow for this recording. Use --concurrency 1 or a faster connection. ${runAgain}`,
  internal: `The service has an internal error. Contact support with the request id. ${runAgain}`,
  unreachable: `Every attempt to send this recording lost the connection. ${runAgain}`,
  content_type_wrong: malformedRequest,
  body_malformed: malformedRequest,
  json_malformed: malformedRequest,
  part_missing: malformedRequest,
  part_repeated: malformedRequest,
  part_not_text: malformedRequest,
  part_not_file: malformedRequest,
  member_missing: malformedRequest,
  request_malformed: malformedRequest,
  not_found: "Check the service URL: there is no import endpoint at this address.",
  call_not_found: malformedRequest,
  body_too_large: malformedRequest,
  http_403: "Ask the administrator of the proxy or firewall to allow uploads to the service.",
  http_404: "Check the service URL: there is no import endpoint at this address.",
  http_413:
    "A proxy in front of the service does not accept files of this size. Raise its limit (nginx: client_max_body_size).",
} satisfies Partial<Record<ServiceErrorCode | EntryErrorCode, string>>;

/** Explains why an entry could not be imported and how to fix it. */
export function explainFailure(error: unknown): Explanation {
  if (error instanceof EntryError)
    return { code: error.code, reason: error.message, fix: error.fix ?? fixes[error.code] ?? runAgain };
  if (error instanceof ServiceError) {
    const named = error.requestId ? ` (request ${error.requestId})` : "";
    const issues = error.problem?.errors?.map(({ part, detail }) => `${part}: ${detail}`) ?? [];
    const message = error.code === "http_403" ? rejectedByProxy : error.message;
    const reason = issues.length > 0 ? issues.join("; ") : message;
    return { code: error.code, reason: `${reason}${named}`, fix: fixes[error.code] ?? runAgain };
  }
  return { code: "unexpected", reason: error instanceof Error ? error.message : String(error), fix: runAgain };
}
