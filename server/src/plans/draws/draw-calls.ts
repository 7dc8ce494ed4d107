import type { Ticket } from "@hearback/draws/tickets";
import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { collectIfGrown } from "../../platform/memory/bounded-heap.ts";
import { smallestTickets } from "./agent-tickets.ts";
import { type DrawRow, lockDraw } from "./find-draw.ts";
import type { Staffing } from "./hash-agents.ts";
import { newAssignmentId, openQueueTickets } from "./queue-tickets.ts";
import { saveStep } from "./save-step.ts";

const agentsPerBatch = 50;
/** Tickets are computed in the transaction, which must stay short. */
const callsPerBatch = 5_000;
const dayMs = 24 * 60 * 60_000;

interface DrawAgentRow {
  readonly position: number;
  /** Null: erased since the frame was closed. */
  readonly agentId: string | null;
  readonly calls: number;
}

/** Draws the calls of each agent and makes assignments of them, without reviewers yet. */
export async function drawAgents(app: App, { workspaceId, id }: DrawRow, signal?: AbortSignal): Promise<void> {
  let isEnd = false;
  while (!isEnd) {
    signal?.throwIfAborted();
    isEnd = await inWorkspace(app, workspaceId, async (tx) => {
      const draw = await lockDraw(tx, workspaceId, id);
      if (draw.state !== "closed") return true;
      const { agents: next = 0 } = draw.position as { agents?: number };
      const agents: DrawAgentRow[] = await tx
        .selectFrom("drawAgent")
        .select(["position", "agentId", "calls"])
        .where("workspaceId", "=", workspaceId)
        .where("drawId", "=", id)
        .where("position", ">=", next)
        .orderBy("position")
        .limit(agentsPerBatch)
        .execute();
      await lockMonth(tx, draw);
      let drawn = 0;
      for (let calls = 0; drawn < agents.length && calls < callsPerBatch; drawn++) {
        const agent = agents[drawn] as DrawAgentRow;
        await drawAgent(tx, draw, agent);
        calls += agent.calls;
      }
      const isLast = drawn === agents.length && agents.length < agentsPerBatch;
      await saveStep(tx, draw, isLast ? "assigning" : "closed", isLast ? {} : { agents: next + drawn });
      return isLast;
    });
    collectIfGrown();
  }
}

async function drawAgent(tx: Db, draw: DrawRow, { position, agentId, calls }: DrawAgentRow): Promise<void> {
  const take = agentId === null ? 0 : await countToDraw(tx, draw, agentId, calls);
  await tx
    .updateTable("drawAgent")
    .set({ take })
    .where("workspaceId", "=", draw.workspaceId)
    .where("drawId", "=", draw.id)
    .where("position", "=", position)
    .execute();
  if (agentId !== null && take > 0) await drawNext(tx, draw, agentId, { take, before: 0 });
}

/** Draws of one month wait for each other: what another plan is drawing counts for the monthly limit. */
async function lockMonth(tx: Db, draw: DrawRow): Promise<void> {
  const month = `${draw.workspaceId} ${draw.period.slice(11, 18)}`;
  await sql`select pg_advisory_xact_lock(hashtext('hearback.draw-month'), hashtext(${month}))`.execute(tx);
}

/** As many as the rules say, unless the agent has fewer calls or reaches the monthly limit. */
async function countToDraw(tx: Db, draw: DrawRow, agentId: string, calls: number): Promise<number> {
  const { per_agent: perAgent, monthly_limit: limit } = draw.rules;
  const most = Math.min(perAgent, calls);
  if (limit === null) return most;
  const { count } = await tx
    .selectFrom("assignment")
    .select((rows) => rows.fn.countAll<number>().as("count"))
    .where("workspaceId", "=", draw.workspaceId)
    .where("agentId", "=", agentId)
    .where("month", "=", monthOf(draw))
    .where("kind", "=", "first")
    // The next ticket takes the place of a call that is to be replaced.
    .where((row) => row.or([row("state", "!=", "skipped"), row("toReplace", "=", true)]))
    .executeTakeFirstOrThrow();
  return Math.max(0, Math.min(most, limit - count));
}

/** The month of the period's last day. */
const monthOf = ({ period }: DrawRow) => new Date(`${period.slice(11, 18)}-01T00:00:00.000Z`);

interface ToDraw {
  /** Reviewable calls to have in the end, besides those that come before. */
  readonly take: number;
  /** Tickets that were drawn before, of which some are skipped. */
  readonly before: number;
}

/**
 * Draws the next calls of an agent in the order of their tickets. Those that cannot be reviewed, because they were erased or
 * given to another agent since, are drawn and skipped.
 */
export async function drawNext(tx: Db, draw: DrawRow, agentId: string, { take, before }: ToDraw): Promise<void> {
  let count = before + take;
  for (;;) {
    const tickets = await smallestTickets(tx, draw, agentId, count);
    const drawn = tickets.slice(before);
    const reasons = await findSkipReasons(tx, draw, agentId, drawn);
    const usable = drawn.filter(({ callId }) => !reasons.has(callId)).length;
    if (usable < take && tickets.length === count) {
      count += take - usable;
      continue;
    }
    return saveDrawn(tx, draw, agentId, { drawn, before, reasons });
  }
}

/** Why drawn calls cannot be reviewed. */
async function findSkipReasons(
  tx: Db,
  { workspaceId }: DrawRow,
  agentId: string,
  drawn: readonly Ticket[],
): Promise<Map<string, "erased" | "wrong_agent">> {
  const ids = drawn.map(({ callId }) => callId);
  const { rows } = await sql<{ id: string; agentId: string }>`
    select id, agent_id from call where workspace_id = ${workspaceId} and id = any (${ids}::uuid[])`.execute(tx);
  const agents = new Map(rows.map((row) => [row.id, row.agentId]));
  return new Map(
    ids
      .filter((id) => agents.get(id) !== agentId)
      .map((id) => [id, agents.has(id) ? ("wrong_agent" as const) : ("erased" as const)]),
  );
}

async function saveDrawn(
  tx: Db,
  draw: DrawRow,
  agentId: string,
  { drawn, before, reasons }: { drawn: readonly Ticket[]; before: number; reasons: ReadonlyMap<string, string> },
): Promise<void> {
  if (drawn.length === 0) return;
  const { dueDays } = draw.staffing as unknown as Staffing;
  const ticketOf = openQueueTickets(draw);
  const rows = drawn.map(({ callId }, index) => {
    const skipReason = reasons.get(callId);
    return {
      workspaceId: draw.workspaceId,
      id: newAssignmentId(draw),
      planId: draw.planId,
      drawId: draw.id,
      scorecardId: draw.rules.scorecard_id,
      callId,
      agentId,
      kind: "first",
      ticket: ticketOf("first", callId),
      place: before + index,
      month: monthOf(draw),
      state: skipReason ? "skipped" : "pending",
      dueAt: new Date(draw.closesAt.getTime() + dueDays * dayMs),
      ...(skipReason && { skipReason, skipNote: "" }),
    };
  });
  await tx
    .insertInto("assignment")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["workspaceId", "drawId", "callId", "kind"]).doNothing())
    .execute();
}
