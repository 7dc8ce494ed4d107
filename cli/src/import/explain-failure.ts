import { ServiceError } from "@hearback/sdk";
import { EntryError } from "./entry-error.ts";

export interface Explanation {
  readonly code: string;
  readonly reason: string;
  readonly fix: string;
}

const again = "Run the command again; what is there already is not sent twice.";
const form =
  "A proxy between this machine and the service may change requests: look at its log, or ask for help with the request id.";

const refusedBetween = "Something between this machine and the service refused it (403), not the service itself.";

/** What to do about each code with which a call may be refused (docs/errors.md). */
export const fixes: Readonly<Record<string, string>> = {
  agent_not_found: "Run the command with --create-agents, or correct the agent's e-mail address in this row.",
  campaign_not_found: "Correct the campaign (ids are case-sensitive), create it, or use a key that may import into it.",
  campaign_archived: "Import into another campaign, or bring this one back.",
  recording_empty: "The recorder never wrote to this file: find the right one, or take the row out.",
  recording_not_audio: "Name the audio file, or convert it to WAV, MP3, M4A, Ogg, FLAC, AMR, WebM or AU.",
  recording_truncated: "Copy the file again from where it was recorded, when it is complete.",
  recording_too_large: "Compress it (Opus or MP3), or have the installation's limit raised.",
  fields_invalid: "Correct the value in this row.",
  file_changed: `Wait until the recording is complete. ${again}`,
  file_unreadable: `See that the file is there and that you may read it. ${again}`,
  answer_differs: "Ask for help with the id of the call: the service answered with another call than was sent.",
  body_incomplete: `The connection broke off each time. ${again}`,
  body_too_slow: `The line is too slow for this recording: send fewer at once (--at-once 1), or over a better line. ${again}`,
  internal: `A defect of the service: ask for help with the request id. ${again}`,
  unreachable: `The connection broke off each time with this recording. ${again}`,
  content_type_wrong: form,
  body_malformed: form,
  json_malformed: form,
  part_missing: form,
  part_repeated: form,
  part_not_text: form,
  part_not_file: form,
  member_missing: form,
  request_malformed: form,
  not_found: "Check the address of the service: nothing takes calls there.",
  call_not_found: form,
  body_too_large: form,
  http_403: "Ask whoever runs the proxy or the firewall between this machine and the service to let recordings pass.",
  http_404: "Check the address of the service: nothing takes calls there.",
  http_413:
    "A proxy before the service takes no files of this size: have its limit raised (nginx: client_max_body_size).",
};

/** Why an entry could not be imported, and what to do about it. */
export function explainFailure(error: unknown): Explanation {
  if (error instanceof EntryError)
    return { code: error.code, reason: error.message, fix: error.fix ?? fixes[error.code] ?? again };
  if (error instanceof ServiceError) {
    const named = error.requestId ? ` (request ${error.requestId})` : "";
    const issues = error.problem?.errors?.map(({ part, detail }) => `${part}: ${detail}`) ?? [];
    const words = error.code === "http_403" ? refusedBetween : error.message;
    const reason = issues.length > 0 ? issues.join("; ") : words;
    return { code: error.code, reason: `${reason}${named}`, fix: fixes[error.code] ?? again };
  }
  return { code: "unexpected", reason: error instanceof Error ? error.message : String(error), fix: again };
}
