import type { Selectable } from "kysely";
import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import type { Assignment } from "../../platform/database/tables.ts";
import { lowestUuid } from "../../platform/is-uuid.ts";
import type { DrawRow } from "./find-draw.ts";

const pageSize = 2_000;

type DrawnRow = Pick<
  Selectable<Assignment>,
  "id" | "callId" | "agentId" | "kind" | "ticket" | "place" | "state" | "reviewerId"
>;

/** The assignments of a draw that are not skipped, by agent and place, each page in a transaction of its own. */
export async function* readDrawnPages(
  app: App,
  { workspaceId, id }: DrawRow,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly DrawnRow[]> {
  let last: Pick<DrawnRow, "agentId" | "place" | "kind"> = { agentId: lowestUuid, place: 0, kind: "" };
  for (let isEnd = false; !isEnd; ) {
    signal?.throwIfAborted();
    const { rows } = await inWorkspace(app, workspaceId, (tx) =>
      sql<DrawnRow>`
        select id, call_id, agent_id, kind, ticket, place, state, reviewer_id from assignment
        where workspace_id = ${workspaceId} and draw_id = ${id} and state <> 'skipped'
          and (agent_id, place, kind) > (${last.agentId}::uuid, ${last.place}, ${last.kind})
        order by agent_id, place, kind limit ${pageSize}`.execute(tx),
    );
    yield rows;
    last = rows.at(-1) ?? last;
    isEnd = rows.length < pageSize;
  }
}
