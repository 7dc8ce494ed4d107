import { assignReviewers, type ReviewToAssign } from "@hearback/draws/assign-reviewers";
import { openTickets } from "@hearback/draws/tickets";
import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { newUuidV7 } from "../../platform/uuid-v7.ts";
import { seedOf } from "./agent-tickets.ts";
import { findExclusions } from "./exclusions.ts";
import { type DrawRow, lockDraw } from "./find-draw.ts";
import type { Staffing } from "./hash-agents.ts";
import { saveStep } from "./save-step.ts";

const batchSize = 500;

interface Drawn extends ReviewToAssign {
  readonly id: string;
  readonly ticket: Buffer;
}

/**
 * Adds the second reviews and gives every drawn call a reviewer. Everything follows from the tickets, so a run that was
 * interrupted is completed by the next one with the same result.
 */
export async function assignDraw(app: App, { workspaceId, id }: DrawRow, signal?: AbortSignal): Promise<void> {
  const draw = await inWorkspace(app, workspaceId, (tx) => lockDraw(tx, workspaceId, id));
  if (draw.state !== "assigning") return;
  await inWorkspace(app, workspaceId, (tx) => addSecondReviews(tx, draw));
  const drawn = await inWorkspace(app, workspaceId, (tx) => readDrawn(tx, draw));
  const reviewers = await inWorkspace(app, workspaceId, (tx) => chooseReviewers(tx, draw, drawn));
  for (let first = 0; first < drawn.length; first += batchSize) {
    signal?.throwIfAborted();
    const ids = drawn.slice(first, first + batchSize).map((review) => review.id);
    const chosen = reviewers.slice(first, first + batchSize).map((reviewer) => reviewer ?? null);
    await inWorkspace(app, workspaceId, (tx) =>
      sql`update assignment set reviewer_id = chosen.reviewer_id, state = 'open'
        from unnest(${ids}::uuid[], ${chosen}::uuid[]) as chosen (id, reviewer_id)
        where assignment.workspace_id = ${workspaceId} and assignment.id = chosen.id and assignment.state = 'pending'`.execute(
        tx,
      ),
    );
  }
  await inWorkspace(app, workspaceId, async (tx) => {
    const draw = await lockDraw(tx, workspaceId, id);
    if (draw.state === "assigning") await saveStep(tx, draw, "drawn", {}, { drawnAt: new Date() });
  });
}

/** The text whose ticket decides which calls get a second review: independent of the order in which they were drawn. */
const secondTicketText = (callId: string) => `second/${callId}`;

async function addSecondReviews(tx: Db, draw: DrawRow): Promise<void> {
  const { workspaceId, id } = draw;
  const { secondPercent } = draw.staffing as unknown as Staffing;
  if (secondPercent === 0) return;
  const firsts = await tx
    .selectFrom("assignment")
    .select("callId")
    .where("workspaceId", "=", workspaceId)
    .where("drawId", "=", id)
    .where("kind", "=", "first")
    .where("state", "!=", "skipped")
    .execute();
  const ticketOf = openTickets(seedOf(draw));
  const seconds = firsts
    .map(({ callId }) => ({ callId, ticket: Buffer.from(ticketOf(secondTicketText(callId))) }))
    .sort((a, b) => Buffer.compare(a.ticket, b.ticket))
    .slice(0, Math.round((firsts.length * secondPercent) / 100));
  for (let at = 0; at < seconds.length; at += batchSize)
    await insertSeconds(tx, draw, seconds.slice(at, at + batchSize));
}

async function insertSeconds(
  tx: Db,
  { workspaceId, id }: DrawRow,
  seconds: readonly { readonly callId: string; readonly ticket: Buffer }[],
): Promise<void> {
  const ids = seconds.map(() => newUuidV7());
  const callIds = seconds.map(({ callId }) => callId);
  const tickets = seconds.map(({ ticket }) => ticket);
  await sql`
    insert into assignment (workspace_id, id, plan_id, draw_id, scorecard_id, call_id, agent_id, kind, ticket, place, month, state, due_at)
    select first.workspace_id, second.id, first.plan_id, first.draw_id, first.scorecard_id, first.call_id, first.agent_id, 'second',
      second.ticket, first.place, first.month, 'pending', first.due_at
    from unnest(${ids}::uuid[], ${callIds}::uuid[], ${tickets}::bytea[]) as second (id, call_id, ticket)
      join assignment as first on first.call_id = second.call_id
    where first.workspace_id = ${workspaceId} and first.draw_id = ${id} and first.kind = 'first'
    on conflict (workspace_id, draw_id, call_id, kind) do nothing`.execute(tx);
}

/** All drawn calls in the order of their tickets. */
async function readDrawn(tx: Db, { workspaceId, id }: DrawRow): Promise<Drawn[]> {
  const rows = await tx
    .selectFrom("assignment")
    .select(["id", "callId", "agentId", "kind", "ticket"])
    .where("workspaceId", "=", workspaceId)
    .where("drawId", "=", id)
    .where("state", "!=", "skipped")
    .orderBy("ticket")
    .execute();
  return rows.map(({ kind, ...row }) => ({ ...row, isSecond: kind === "second" }));
}

async function chooseReviewers(tx: Db, draw: DrawRow, drawn: readonly Drawn[]): Promise<(string | undefined)[]> {
  const { reviewers, isExcluded } = await findExclusions(tx, draw, new Set(drawn.map(({ agentId }) => agentId)));
  const ticketOf = openTickets(seedOf(draw));
  const salts = new Map(reviewers.map(({ id }) => [id, Buffer.from(ticketOf(`reviewer/${id}`)).readUInt32BE()]));
  const tickets = new Map(drawn.map(({ id, ticket }) => [id, ticket.readUInt32BE()]));
  return assignReviewers(drawn, {
    reviewers,
    isExcluded,
    // Mixes both numbers, so that reviewers come in another order for every call.
    order: (review, reviewerId) =>
      Math.imul((tickets.get((review as Drawn).id) ?? 0) ^ (salts.get(reviewerId) ?? 0), 0x9e3779b1) >>> 0,
  });
}
