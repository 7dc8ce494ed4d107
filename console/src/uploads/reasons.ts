import type { TextKey, Translate } from "../i18n/use-texts.ts";
import type { FirstLook } from "./look-at-file.ts";
import type { Missing } from "./settle-row.ts";
import type { Failure } from "./upload-queue.ts";

type Key = TextKey<"uploads">;

export const missingTexts: Readonly<Record<Missing, Key>> = {
  agent: "missingAgent",
  agent_unknown: "missingAgentUnknown",
  campaign: "missingCampaign",
  time: "missingTime",
  time_twice: "missingTimeTwice",
  time_never: "missingTimeNever",
  time_ahead: "missingTimeAhead",
};

export const faultTexts: Readonly<Record<NonNullable<FirstLook["fault"]>, Key>> = {
  empty: "reasonEmpty",
  not_audio: "reasonNotAudio",
  unreadable: "reasonFileGone",
};

/** The service's codes, as a person reads them beside a file. */
const reasons: Readonly<Record<string, Key>> = {
  recording_empty: "reasonEmpty",
  recording_not_audio: "reasonNotAudio",
  recording_truncated: "reasonTruncated",
  recording_too_large: "reasonTooLarge",
  agent_not_found: "reasonNoAgent",
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
};

/** In the reader's language where the code is known, otherwise in the service's words. */
export function reasonOf({ code, message }: Pick<Failure, "code" | "message">, t: Translate<"uploads">): string {
  const key = reasons[code];
  return key ? t(key) : message;
}
