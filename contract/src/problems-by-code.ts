import type { z } from "zod";
import { CampaignExistsProblem } from "./campaigns.ts";
import type { ErrorCode } from "./errors.ts";
import { ReviewChangedProblem } from "./reviews.ts";
import { DraftChangedProblem, ScorecardInvalidProblem } from "./scorecards.ts";
import { ConfirmationNeededProblem, WorkspaceAmbiguousProblem } from "./session.ts";
import { TeamExistsProblem } from "./teams.ts";
import { SecondStepNeededProblem } from "./two-step.ts";
import { UserExistsProblem } from "./users.ts";

/** Error codes whose response has additional members. */
export const problemsByCode: Readonly<Partial<Record<ErrorCode, z.ZodType>>> = {
  campaign_exists: CampaignExistsProblem,
  confirmation_needed: ConfirmationNeededProblem,
  draft_changed: DraftChangedProblem,
  review_changed: ReviewChangedProblem,
  scorecard_invalid: ScorecardInvalidProblem,
  second_step_needed: SecondStepNeededProblem,
  team_exists: TeamExistsProblem,
  user_exists: UserExistsProblem,
  workspace_ambiguous: WorkspaceAmbiguousProblem,
};
