import { inclusionPath } from "@hearback/draws/merkle-tree";
import { type ProofAgent, type ProofHeader, proofFormat } from "@hearback/draws/proof";
import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { drawNotFound } from "../errors.ts";
import type { DrawRow } from "./find-draw.ts";
import type { Staffing } from "./hash-agents.ts";

const agentsPerPage = 50;

interface AgentRow {
  readonly position: number;
  readonly agentId: string | null;
  readonly root: Buffer;
  readonly calls: number;
  readonly take: number;
}

/** Writes the proof of a draw as JSON lines, for all agents or for one. */
export async function* writeProof(app: App, draw: DrawRow, agentId: string | undefined): AsyncGenerator<string> {
  const { workspaceId } = draw;
  if (agentId !== undefined) {
    const line = await inWorkspace(app, workspaceId, async (tx) => {
      const [agent] = await readAgents(tx, draw, { agentId });
      if (!agent) throw drawNotFound();
      const [body] = await toProofAgents(tx, draw, [agent]);
      return { ...body, path: await findPath(tx, draw, agent.position) };
    });
    yield toLine(headerOf(draw));
    yield toLine(line);
    return;
  }
  yield toLine(headerOf(draw));
  for (let from = 0, isEnd = false; !isEnd; from += agentsPerPage) {
    const agents = await inWorkspace(app, workspaceId, async (tx) =>
      toProofAgents(tx, draw, await readAgents(tx, draw, { from })),
    );
    yield agents.map(toLine).join("");
    isEnd = agents.length < agentsPerPage;
  }
}

const toLine = (value: unknown) => `${JSON.stringify(value)}\n`;
const hex = (bytes: Uint8Array | null) => Buffer.from(bytes ?? []).toString("hex");

const headerOf = (draw: DrawRow): ProofHeader => ({
  format: proofFormat,
  draw_id: draw.id,
  plan: draw.planName,
  period: draw.period,
  rules: { ...draw.rules },
  commitment: hex(draw.commitment),
  key: hex(draw.key),
  nonce: draw.nonce,
  root: hex(draw.root),
  agents: draw.agents,
  calls: draw.calls,
  ...(draw.secondCommitment && {
    second: {
      percent: (draw.staffing as unknown as Staffing).secondPercent,
      commitment: hex(draw.secondCommitment),
      key: draw.secondKey && hex(draw.secondKey),
      limit: draw.secondKey && draw.secondLimit && hex(draw.secondLimit),
    },
  }),
});

async function readAgents(
  tx: Db,
  { workspaceId, id }: DrawRow,
  { agentId, from = 0 }: { readonly agentId?: string; readonly from?: number },
): Promise<AgentRow[]> {
  const rows = await tx
    .selectFrom("drawAgent")
    .select(["position", "agentId", "root", "calls", "take"])
    .where("workspaceId", "=", workspaceId)
    .where("drawId", "=", id)
    .$if(agentId !== undefined, (rows) => rows.where("agentId", "=", agentId ?? ""))
    .where("position", ">=", from)
    .orderBy("position")
    .limit(agentsPerPage)
    .execute();
  return rows.map((row) => ({ ...row, take: row.take ?? 0 }));
}

interface DrawnRow {
  readonly agentId: string;
  readonly callId: string;
  readonly kind: string;
  readonly skipReason: string | null;
}

async function toProofAgents(tx: Db, draw: DrawRow, agents: readonly AgentRow[]): Promise<ProofAgent[]> {
  const { workspaceId, id } = draw;
  const ids = agents.flatMap(({ agentId }) => agentId ?? []);
  const calls = await sql<{ agentId: string; callIds: string[] }>`
    select agent_id, array_agg(call_id::text order by call_id) as call_ids from draw_call
    where workspace_id = ${workspaceId} and draw_id = ${id} and agent_id = any (${ids}::uuid[]) group by agent_id`.execute(
    tx,
  );
  const callsOf = new Map(calls.rows.map(({ agentId, callIds }) => [agentId, callIds]));
  const drawn = await sql<DrawnRow>`
    select agent_id, call_id, kind, skip_reason from assignment
    where workspace_id = ${workspaceId} and draw_id = ${id} and agent_id = any (${ids}::uuid[])
    order by agent_id, place`.execute(tx);
  const drawnOf = Map.groupBy(drawn.rows, ({ agentId }) => agentId);
  return agents.map(({ agentId, position, root, calls, take }) => {
    const known = agentId === null ? undefined : callsOf.get(agentId);
    const assigned = (agentId !== null && drawnOf.get(agentId)) || [];
    const winners = assigned.filter(({ kind }) => kind === "first");
    const seconds = assigned.filter(({ kind }) => kind === "second").map(({ callId }) => callId);
    return {
      agent_id: agentId,
      index: position,
      root: hex(root),
      take,
      // Absent if the agent was erased.
      ...(known?.length === calls && {
        calls: known,
        drawn: winners.map(({ callId }) => callId),
        skipped: winners.flatMap(({ callId, skipReason }) =>
          skipReason ? [{ call_id: callId, reason: skipReason }] : [],
        ),
        ...(draw.secondKey && { second: seconds.sort() }),
      }),
    };
  });
}

/** The hashes that lead from an agent's root to that of the frame. */
async function findPath(tx: Db, { workspaceId, id }: DrawRow, position: number): Promise<string[]> {
  const roots = await tx
    .selectFrom("drawAgent")
    .select("root")
    .where("workspaceId", "=", workspaceId)
    .where("drawId", "=", id)
    .orderBy("position")
    .execute();
  return inclusionPath(
    roots.map(({ root }) => root),
    position,
  ).map(hex);
}
