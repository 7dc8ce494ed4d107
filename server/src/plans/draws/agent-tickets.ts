import { drawSeed, openSmallestTickets, openTickets, type Ticket } from "@hearback/draws/tickets";
import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { lowestUuid } from "../../platform/is-uuid.ts";
import type { DrawRow } from "./find-draw.ts";

const pageSize = 2_000;

export function seedOf({ id, key, rules, period, root, nonce }: DrawRow): Uint8Array {
  if (!root || !key) throw new Error(`the frame of the draw ${id} is not closed`);
  return drawSeed({ key, rules, period, root, nonce });
}

/** The `count` smallest tickets of an agent, smallest first. Reads the agent's calls in pages. */
export async function smallestTickets(
  tx: Db,
  draw: DrawRow,
  agentId: string,
  count: number,
): Promise<readonly Ticket[]> {
  const ticketOf = openTickets(seedOf(draw));
  const drawn = openSmallestTickets(count);
  for (let last = lowestUuid, isEnd = false; !isEnd; ) {
    const { rows } = await sql<{ callId: string }>`
      select call_id from draw_call where workspace_id = ${draw.workspaceId} and draw_id = ${draw.id} and agent_id = ${agentId}
        and call_id > ${last} order by call_id limit ${pageSize}`.execute(tx);
    for (const { callId } of rows) drawn.add({ callId, ticket: ticketOf(callId) });
    last = rows.at(-1)?.callId ?? last;
    isEnd = rows.length < pageSize;
  }
  return drawn.smallest;
}
