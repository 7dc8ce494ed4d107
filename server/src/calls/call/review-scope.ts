/** Which reviews a caller may see and search by: all, those of one reviewer, or the released ones of one agent. */
export interface ReviewScope {
  readonly reviewerId: string | null;
  readonly agentId: string | null;
}

export const allReviews: ReviewScope = { reviewerId: null, agentId: null };

/**
 * SQL condition on `review`, as in partial indexes: it is submitted and counts as a review of the call. Calibration reviews and blind
 * second reviews do not: they measure agreement, and may still be hidden.
 */
export const isCountedReview = "state in ('submitted', 'released') and selection in ('drawn', 'picked')";
