import { sql } from "kysely";
import { firstCallId } from "../calls/search/call-filters.ts";
import type { Db } from "../platform/database/database.ts";
import { toPage } from "../platform/database/pages.ts";
import { firstUuidV7Of } from "../platform/uuid-v7.ts";
import { isCountedSql } from "./counted.ts";
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
  readonly selection?: string | undefined;
  /** The answer to this question got no points. */
  readonly failedQuestion?: string | undefined;
  /** Days of the conversation, both inclusive. */
  readonly calledFrom?: string | undefined;
  readonly calledTo?: string | undefined;
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
 * Lists reviews, newest first; for agents, by the time of their release; of some days, by the call. An index serves the call, the agent, the reviewer, the
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
  const { callId, agentId, reviewerId, scorecardId, state, selection, disputed, from, to, cursor, limit } = input;
  // What a viewer may see at most, as an index condition.
  const ownAgent = viewer.sees === "agent" ? viewer.id : agentId;
  const ownReviewer = viewer.sees === "reviewer" && callId === undefined ? viewer.id : reviewerId;
  const order = orderOf(viewer, input);
  const rows = await tx
    .selectFrom("review")
    .select("review.id")
    .where("workspaceId", "=", viewer.workspaceId)
    .$if(callId !== undefined, (rows) => rows.where("callId", "=", callId ?? ""))
    .$if(ownAgent !== undefined, (rows) => rows.where("agentId", "=", ownAgent ?? ""))
    .$if(ownReviewer !== undefined, (rows) => rows.where("reviewerId", "=", ownReviewer ?? ""))
    .$if(scorecardId !== undefined && order !== "call", (rows) => rows.where("scorecardId", "=", scorecardId ?? ""))
    // Conditions of partial indexes, as constants for the planner.
    .$if(state === "submitted", (rows) => rows.where("state", "=", sql.lit("submitted")))
    .$if(state === "submitted" && selection === undefined, (rows) => rows.where(isCountedSql))
    .$if(state === "draft", (rows) => rows.where("state", "=", sql.lit("draft")))
    .$if(disputed === true, (rows) => rows.where("dispute", "=", sql.lit("open")))
    .$if(from !== undefined, (rows) => rows.where("id", ">=", firstUuidV7Of(from ?? new Date(0))))
    .$if(to !== undefined, (rows) => rows.where("id", "<", firstUuidV7Of(to ?? new Date(0))))
    .$if(order === "release", (rows) => rows.where("releasedAt", "is not", null).orderBy("releasedAt", "desc"))
    .$if(order === "call", (rows) => rows.where(isCalledIn(input)).orderBy("callId", "desc"))
    .$if(cursor !== undefined, (rows) => rows.where(isAfter(viewer, cursor ?? "", order)))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

type Order = "release" | "call" | "id";

/** By the call if only its day narrows the list: other indexes would supply the reviews of all days. */
function orderOf({ sees }: ReviewViewer, input: ListReviewsInput): Order {
  if (sees === "agent") return "release";
  const { callId, agentId, reviewerId, state, disputed, calledFrom, calledTo } = input;
  const isOfDays = calledFrom !== undefined || calledTo !== undefined;
  const isNarrow = [callId, agentId, reviewerId].some((id) => id !== undefined) || disputed || sees === "reviewer";
  return isOfDays && !isNarrow && state !== "draft" && state !== "submitted" ? "call" : "id";
}

const columns = { release: sql`released_at`, call: sql`call_id` } as const;

/** Condition on `review`: it follows the last review of the previous page. */
function isAfter({ workspaceId }: ReviewViewer, cursor: string, order: Order) {
  if (order === "id") return sql<boolean>`id < ${cursor}`;
  const column = columns[order];
  return sql<boolean>`(${column}, id) < (
    select ${column}, id from review as last where last.workspace_id = ${workspaceId} and last.id = ${cursor})`;
}

const dayMs = 24 * 3600_000;

/** Condition on `review`: the conversation was on one of these days. */
const isCalledIn = ({ calledFrom, calledTo }: ListReviewsInput) =>
  sql<boolean>`${calledFrom === undefined ? sql`true` : sql`review.call_id >= ${firstCallId(Date.parse(calledFrom))}`}
    and ${calledTo === undefined ? sql`true` : sql`review.call_id < ${firstCallId(Date.parse(calledTo) + dayMs)}`}`;

/** Condition on `review`: the answer to the question got no points in the latest revision. */
const hasFailed = (question: string) =>
  sql<boolean>`review.state <> 'draft' and exists (select from review_revision as latest where latest.workspace_id = review.workspace_id
    and latest.review_id = review.id and latest.number = review.revision
    and latest.result -> 'questions' @> ${JSON.stringify([{ question, points: 0 }])}::jsonb)`;

/** Condition on `review`: as it is shown. A draft of a second review is blind. */
const isSelection = (selection: string) =>
  sql<boolean>`case when selection = 'second' and state = 'draft' and revision = 0 then 'drawn' else selection end = ${selection}`;

/** Those of the reviews that match, in the order of `ids`. */
const readMatching = (tx: Db, viewer: ReviewViewer, input: ListReviewsInput, ids: readonly string[]) => {
  const { scorecardId, campaignId, teamId, state, outcome, selection, failedQuestion, limit } = input;
  return selectReviews(tx, viewer)
    .where("review.id", "=", sql<string>`any (${[...ids]}::uuid[])`)
    .where(isCalledIn(input))
    .$if(scorecardId !== undefined, (rows) => rows.where("scorecardId", "=", scorecardId ?? ""))
    .$if(campaignId !== undefined, (rows) => rows.where("campaignId", "=", campaignId ?? ""))
    .$if(teamId !== undefined, (rows) => rows.where("teamId", "=", teamId ?? ""))
    .$if(state !== undefined, (rows) => rows.where("state", "=", state ?? ""))
    .$if(outcome !== undefined, (rows) => rows.where("outcome", "=", outcome ?? ""))
    .$if(selection !== undefined, (rows) => rows.where(isSelection(selection ?? "")))
    .$if(failedQuestion !== undefined, (rows) => rows.where(hasFailed(failedQuestion ?? "")))
    .orderBy(sql`array_position(${[...ids]}::uuid[], review.id)`)
    .limit(limit + 1)
    .execute();
};
