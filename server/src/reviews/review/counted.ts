import { sql } from "kysely";
import { reviewNotCounted } from "../errors.ts";
import type { ReviewRow } from "./find-review.ts";

/** Condition on `review`, as in partial indexes: it counts for the agent. */
export const isCountedSql = sql<boolean>`review.selection in ('drawn', 'picked')`;

/** Whether the review counts for the agent. The others measure agreement: calibration reviews and blind second reviews. */
export const isCounted = ({ selection }: ReviewRow): boolean => selection === "drawn" || selection === "picked";

/** Throws for reviews that are never released or corrected. */
export function requireCounted(review: ReviewRow): void {
  if (!isCounted(review)) throw reviewNotCounted();
}
