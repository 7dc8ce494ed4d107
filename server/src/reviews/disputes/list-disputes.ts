import type { DisputeBody } from "@hearback/contract";
import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { toPage } from "../../platform/database/pages.ts";
import { selectDisputes, toDisputeBody } from "../review/find-dispute.ts";
import { selectReviews } from "../review/find-review.ts";
import type { ReviewViewer } from "../review/review-viewer.ts";

export interface ListDisputesInput {
  readonly state: "open" | "resolved";
  /** Only disputes that the viewer decides. */
  readonly mine: boolean;
  readonly reviewId: string | undefined;
  readonly cursor: string | undefined;
  readonly limit: number;
}

/** Lists disputes of visible reviews: open ones oldest first, resolved ones newest first. */
export async function listDisputes(tx: Db, viewer: ReviewViewer, input: ListDisputesInput) {
  const { state, mine, reviewId, cursor, limit } = input;
  const isOpen = state === "open";
  const found = await selectDisputes(tx, viewer.workspaceId)
    .where("dispute.state", "=", state)
    .where(({ exists }) =>
      exists(selectReviews(tx, viewer).where("review.id", "=", sql.ref<string>("dispute.review_id"))),
    )
    .$if(mine || (viewer.sees === "reviewer" && reviewId === undefined), (rows) =>
      rows.where("arbiterId", "=", viewer.id),
    )
    // An index condition; the review is checked as well.
    .$if(viewer.sees === "agent", (rows) => rows.where("dispute.agentId", "=", viewer.id))
    .$if(reviewId !== undefined, (rows) => rows.where("dispute.reviewId", "=", reviewId ?? ""))
    .$if(cursor !== undefined, (rows) => rows.where("dispute.id", isOpen ? ">" : "<", cursor ?? ""))
    .orderBy("dispute.id", isOpen ? "asc" : "desc")
    .limit(limit + 1)
    .execute();
  const { rows, next } = toPage(found, limit, ({ id }) => id);
  return { disputes: rows.map(toDisputeBody) satisfies DisputeBody[], next };
}
