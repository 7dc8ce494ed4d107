import type { ErrorCode, FailureCode } from "@hearback/sdk";
import type { TextKey } from "./texts.ts";

interface ReasonTexts {
  readonly cause: TextKey;
  readonly fix: TextKey;
}

const form: ReasonTexts = { cause: "causeForm", fix: "fixForm" };
const tooMuch: ReasonTexts = { cause: "causeTooMuch", fix: "fixTooMuch" };
const notAllowed: ReasonTexts = { cause: "causeNotAllowed", fix: "fixNotAllowed" };
const connection: ReasonTexts = { cause: "causeConnection", fix: "fixConnection" };

/** Cause and fix for each error code. docs/errors.md and docs/calls.md have the details. */
export const reasonTexts: Readonly<Record<string, ReasonTexts>> = {
  recording_undecodable: { cause: "causeUndecodable", fix: "fixUndecodable" },
  recording_too_long: { cause: "causeTooLong", fix: "fixTooLong" },
  recording_too_costly: { cause: "causeTooCostly", fix: "fixTooCostly" },
  recording_missing: { cause: "causeMissing", fix: "fixMissing" },
  recording_corrupt: { cause: "causeCorrupt", fix: "fixCorrupt" },
  preparation_abandoned: { cause: "causeAbandoned", fix: "fixAbandoned" },
  agent_not_found: { cause: "causeNoAgent", fix: "fixNoAgent" },
  user_not_agent: { cause: "causeNotAgent", fix: "fixNotAgent" },
  campaign_not_found: { cause: "causeNoCampaign", fix: "fixNoCampaign" },
  campaign_archived: { cause: "causeArchived", fix: "fixArchived" },
  recording_empty: { cause: "causeEmpty", fix: "fixEmpty" },
  recording_not_audio: { cause: "causeNotAudio", fix: "fixNotAudio" },
  recording_truncated: { cause: "causeTruncated", fix: "fixTruncated" },
  recording_too_large: { cause: "causeTooLarge", fix: "fixTooLarge" },
  fields_invalid: { cause: "causeFields", fix: "fixFields" },
  quota_exceeded: { cause: "causeQuota", fix: "fixQuota" },
  rate_exceeded: tooMuch,
  too_many_uploads: tooMuch,
  scope_missing: notAllowed,
  role_missing: notAllowed,
  body_incomplete: connection,
  body_too_slow: connection,
  body_malformed: form,
  content_type_wrong: form,
  part_missing: form,
  part_repeated: form,
  part_not_text: form,
  part_not_file: form,
} satisfies Partial<Record<ErrorCode | FailureCode, ReasonTexts>>;
