import { defineError } from "../platform/errors.ts";

export const planNotFound = defineError("plan_not_found");
export const planEnded = defineError("plan_ended");
export const planLimitReached = defineError(
  "plan_limit_reached",
  (max: number) => `This workspace has reached the limit of ${max} active plans. End a plan that you no longer use.`,
  100,
);
export const drawNotFound = defineError("draw_not_found");
export const drawNotDrawn = defineError(
  "draw_not_drawn",
  (closesAt: Date) => `The proof exists once the calls are drawn, on ${closesAt.toISOString()} or shortly after.`,
  new Date("2026-11-15T23:10:00.000Z"),
);
export const nonceFixed = defineError("nonce_fixed");
export const assignmentNotFound = defineError("assignment_not_found");
export const assignmentClosed = defineError("assignment_closed");
export const draftComplete = defineError("draft_complete");
export const reviewerExcluded = defineError("reviewer_excluded");
