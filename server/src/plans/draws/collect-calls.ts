import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { lowestUuid } from "../../platform/is-uuid.ts";
import { collectIfGrown } from "../../platform/memory/bounded-heap.ts";
import { isMatching } from "../matching-calls.ts";
import { type DrawRow, lockDraw } from "./find-draw.ts";
import { saveStep } from "./save-step.ts";

const batchSize = 1_000;
/** Clocks of database servers may differ by this much after a failover. The unique key keeps a call in one frame. */
const overlap = "10 minutes";

interface ReadyCall {
  /** As text: a Date has no microseconds. */
  readonly readyAt: string;
  readonly callId: string;
}

/** Collects the calls of a frame: those that became ready in the period and match the rules. Can be interrupted and repeated. */
export async function collectCalls(app: App, { workspaceId, id }: DrawRow, signal?: AbortSignal): Promise<void> {
  let isEnd = false;
  while (!isEnd) {
    signal?.throwIfAborted();
    isEnd = await inWorkspace(app, workspaceId, async (tx) => {
      const draw = await lockDraw(tx, workspaceId, id);
      if (draw.state !== "committed" && draw.state !== "collecting") return true;
      const ready = await readReady(tx, draw);
      if (ready.length > 0)
        await addMatching(
          tx,
          draw,
          ready.map(({ callId }) => callId),
        );
      const last = ready.at(-1);
      const isLast = ready.length < batchSize;
      await saveStep(tx, draw, isLast ? "hashing" : "collecting", isLast ? {} : { ...last });
      return isLast;
    });
    collectIfGrown();
  }
}

async function readReady(tx: Db, draw: DrawRow): Promise<ReadyCall[]> {
  const { workspaceId, planId } = draw;
  const { readyAt, callId = lowestUuid } = draw.position as Partial<ReadyCall>;
  const { rows } = await sql<ReadyCall>`
    select ready_at::text as ready_at, call_id from ready_call
    where workspace_id = ${workspaceId} and ready_at < ${draw.endsAt}
      and (ready_at, call_id) > (coalesce(${readyAt ?? null}::timestamptz, greatest(${draw.startsAt}::timestamptz - interval '${sql.raw(overlap)}',
        (select min(starts_at) from review_draw where workspace_id = ${workspaceId} and plan_id = ${planId}))), ${callId}::uuid)
    order by ready_call.ready_at, call_id limit ${batchSize}`.execute(tx);
  return rows;
}

const addMatching = (tx: Db, { workspaceId, planId, id, rules }: DrawRow, callIds: readonly string[]) =>
  sql`
    insert into draw_call (workspace_id, plan_id, call_id, draw_id, agent_id)
    select ${workspaceId}, ${planId}, call.id, ${id}, call.agent_id from call
    where call.workspace_id = ${workspaceId} and call.id = any (${[...callIds]}::uuid[]) and ${isMatching(workspaceId, rules)}
    on conflict do nothing`.execute(tx);
