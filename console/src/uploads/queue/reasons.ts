import type { ServiceErrorCode } from "@hearback/sdk";
import type { FileInspection } from "../inspect-file.ts";
import type { TextKey, Translate } from "../texts.ts";
import type { Missing } from "./resolve-row.ts";
import type { Failure } from "./upload-queue.ts";

type Key = TextKey;

export const missingTexts: Readonly<Record<Missing, Key>> = {
  agent: "missingAgent",
  agent_unknown: "missingAgentUnknown",
  campaign: "missingCampaign",
  time: "missingTime",
  time_twice: "missingTimeTwice",
  time_never: "missingTimeNever",
  time_ahead: "missingTimeAhead",
};

export const faultTexts: Readonly<Record<NonNullable<FileInspection["fault"]>, Key>> = {
  empty: "reasonEmpty",
  not_audio: "reasonNotAudio",
  unreadable: "reasonFileGone",
};

/** Texts by error code. */
const reasons: Readonly<Record<string, Key>> = {
  recording_empty: "reasonEmpty",
  recording_not_audio: "reasonNotAudio",
  recording_truncated: "reasonTruncated",
  recording_too_large: "reasonTooLarge",
  agent_not_found: "reasonNoAgent",
  user_not_agent: "reasonNotAgent",
  campaign_not_found: "reasonNoCampaign",
  campaign_archived: "reasonArchived",
  body_incomplete: "reasonInterrupted",
  body_too_slow: "reasonTooSlow",
  file_gone: "reasonFileGone",
  unreachable: "reasonAway",
  unauthenticated: "reasonSignedOut",
  role_missing: "reasonNotAllowed",
  scope_missing: "reasonNotAllowed",
  rate_exceeded: "reasonTooMany",
  too_many_uploads: "reasonTooMany",
  quota_exceeded: "reasonQuota",
  storage_unavailable: "reasonServiceAway",
  database_unavailable: "reasonServiceAway",
  internal: "reasonDefect",
  unexpected: "reasonUnexpected",
} satisfies Partial<Record<ServiceErrorCode | "file_gone" | "unexpected", Key>>;

const fileCodes = ["recording_empty", "recording_not_audio", "recording_truncated", "recording_too_large", "file_gone"];

/** Whether sending the same file again cannot succeed. */
export const needsAnotherFile = (code: string): boolean => fileCodes.includes(code);

/** Falls back to the server's message. */
export function reasonOf({ code, message }: Pick<Failure, "code" | "message">, t: Translate): string {
  const key = reasons[code];
  return key ? t(key) : message;
}
