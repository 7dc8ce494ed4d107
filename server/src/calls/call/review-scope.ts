/** Which reviews a caller may see and search by: all, those of one reviewer, or the released ones of one agent. */
export interface ReviewScope {
  readonly reviewerId: string | null;
  readonly agentId: string | null;
  /** Not those of others about calls that this user has to review. */
  readonly userId: string | null;
}

export const allReviews: ReviewScope = { reviewerId: null, agentId: null, userId: null };

/**
 * SQL condition on `review`, as in partial indexes: it is submitted and counts as a review of the call. Calibration reviews and blind
 * second reviews do not: they measure agreement, and may still be hidden.
 */
export const isCountedReview = "state in ('submitted', 'released') and selection in ('drawn', 'picked')";
