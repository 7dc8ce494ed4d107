import { openAgentRoot } from "@hearback/draws/frame";
import { openMerkleTree } from "@hearback/draws/merkle-tree";
import { sql } from "kysely";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import { emitEvent } from "../../events/emit-event.ts";
import { system } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { lowestUuid } from "../../platform/is-uuid.ts";
import { collectIfGrown } from "../../platform/memory/bounded-heap.ts";
import { findPlan } from "../find-plan.ts";
import { openKey } from "./draw-keys.ts";
import { type DrawRow, lockDraw } from "./find-draw.ts";
import { saveStep } from "./save-step.ts";

const pageSize = 2_000;

interface FrameCall {
  readonly agentId: string;
  readonly callId: string;
}

interface HashPosition {
  /** The last agent whose root is saved, and their number. */
  readonly agentId: string;
  readonly agents: number;
}

/** Computes the root of each agent's calls, then closes the frame with the root of these roots. */
export async function hashAgents(app: App, draw: DrawRow, signal?: AbortSignal): Promise<void> {
  const { workspaceId, id } = draw;
  const { agentId = lowestUuid, agents = 0 } = draw.position as Partial<HashPosition>;
  let position: HashPosition = { agentId, agents };
  let open: { readonly agentId: string; readonly tree: ReturnType<typeof openAgentRoot> } | undefined;
  let last: FrameCall = { agentId, callId: "ffffffff-ffff-ffff-ffff-ffffffffffff" };
  for (let isEnd = false; !isEnd; ) {
    signal?.throwIfAborted();
    const page = await inWorkspace(app, workspaceId, (tx) => readPage(tx, draw, last));
    isEnd = page.length < pageSize;
    const finished: { agentId: string; calls: number; root: Buffer }[] = [];
    const finish = () => {
      if (open) finished.push({ agentId: open.agentId, calls: open.tree.calls, root: Buffer.from(open.tree.root()) });
      open = undefined;
    };
    for (const call of page) {
      if (open?.agentId !== call.agentId) {
        finish();
        open = { agentId: call.agentId, tree: openAgentRoot() };
      }
      open.tree.add(call.callId);
      last = call;
    }
    if (isEnd) finish();
    const saved = await inWorkspace(app, workspaceId, (tx) => saveRoots(tx, { workspaceId, id }, position, finished));
    // Another worker goes on with this draw.
    if (!saved) return;
    position = saved;
    collectIfGrown();
  }
  await closeFrame(app, draw);
}

async function readPage(tx: Db, { workspaceId, id }: DrawRow, last: FrameCall): Promise<FrameCall[]> {
  const { rows } = await sql<FrameCall>`
    select agent_id, call_id from draw_call where workspace_id = ${workspaceId} and draw_id = ${id}
      and (agent_id, call_id) > (${last.agentId}::uuid, ${last.callId}::uuid)
    order by agent_id, call_id limit ${pageSize}`.execute(tx);
  return rows;
}

interface AgentRoot {
  readonly agentId: string;
  readonly calls: number;
  readonly root: Buffer;
}

async function saveRoots(
  tx: Db,
  { workspaceId, id }: Pick<DrawRow, "workspaceId" | "id">,
  before: HashPosition,
  finished: readonly AgentRoot[],
): Promise<HashPosition | undefined> {
  const draw = await lockDraw(tx, workspaceId, id);
  const { agents = 0 } = draw.position as Partial<HashPosition>;
  if (draw.state !== "hashing" || agents !== before.agents) return undefined;
  const lastAgent = finished.at(-1);
  if (!lastAgent) return before;
  const rows = finished.map((agent, index) => ({ workspaceId, drawId: id, position: agents + index, ...agent }));
  await tx.insertInto("drawAgent").values(rows).execute();
  const position = { agentId: lastAgent.agentId, agents: agents + finished.length };
  await saveStep(tx, draw, "hashing", position);
  return position;
}

/** Publishes the root. From now on the frame does not change. */
async function closeFrame(app: App, { workspaceId, id }: DrawRow): Promise<void> {
  await inWorkspace(app, workspaceId, async (tx) => {
    const draw = await lockDraw(tx, workspaceId, id);
    if (draw.state !== "hashing") return;
    const tree = openMerkleTree();
    let calls = 0;
    for (let next = 0, isEnd = false; !isEnd; ) {
      const rows = await tx
        .selectFrom("drawAgent")
        .select(["position", "root", "calls"])
        .where("workspaceId", "=", workspaceId)
        .where("drawId", "=", id)
        .where("position", ">=", next)
        .orderBy("position")
        .limit(pageSize)
        .execute();
      for (const agent of rows) {
        tree.add(agent.root);
        calls += agent.calls;
      }
      next += rows.length;
      isEnd = rows.length < pageSize;
    }
    const plan = await findPlan(tx, workspaceId, draw.planId);
    const root = Buffer.from(tree.root());
    const { reviewers, dueDays, secondPercent, skipTeamLead } = plan;
    await saveStep(
      tx,
      draw,
      "closed",
      {},
      {
        root,
        // From now on, nothing can be chosen any more.
        key: openKey(app, draw),
        sealedKey: null,
        agents: tree.size,
        calls,
        closedAt: new Date(),
        staffing: JSON.stringify({ reviewers, dueDays, secondPercent, skipTeamLead } satisfies Staffing),
      },
    );
    const published = { plan_id: draw.planId, period: draw.period, root: root.toString("hex") };
    await emitEvent(tx, { workspaceId, type: "draw.closed", data: { draw_id: id, ...published } });
    await recordAuditEntry(tx, workspaceId, {
      actor: system,
      action: "draw.closed",
      subject: { type: "draw", id },
      data: { ...published, agents: tree.size, calls },
    });
  });
}

/** The settings of the plan when the frame was closed. */
export interface Staffing {
  readonly reviewers: readonly { readonly userId: string; readonly capacity: number }[];
  readonly dueDays: number;
  readonly secondPercent: number;
  readonly skipTeamLead: boolean;
}
