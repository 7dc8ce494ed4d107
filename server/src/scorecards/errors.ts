import { errorCodes, exampleOf, ScorecardBody, type ScorecardFinding } from "@hearback/contract";
import { defineError } from "../platform/errors.ts";

export const scorecardNotFound = defineError(
  "scorecard_not_found",
  (id: string) => `There is no scorecard ${id} in this workspace. List scorecards with GET /scorecards.`,
  exampleOf(ScorecardBody).id,
);
export const scorecardVersionNotFound = defineError(
  "scorecard_version_not_found",
  (version: string) =>
    `The scorecard has no version ${version}. Its versions are listed by GET /scorecards/{id}/versions.`,
  "4",
);
export const scorecardLimitReached = defineError("scorecard_limit_reached");
export const draftMissing = defineError("draft_missing");
export const scorecardUnchanged = defineError(
  "scorecard_unchanged",
  (version: number) => `The draft is the same as version ${version}. Nothing was published.`,
  3,
);

const exampleFinding: ScorecardFinding = {
  severity: "error",
  path: "/sections",
  code: "no_questions",
  message: "The scorecard has no questions.",
  fix: "Add a question.",
};

export const scorecardInvalid = defineError(
  "scorecard_invalid",
  (findings: readonly ScorecardFinding[], errors: number) => {
    const count = `${errors} error${errors === 1 ? "" : "s"}`;
    return {
      detail: `The scorecard has ${count}. Fix what \`findings\` lists, then publish it again.`,
      members: { findings },
    };
  },
  [exampleFinding],
  1,
);
export const draftChanged = defineError(
  "draft_changed",
  (number: number) => ({ detail: errorCodes.draft_changed.detail.replace("5", String(number)), members: { number } }),
  5,
);
