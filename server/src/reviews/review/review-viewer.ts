import { sql } from "kysely";
import type { Caller } from "../../platform/caller.ts";

/** What a caller may see of reviews. */
export interface ReviewViewer {
  readonly workspaceId: string;
  /** Only reviews of calls of these campaigns; null: all. */
  readonly campaignIds: readonly string[] | null;
  /** The user or API key. */
  readonly id: string;
  /** Null: an API key. */
  readonly userId: string | null;
  /**
   * agent: their own released reviews. reviewer: their own, those of others after they submitted one of the same call on the same
   * scorecard, and those whose dispute they decide. all: every review, without the answers of drafts. submitted: every review that is
   * no draft. While a calibration session is open, everyone sees only their own reviews of it. While a user has to review a call,
   * or has a draft of it, they see only their own reviews of it.
   */
  readonly sees: "agent" | "reviewer" | "all" | "submitted";
}

export function viewerOf(caller: Caller): ReviewViewer {
  const { workspaceId, campaignIds } = caller;
  if (caller.kind === "key") {
    const sees = caller.scopes.includes("review") ? "all" : "submitted";
    return { workspaceId, campaignIds, id: caller.keyId, userId: null, sees };
  }
  const sees = caller.role === "agent" ? "agent" : caller.role === "reviewer" ? "reviewer" : "all";
  return { workspaceId, campaignIds, id: caller.userId, userId: caller.userId, sees };
}

/** Condition on `review`: the viewer may see it. */
export function isVisible({ campaignIds, id, userId, sees }: ReviewViewer) {
  const inCampaigns = campaignIds === null ? sql`true` : sql`review.campaign_id = any (${[...campaignIds]}::text[])`;
  const visible = {
    agent: sql`review.agent_id = ${id} and review.released_at is not null`,
    reviewer: sql`review.reviewer_id = ${id} or (review.state <> 'draft' and (
      exists (select from review as own where own.workspace_id = review.workspace_id and own.call_id = review.call_id
        and own.scorecard_id = review.scorecard_id and own.reviewer_id = ${id} and own.state in ('submitted', 'released') and ${isSessionOver("own")})
      or exists (select from dispute where dispute.workspace_id = review.workspace_id and dispute.review_id = review.id
        and dispute.arbiter_id = ${id})))`,
    all: sql`true`,
    submitted: sql`review.state <> 'draft'`,
  }[sees];
  // Blind: also for supervisors, administrators and API keys.
  return sql<boolean>`(${inCampaigns} and (${visible}) and (review.reviewer_id = ${id} or (
    ${isSessionOver("review")} and ${sees === "agent" || userId === null ? sql`true` : hasReviewed(userId)})))`;
}

/** Condition on `review`: the user does not have to review its call, and has no draft of it. */
export const hasReviewed = (userId: string) => sql<boolean>`not (
  exists (select from assignment as own where own.workspace_id = review.workspace_id and own.call_id = review.call_id
    and own.reviewer_id = ${userId} and own.state = 'open')
  or exists (select from review as own where own.workspace_id = review.workspace_id and own.call_id = review.call_id
    and own.reviewer_id = ${userId} and own.state = 'draft'))`;

/** Condition on a review: it is for no calibration session, or for a closed one. */
const isSessionOver = (review: "review" | "own") => {
  const table = sql.table(review);
  return sql`(${table}.calibration_id is null or exists (select from calibration
    where calibration.workspace_id = ${table}.workspace_id and calibration.id = ${table}.calibration_id
      and calibration.state = 'closed'))`;
};
