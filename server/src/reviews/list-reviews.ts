import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { toPage } from "../platform/database/pages.ts";
import { firstUuidV7Of } from "../platform/uuid-v7.ts";
import { type ReviewRow, selectReviews } from "./find-review.ts";
import type { ReviewViewer } from "./review-viewer.ts";

export interface ListReviewsInput {
  readonly callId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly reviewerId?: string | undefined;
  readonly scorecardId?: string | undefined;
  readonly campaignId?: string | undefined;
  readonly teamId?: string | undefined;
  readonly state?: string | undefined;
  readonly outcome?: string | undefined;
  readonly disputed?: boolean | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Id of the last review of the previous page. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Reviews that one request reads at most. A page that reaches it is short and has a cursor. */
const scanLimit = 5_000;
/** Reviews that one statement reads at most. */
const maxStep = 1_000;

/**
 * Lists reviews, newest first; for agents, by the time of their release. An index serves the call, the agent, the reviewer, the
 * scorecard, drafts, open disputes or the whole workspace; the other filters are checked on what it supplies, in growing steps until
 * the page is full.
 */
export async function listReviews(
  tx: Db,
  viewer: ReviewViewer,
  input: ListReviewsInput,
): Promise<{ readonly reviews: ReviewRow[]; readonly next: string | null }> {
  if (isContradiction(viewer, input)) return { reviews: [], next: null };
  const found: ReviewRow[] = [];
  let last = input.cursor;
  let isEnd = false;
  let step = input.limit + 1;
  let scanned = 0;
  while (!isEnd && found.length <= input.limit && scanned < scanLimit) {
    const ids = await scanIds(tx, viewer, { ...input, cursor: last, limit: step });
    scanned += ids.length;
    if (ids.length > 0) found.push(...(await readMatching(tx, viewer, input, ids)));
    isEnd = ids.length < step;
    last = ids.at(-1) ?? last;
    step = Math.min(maxStep, step * 4);
  }
  const page = toPage(found, input.limit, ({ id }) => id);
  return { reviews: page.rows, next: page.next ?? (isEnd ? null : (last ?? null)) };
}

/** Whether the filter asks for reviews of others, which the viewer never sees in a list. */
const isContradiction = ({ sees, id }: ReviewViewer, { agentId, reviewerId, callId }: ListReviewsInput): boolean =>
  (sees === "agent" && agentId !== undefined && agentId !== id) ||
  (sees === "reviewer" && callId === undefined && reviewerId !== undefined && reviewerId !== id);

/** The next ids that the index supplies. */
async function scanIds(tx: Db, viewer: ReviewViewer, input: ListReviewsInput): Promise<string[]> {
  const { callId, agentId, reviewerId, scorecardId, state, disputed, from, to, cursor, limit } = input;
  // What a viewer may see at most, as an index condition.
  const ownAgent = viewer.sees === "agent" ? viewer.id : agentId;
  const ownReviewer = viewer.sees === "reviewer" && callId === undefined ? viewer.id : reviewerId;
  const byRelease = viewer.sees === "agent";
  const rows = await tx
    .selectFrom("review")
    .select("review.id")
    .where("workspaceId", "=", viewer.workspaceId)
    .$if(callId !== undefined, (rows) => rows.where("callId", "=", callId ?? ""))
    .$if(ownAgent !== undefined, (rows) => rows.where("agentId", "=", ownAgent ?? ""))
    .$if(ownReviewer !== undefined, (rows) => rows.where("reviewerId", "=", ownReviewer ?? ""))
    .$if(scorecardId !== undefined, (rows) => rows.where("scorecardId", "=", scorecardId ?? ""))
    // Conditions of partial indexes, as constants for the planner.
    .$if(state === "submitted", (rows) => rows.where("state", "=", sql.lit("submitted")))
    .$if(state === "draft", (rows) => rows.where("state", "=", sql.lit("draft")))
    .$if(disputed === true, (rows) => rows.where("dispute", "=", sql.lit("open")))
    .$if(from !== undefined, (rows) => rows.where("id", ">=", firstUuidV7Of(from ?? new Date(0))))
    .$if(to !== undefined, (rows) => rows.where("id", "<", firstUuidV7Of(to ?? new Date(0))))
    .$if(byRelease, (rows) => rows.where("releasedAt", "is not", null).orderBy("releasedAt", "desc"))
    .$if(cursor !== undefined, (rows) => rows.where(isAfter(viewer, cursor ?? "", byRelease)))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Condition on `review`: it follows the last review of the previous page. */
const isAfter = ({ workspaceId }: ReviewViewer, cursor: string, byRelease: boolean) =>
  byRelease
    ? sql<boolean>`(released_at, id) < (
        select last.released_at, last.id from review as last where last.workspace_id = ${workspaceId} and last.id = ${cursor})`
    : sql<boolean>`id < ${cursor}`;

/** Those of the reviews that match, in the order of `ids`. */
const readMatching = (tx: Db, viewer: ReviewViewer, input: ListReviewsInput, ids: readonly string[]) => {
  const { campaignId, teamId, state, outcome, limit } = input;
  return selectReviews(tx, viewer)
    .where("review.id", "=", sql<string>`any (${[...ids]}::uuid[])`)
    .$if(campaignId !== undefined, (rows) => rows.where("campaignId", "=", campaignId ?? ""))
    .$if(teamId !== undefined, (rows) => rows.where("teamId", "=", teamId ?? ""))
    .$if(state !== undefined, (rows) => rows.where("state", "=", state ?? ""))
    .$if(outcome !== undefined, (rows) => rows.where("outcome", "=", outcome ?? ""))
    .orderBy(sql`array_position(${[...ids]}::uuid[], review.id)`)
    .limit(limit + 1)
    .execute();
};
