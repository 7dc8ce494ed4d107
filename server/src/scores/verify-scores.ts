import { sql } from "kysely";
import { firstCallId } from "../calls/search/call-filters.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inSnapshot } from "../platform/database/in-workspace.ts";
import { withRetries } from "../platform/database/with-retries.ts";
import { lowestUuid } from "../platform/is-uuid.ts";
import {
  type AgentSumKey,
  type CountedReview,
  contributionOf,
  dayOfCall,
  type Sum,
  type SumKey,
} from "./contribution.ts";
import { addMeasures, type Measures, noMeasures } from "./measures.ts";
import { selectCounted } from "./read-counted.ts";
import {
  addSums,
  agentScoreSum,
  deletedScoreSum,
  readSums,
  type SumMap,
  scoreSum,
  subtractSums,
  writeSums,
} from "./sums.ts";

/** A stored sum that differs from the recomputation. */
export interface ScoreDifference {
  readonly table: "score_sum" | "agent_score_sum";
  readonly key: SumKey | AgentSumKey;
  readonly expected: Measures;
  readonly stored: Measures;
}

export interface VerifyOptions {
  /** Corrects the sums. */
  readonly repair?: boolean;
  /** Starts after this day. */
  readonly after?: string | undefined;
  readonly onDay?: (day: string, reviews: number) => void | Promise<void>;
  readonly onDifference?: (difference: ScoreDifference) => void;
  readonly signal?: AbortSignal | undefined;
}

const dayMs = 24 * 3600_000;
const nextDay = (day: string) => new Date(Date.parse(day) + dayMs);
const beforeAll = "1969-12-31";
/** Reviews in memory at a time. */
const pageSize = 500;

/**
 * Recomputes the sums of a workspace from the revisions of its reviews, day by day. A review counts on one day only, so each day is
 * consistent in a snapshot of its own, while others release reviews. Memory is bounded by the sums of one day.
 */
export async function verifyScores(
  app: App,
  workspaceId: string,
  { repair = false, after = beforeAll, onDay, onDifference, signal }: VerifyOptions = {},
): Promise<{ readonly reviews: number; readonly days: number; readonly differences: number }> {
  const total = { reviews: 0, days: 0, differences: 0 };
  for (let last = after; ; ) {
    signal?.throwIfAborted();
    // A repair fails and is retried if a sum of the day changed since the snapshot.
    const verified = await withRetries(() =>
      inSnapshot(app, workspaceId, async (tx) => {
        const day = await findNextDay(tx, workspaceId, last);
        return day === undefined ? undefined : verifyDay(tx, workspaceId, day, repair);
      }),
    );
    if (!verified) return total;
    total.days += 1;
    total.reviews += verified.reviews;
    total.differences += verified.differences.length;
    for (const difference of verified.differences) onDifference?.(difference);
    await onDay?.(verified.day, total.reviews);
    last = verified.day;
  }
}

/** The next day with a released review or a sum. */
async function findNextDay(tx: Db, workspaceId: string, after: string): Promise<string | undefined> {
  const { rows } = await sql<{ stored: string | null; callId: string | null }>`
    select least(
        (select min(day) from score_sum where workspace_id = ${workspaceId} and day > ${after}::date),
        (select min(day) from deleted_score_sum where workspace_id = ${workspaceId} and day > ${after}::date),
        (select min(day) from agent_score_sum where workspace_id = ${workspaceId} and day > ${after}::date))::text as stored,
      (select call_id from review where workspace_id = ${workspaceId} and call_id >= ${firstCallId(nextDay(after))}
        and state = 'released' order by call_id limit 1) as call_id`.execute(tx);
  const [found] = rows;
  const days = [found?.stored, found?.callId && dayOfCall(found.callId)].filter((day) => typeof day === "string");
  return days.sort()[0];
}

async function verifyDay(tx: Db, workspaceId: string, day: string, repair: boolean) {
  const { reviews, sums, agentSums } = await recompute(tx, workspaceId, day);
  addSums(scoreSum, sums, await readSums(tx, workspaceId, deletedScoreSum, day));
  const stored = await readSums(tx, workspaceId, scoreSum, day);
  const storedOfAgents = await readSums(tx, workspaceId, agentScoreSum, day);
  const missing = subtractSums(scoreSum, [...sums.values()], stored);
  const missingOfAgents = subtractSums(agentScoreSum, [...agentSums.values()], storedOfAgents);
  if (repair) {
    await writeSums(tx, workspaceId, scoreSum, missing);
    await writeSums(tx, workspaceId, agentScoreSum, missingOfAgents);
  }
  const differences: ScoreDifference[] = [
    ...describe(scoreSum, "score_sum", missing, stored),
    ...describe(agentScoreSum, "agent_score_sum", missingOfAgents, storedOfAgents),
  ];
  return { day, reviews, differences };
}

/** The key, and what is and should be stored, of each sum from which something is missing. */
function describe<Key extends SumKey | AgentSumKey>(
  table: { readonly name: string; readonly key: readonly (keyof Key & string)[] },
  name: ScoreDifference["table"],
  missing: readonly Sum<Key>[],
  stored: readonly Sum<Key>[],
): ScoreDifference[] {
  if (missing.length === 0) return [];
  const known: SumMap<Key> = new Map();
  addSums(table, known, stored);
  return missing.map((row) => {
    const key = Object.fromEntries(table.key.map((column) => [column, row[column]])) as unknown as Key;
    const is = known.get(JSON.stringify(Object.values(key)))?.sums ?? noMeasures;
    return { table: name, key, expected: addMeasures(is, row.sums), stored: is };
  });
}

/** The sums of all released reviews whose call was on the day. */
async function recompute(tx: Db, workspaceId: string, day: string) {
  const sums: SumMap<SumKey> = new Map();
  const agentSums: SumMap<AgentSumKey> = new Map();
  const end = firstCallId(nextDay(day));
  let reviews = 0;
  for (let last = { callId: firstCallId(Date.parse(day)), id: lowestUuid }; ; ) {
    const { rows } = await sql<CountedReview & { readonly id: string }>`${selectCounted}
      where review.workspace_id = ${workspaceId} and (call_id, review.id) > (${last.callId}::uuid, ${last.id}::uuid)
        and call_id < ${end} and state = 'released'
      order by call_id, review.id limit ${pageSize}`.execute(tx);
    for (const review of rows) {
      const contribution = contributionOf(review);
      addSums(scoreSum, sums, contribution.sums);
      addSums(agentScoreSum, agentSums, contribution.agentSums);
    }
    reviews += rows.length;
    const final = rows.at(-1);
    if (!final || rows.length < pageSize) return { reviews, sums, agentSums };
    last = final;
  }
}
