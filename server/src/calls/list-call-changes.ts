import type { CallChangeBody, CallChangePageBody, ListCallChangesQuery, Metadata } from "@hearback/contract";
import type { Selectable } from "kysely";
import type { Db } from "../platform/database/database.ts";
import type { CallChange } from "../platform/database/tables.ts";
import { type CallViewer, findKnownCall } from "./find-call.ts";

type Stored = Selectable<CallChange>;
type AgentChannel = "left" | "right" | "unknown" | null;

/** As change-call.ts writes it: agents by their ids. */
interface Changed {
  readonly agent?: { readonly from: string; readonly to: string };
  readonly agent_channel?: { readonly from: AgentChannel; readonly to: AgentChannel };
  readonly metadata?: { readonly from: Metadata; readonly to: Metadata };
}

type Agents = ReadonlyMap<string, { readonly email: string; readonly name: string }>;

/** What was changed about a call, newest first. */
export async function listCallChanges(
  tx: Db,
  viewer: CallViewer,
  id: string,
  { cursor, limit }: ListCallChangesQuery,
): Promise<CallChangePageBody> {
  const { workspaceId } = viewer;
  const call = await findKnownCall(tx, viewer, id);
  const found = await tx
    .selectFrom("callChange")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .where("callId", "=", call.id)
    .$if(cursor !== undefined, (rows) => rows.where("number", "<", cursor ?? 0))
    .orderBy("number", "desc")
    .limit(limit + 1)
    .execute();
  const changes = found.slice(0, limit);
  const agents = await agentsOf(tx, workspaceId, changes);
  return {
    changes: changes.map((change) => toChangeBody(change, agents)),
    next: found.length > limit ? (changes.at(-1)?.number ?? null) : null,
  };
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
