import type { CoverageBody, CoverageQuery } from "@hearback/contract";
import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";

const dayMs = 24 * 3600_000;

/** First reviews of the draws whose last day is in the period, as the plan's time zone counts days. Skipped calls do not count: the next ticket takes their place. */
export async function findCoverage(
  tx: Db,
  workspaceId: string,
  { from, to, scorecard_id: scorecardId }: CoverageQuery,
): Promise<CoverageBody> {
  const { rows } = await sql<CoverageBody>`
    select count(*) as drawn, count(*) filter (where assignment.state = 'done') as done,
      count(*) filter (where assignment.state = 'open' and due_at < now()) as overdue
    from review_draw as draw
    join assignment on assignment.workspace_id = draw.workspace_id and assignment.draw_id = draw.id
    where draw.workspace_id = ${workspaceId} and draw.state = 'drawn'
      and ends_at between ${new Date(Date.parse(from) - dayMs)} and ${new Date(Date.parse(to) + 2 * dayMs)}
      and right(period, 10)::date between ${from}::date and ${to}::date
      and kind = 'first' and assignment.state <> 'skipped'
      ${scorecardId === undefined ? sql`` : sql`and scorecard_id = ${scorecardId}`}`.execute(tx);
  return rows[0] ?? { drawn: 0, done: 0, overdue: 0 };
}
