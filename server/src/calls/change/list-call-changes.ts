import type { CallChangeBody, CallChangePageBody, ListCallChangesQuery, Metadata } from "@hearback/contract";
import type { Selectable } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { toPage } from "../../platform/database/pages.ts";
import type { CallChange } from "../../platform/database/tables.ts";
import { type CallViewer, findVisibleCall } from "../call/find-call.ts";

type Stored = Selectable<CallChange>;
type AgentChannel = "left" | "right" | "unknown" | null;

/** The format that change-call.ts writes. Agents are stored by id. */
interface Changed {
  readonly agent?: { readonly from: string; readonly to: string };
  readonly agent_channel?: { readonly from: AgentChannel; readonly to: AgentChannel };
  readonly metadata?: { readonly from: Metadata; readonly to: Metadata };
}

type Agents = ReadonlyMap<string, { readonly email: string; readonly name: string }>;

/** Lists the changes of a call, newest first. */
export async function listCallChanges(
  tx: Db,
  viewer: CallViewer,
  id: string,
  { cursor, limit }: ListCallChangesQuery,
): Promise<CallChangePageBody> {
  const { workspaceId } = viewer;
  const call = await findVisibleCall(tx, viewer, id);
  const found = await tx
    .selectFrom("callChange")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .where("callId", "=", call.id)
    .$if(cursor !== undefined, (rows) => rows.where("number", "<", cursor ?? 0))
    .orderBy("number", "desc")
    .limit(limit + 1)
    .execute();
  const { rows: changes, next } = toPage(found, limit, ({ number }) => number);
  const agents = await agentsOf(tx, workspaceId, changes);
  return { changes: changes.map((change) => toChangeBody(change, agents)), next };
}

async function agentsOf(tx: Db, workspaceId: string, changes: readonly Stored[]): Promise<Agents> {
  const ids = changes.flatMap(({ changed }) => Object.values((changed as Changed).agent ?? {}) as string[]);
  if (ids.length === 0) return new Map();
  const users = await tx
    .selectFrom("appUser")
    .select(["id", "email", "name"])
    .where("workspaceId", "=", workspaceId)
    .where("id", "in", [...new Set(ids)])
    .execute();
  return new Map(users.map((user) => [user.id, user]));
}

function toChangeBody(change: Stored, agents: Agents): CallChangeBody {
  const { agent, ...others } = change.changed as Changed;
  const named = (id: string) => ({ id, email: agents.get(id)?.email ?? null, name: agents.get(id)?.name ?? null });
  return {
    number: change.number,
    at: change.at.toISOString(),
    actor: { type: change.actorType as CallChangeBody["actor"]["type"], id: change.actorId },
    changed: { ...(agent && { agent: { from: named(agent.from), to: named(agent.to) } }), ...others },
  };
}
