import type { PlanPreviewBody } from "@hearback/contract";
import type { DrawRules, Period } from "@hearback/draws/rules";
import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { firstUuidV7Of } from "../platform/uuid-v7.ts";
import { isMatching } from "./matching-calls.ts";

const maxCalls = 200_000;
const days: Readonly<Record<Period, number>> = { day: 1, week: 7, month: 30 };

export interface PreviewInput {
  readonly rules: DrawRules;
  readonly secondPercent: number;
  readonly capacity: number;
}

/** Counts the calls of the last full period that match, and the reviews that a draw of them would make. */
export async function previewPlan(tx: Db, workspaceId: string, input: PreviewInput): Promise<PlanPreviewBody> {
  const { rules, secondPercent, capacity } = input;
  const from = new Date(Date.now() - days[rules.period] * 24 * 60 * 60_000);
  const { rows } = await sql<{ calls: number; agents: number; reviews: number; scanned: number }>`
    with scanned as materialized (
      select id, agent_id, campaign_id, status, duration_ms from call
      where workspace_id = ${workspaceId} and id >= ${firstUuidV7Of(from)} order by id desc limit ${maxCalls}),
    matching as (select agent_id, count(*)::int as calls from scanned as call where ${isMatching(workspaceId, rules)} group by agent_id)
    select coalesce(sum(calls), 0)::int as calls, count(*)::int as agents,
      coalesce(sum(least(calls, ${rules.per_agent}::int)), 0)::int as reviews,
      (select count(*)::int from scanned) as scanned
    from matching`.execute(tx);
  const { calls = 0, agents = 0, reviews = 0, scanned = 0 } = rows[0] ?? {};
  return {
    from: from.toISOString(),
    calls,
    agents,
    reviews,
    second_reviews: Math.round((reviews * secondPercent) / 100),
    capacity,
    complete: scanned < maxCalls,
  };
}
