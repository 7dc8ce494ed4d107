import type { TextKey } from "../i18n/use-texts.ts";

interface ReasonTexts {
  readonly what: TextKey<"imports">;
  readonly mend: TextKey<"imports">;
}

const form: ReasonTexts = { what: "whatForm", mend: "mendForm" };
const tooMuch: ReasonTexts = { what: "whatTooMuch", mend: "mendTooMuch" };
const notAllowed: ReasonTexts = { what: "whatNotAllowed", mend: "mendNotAllowed" };
const connection: ReasonTexts = { what: "whatConnection", mend: "mendConnection" };

/** What the service's codes mean and what to do; docs/errors.md and docs/calls.md say it at length. */
export const reasonTexts: Readonly<Record<string, ReasonTexts>> = {
  recording_undecodable: { what: "whatUndecodable", mend: "mendUndecodable" },
  recording_too_long: { what: "whatTooLong", mend: "mendTooLong" },
  recording_too_costly: { what: "whatTooCostly", mend: "mendTooCostly" },
  recording_missing: { what: "whatMissing", mend: "mendMissing" },
  preparation_abandoned: { what: "whatAbandoned", mend: "mendAbandoned" },
  agent_not_found: { what: "whatNoAgent", mend: "mendNoAgent" },
  campaign_not_found: { what: "whatNoCampaign", mend: "mendNoCampaign" },
  campaign_archived: { what: "whatArchived", mend: "mendArchived" },
  recording_empty: { what: "whatEmpty", mend: "mendEmpty" },
  recording_not_audio: { what: "whatNotAudio", mend: "mendNotAudio" },
  recording_truncated: { what: "whatTruncated", mend: "mendTruncated" },
  recording_too_large: { what: "whatTooLarge", mend: "mendTooLarge" },
  fields_invalid: { what: "whatFields", mend: "mendFields" },
  quota_exceeded: { what: "whatQuota", mend: "mendQuota" },
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
};
