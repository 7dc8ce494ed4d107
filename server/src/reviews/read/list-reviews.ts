import { sql } from "kysely";
import { firstCallId } from "../../calls/search/call-filters.ts";
import { type ListPosition, openListCursor } from "../../events/list-cursor.ts";
import type { Db } from "../../platform/database/database.ts";
import { toPage } from "../../platform/database/pages.ts";
import { firstUuidV7Of } from "../../platform/uuid-v7.ts";
import { isCountedSql } from "../review/counted.ts";
import { type ReviewRow, selectReviews } from "../review/find-review.ts";
import type { ReviewViewer } from "../review/review-viewer.ts";

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
  const order = orderOf(viewer, input);
  const cursors = await openListCursor(tx, viewer.workspaceId, `reviews/${order}`);
  const found: ReviewRow[] = [];
  const positions = new Map<string, ListPosition>();
  let last = cursors.read(input.cursor);
  let isEnd = false;
  let step = input.limit + 1;
  let scanned = 0;
  while (!isEnd && found.length <= input.limit && scanned < scanLimit) {
    const rows = await scanIndex(tx, viewer, { ...input, order, after: last, limit: step });
    scanned += rows.length;
    for (const { id, position } of rows) positions.set(id, position);
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) found.push(...(await readMatching(tx, viewer, input, ids)));
    isEnd = rows.length < step;
    last = rows.at(-1)?.position ?? last;
    step = Math.min(maxStep, step * 4);
  }
  const page = toPage(found, input.limit, ({ id }) => positions.get(id) ?? null);
  return { reviews: page.rows, next: cursors.write(page.next ?? (isEnd ? null : (last ?? null))) };
}

/** Whether the filter asks for reviews of others, which the viewer never sees in a list. */
const isContradiction = ({ sees, id }: ReviewViewer, { agentId, reviewerId, callId }: ListReviewsInput): boolean =>
  (sees === "agent" && agentId !== undefined && agentId !== id) ||
  (sees === "reviewer" && callId === undefined && reviewerId !== undefined && reviewerId !== id);

interface IndexScan extends Omit<ListReviewsInput, "cursor"> {
  readonly order: Order;
  readonly after: ListPosition | undefined;
}

/** The next reviews that the index supplies. */
async function scanIndex(tx: Db, viewer: ReviewViewer, scan: IndexScan) {
  const { callId, agentId, reviewerId, scorecardId, state, selection, disputed, from, to, order, after, limit } = scan;
  // What a viewer may see at most, as an index condition.
  const ownAgent = viewer.sees === "agent" ? viewer.id : agentId;
  const ownReviewer = viewer.sees === "reviewer" && callId === undefined ? viewer.id : reviewerId;
  const { columns, isAfter } = sortKeys[order];
  const rows = await tx
    .selectFrom("review")
    .select(["review.id", sql<string[]>`array[${columns}]`.as("position")])
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
    .$if(order === "call", (rows) => rows.where(isCalledIn(scan)).orderBy("callId", "desc"))
    .$if(after !== undefined, (rows) => rows.where(isAfter(after ?? [])))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows;
}

/** The columns of each order as text, and the condition that a review follows a position. */
const sortKeys = {
  release: {
    columns: sql`released_at::text, id::text`,
    isAfter: ([at, id]: ListPosition) => sql<boolean>`(released_at, id) < (${at}::timestamptz, ${id}::uuid)`,
  },
  call: {
    columns: sql`call_id::text, id::text`,
    isAfter: ([callId, id]: ListPosition) => sql<boolean>`(call_id, id) < (${callId}::uuid, ${id}::uuid)`,
  },
  id: { columns: sql`id::text`, isAfter: ([id]: ListPosition) => sql<boolean>`id < ${id}::uuid` },
} as const;
type Order = keyof typeof sortKeys;

/** By the call if only its day narrows the list: other indexes would supply the reviews of all days. */
function orderOf({ sees }: ReviewViewer, input: ListReviewsInput): Order {
  if (sees === "agent") return "release";
  const { callId, agentId, reviewerId, state, disputed, calledFrom, calledTo } = input;
  const isOfDays = calledFrom !== undefined || calledTo !== undefined;
  const isNarrow = [callId, agentId, reviewerId].some((id) => id !== undefined) || disputed || sees === "reviewer";
  return isOfDays && !isNarrow && state !== "draft" && state !== "submitted" ? "call" : "id";
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
