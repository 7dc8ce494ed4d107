/** Which reviews a caller may see and search by: all, those of one reviewer, or the released ones of one agent. */
export interface ReviewScope {
  readonly reviewerId: string | null;
  readonly agentId: string | null;
}

export const allReviews: ReviewScope = { reviewerId: null, agentId: null };
