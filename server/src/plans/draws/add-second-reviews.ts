import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { countSeconds, secondSeed } from "@hearback/draws/second-reviews";
import { openTickets } from "@hearback/draws/tickets";
import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { lowestUuid } from "../../platform/is-uuid.ts";
import { seedOf } from "./agent-tickets.ts";
import { openSecondKey } from "./draw-keys.ts";
import type { DrawRow } from "./find-draw.ts";
import type { Staffing } from "./hash-agents.ts";
import { newAssignmentId, openQueueTickets } from "./queue-tickets.ts";

const pageSize = 5_000;
const batchSize = 500;

/** Adds second reviews of the calls with the smallest tickets of the second key. Adds nothing if they exist. */
export async function addSecondReviews(app: App, draw: DrawRow, signal: AbortSignal | undefined): Promise<void> {
  const { secondPercent } = draw.staffing as unknown as Staffing;
  const key = openSecondKey(app, draw);
  if (secondPercent === 0 || !key) return;
  const callIds = await readCandidates(app, draw, signal);
  const count = countSeconds(callIds.length, secondPercent);
  const { chosen, limit } = await chooseCalls(secondSeed(key, seedOf(draw)), callIds, count);
  await saveLimit(app, draw, limit);
  for (let at = 0; at < chosen.length; at += batchSize) {
    signal?.throwIfAborted();
    await inWorkspace(app, draw.workspaceId, (tx) => insertSeconds(tx, draw, chosen.slice(at, at + batchSize)));
  }
}

interface Candidate {
  readonly agentId: string;
  readonly place: number;
  readonly callId: string;
}

/** The first `take` drawn calls of each agent, also those that are skipped, so that anyone can tell from the proof which these are. */
async function readCandidates(
  app: App,
  { workspaceId, id }: DrawRow,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const callIds: string[] = [];
  let last: Candidate = { agentId: lowestUuid, place: -1, callId: "" };
  for (let isEnd = false; !isEnd; ) {
    signal?.throwIfAborted();
    const { rows } = await inWorkspace(app, workspaceId, (tx) =>
      sql<Candidate>`
        select first.agent_id, first.place, first.call_id from assignment as first
          join draw_agent as agent on agent.workspace_id = first.workspace_id and agent.agent_id = first.agent_id
            and agent.draw_id = first.draw_id
        where first.workspace_id = ${workspaceId} and first.draw_id = ${id} and first.kind = 'first' and first.place < agent.take
          and (first.agent_id, first.place) > (${last.agentId}::uuid, ${last.place})
        order by first.agent_id, first.place limit ${pageSize}`.execute(tx),
    );
    for (const { callId } of rows) callIds.push(callId);
    last = rows.at(-1) ?? last;
    isEnd = rows.length < pageSize;
  }
  return callIds;
}

/** The calls with the smallest tickets, and the largest of these tickets. */
async function chooseCalls(
  seed: Uint8Array,
  callIds: readonly string[],
  count: number,
): Promise<{ readonly chosen: readonly string[]; readonly limit: Buffer | null }> {
  if (count === 0) return { chosen: [], limit: null };
  const ticketOf = openTickets(seed);
  // The first 48 bits of each: 250,000 whole tickets would be sorted for too long.
  const numbers = new Float64Array(callIds.length);
  for (const [index, callId] of callIds.entries()) {
    numbers[index] = Buffer.from(ticketOf(callId)).readUIntBE(0, 6);
    if (index % batchSize === 0) await yieldToEventLoop();
  }
  const last = numbers.toSorted()[count - 1] as number;
  const tickets = (at: (number: number) => boolean) =>
    callIds
      .filter((_, index) => at(numbers[index] as number))
      .map((callId) => ({ callId, ticket: Buffer.from(ticketOf(callId)) }));
  const below = callIds.filter((_, index) => (numbers[index] as number) < last);
  const atLast = tickets((number) => number === last)
    .sort((a, b) => Buffer.compare(a.ticket, b.ticket))
    .slice(0, count - below.length);
  return { chosen: [...below, ...atLast.map(({ callId }) => callId)], limit: atLast.at(-1)?.ticket ?? null };
}

const saveLimit = (app: App, { workspaceId, id }: DrawRow, secondLimit: Buffer | null) =>
  inWorkspace(app, workspaceId, (tx) =>
    tx
      .updateTable("reviewDraw")
      .set({ secondLimit })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .where("state", "=", "assigning")
      .execute(),
  );

/** Adds the second reviews of calls that replace skipped ones: those whose tickets are not above the limit of the draw. */
export async function addSecondsOfReplacements(
  app: App,
  tx: Db,
  draw: DrawRow,
  callIds: readonly string[],
): Promise<void> {
  const { secondLimit: limit } = draw;
  const key = openSecondKey(app, draw);
  if (!key || !limit) return;
  const ticketOf = openTickets(secondSeed(key, seedOf(draw)));
  const chosen = callIds.filter((callId) => Buffer.compare(ticketOf(callId), limit) <= 0);
  await insertSeconds(tx, draw, chosen);
}

async function insertSeconds(tx: Db, draw: DrawRow, callIds: readonly string[]): Promise<void> {
  const { workspaceId, id } = draw;
  const ids = callIds.map(() => newAssignmentId(draw));
  const ticketOf = openQueueTickets(draw);
  const tickets = callIds.map((callId) => ticketOf("second", callId));
  await sql`
    insert into assignment (workspace_id, id, plan_id, draw_id, scorecard_id, call_id, agent_id, kind, ticket, place, month, state, due_at,
      skip_reason, skip_note)
    select first.workspace_id, second.id, first.plan_id, first.draw_id, first.scorecard_id, first.call_id, first.agent_id, 'second',
      second.ticket, first.place, first.month, first.state, first.due_at, first.skip_reason, first.skip_note
    from unnest(${ids}::uuid[], ${[...callIds]}::uuid[], ${tickets}::bytea[]) as second (id, call_id, ticket)
      join assignment as first on first.call_id = second.call_id
    where first.workspace_id = ${workspaceId} and first.draw_id = ${id} and first.kind = 'first' and first.state in ('pending', 'skipped')
    on conflict (workspace_id, draw_id, call_id, kind) do nothing`.execute(tx);
}
