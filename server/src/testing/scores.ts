import { type ScoreDifference, verifyScores } from "../scores/verify-scores.ts";
import type { TestApp } from "./test-app.ts";

/** What acts add to the sums, and how the sums differ from a recomputation. */
export function openScoreTests({ admin, app, caller: { workspaceId } }: TestApp) {
  /** One row of score_sum, of all reviews of this workspace. */
  async function sumOf(itemId = ""): Promise<Record<string, number>> {
    const { rows } = await admin.query(
      `select sum(scored)::int as scored, sum(unscored)::int as unscored, sum(passed)::int as passed, sum(failed)::int as failed,
      sum(failed_call)::int as failed_call, sum(score_total)::int as score_total, sum(score_squares)::float as score_squares,
      sum(disputes)::int as disputes, sum(disputes_changed)::int as disputes_changed, sum(acknowledged)::int as acknowledged
    from score_sum where item_id = $1`,
      [itemId],
    );
    return Object.fromEntries(Object.entries(rows[0]).map(([name, value]) => [name, Number(value)]));
  }
  /** Runs `act` and returns what it added to the sums. */
  async function added(act: () => Promise<unknown>, itemId = ""): Promise<Record<string, number>> {
    const before = await sumOf(itemId);
    await act();
    const after = await sumOf(itemId);
    const changed = Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)] as const);
    return Object.fromEntries(changed.filter(([, value]) => value !== 0));
  }
  async function differences(): Promise<ScoreDifference[]> {
    const found: ScoreDifference[] = [];
    await verifyScores(app, workspaceId, { onDifference: (difference) => found.push(difference) });
    return found;
  }
  return { added, differences };
}
