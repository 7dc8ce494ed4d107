import type { AuditAction } from "@hearback/contract";
import { sql } from "kysely";
import { forgetTries } from "../access/forget-tries.ts";
import { record } from "../audit/record.ts";
import type { Actor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { withRetries } from "../platform/database/with-retries.ts";
import { lowestUuid } from "../platform/is-uuid.ts";
import { addressDigest } from "../users/former-user.ts";
import { lockUser, removeUser } from "../users/remove-user.ts";
import { concernedCalls } from "./concerned-calls.ts";
import { noteEntry } from "./erase-batch.ts";
import { type Erasure, type ErasureRef, lockErasure } from "./erasure.ts";
import { forgetReasons, isAgentHeld, isHeld, lockHolds } from "./held.ts";
import { writeEntry } from "./ledger.ts";

const actions: Readonly<Record<string, AuditAction>> = {
  retention: "retention.executed",
  workspace: "workspace.erased",
};

/** By whom, and as what if not as what its kind says, it is recorded. */
interface RecordedAs {
  readonly actor: Actor;
  readonly action?: AuditAction | undefined;
}

/**
 * Ends an erasure when nothing but held calls is left of what it concerns: removes the agent, counts what stays, writes it
 * to the audit log. False: calls have come meanwhile.
 */
export async function finishErasure(app: App, ref: ErasureRef, as: RecordedAs): Promise<boolean> {
  return withRetries(() =>
    inWorkspace(app, ref.workspaceId, async (tx) => {
      await lockHolds(tx, ref.workspaceId, "to erase");
      const erasure = await lockErasure(tx, ref);
      if (!erasure) return true;
      // First the agent, so that no call of theirs can come while the rest is looked at.
      const agent = erasure.agentId ? await lockUser(tx, erasure.workspaceId, erasure.agentId) : undefined;
      const left = await countLeft(tx, erasure);
      if (left.free > 0) return false;
      const removable = agent && left.held === 0 && !(await isAgentHeld(tx, erasure.workspaceId, agent.id));
      if (removable) {
        const digest = addressDigest(agent.workspaceId, agent.email);
        await noteEntry(tx, erasure, await writeEntry(app.storage, erasure, { agent: { id: agent.id, digest } }));
        await removeUser(tx, agent);
        await forgetTries(tx, agent);
        await forgetReasons(tx, erasure.workspaceId, "agent", [agent.id]);
      }
      await end(tx, { ...erasure, held: left.held, agentErased: erasure.agentErased || removable === true }, as);
      return true;
    }),
  );
}

/** What is left of what it concerns: held, and not. */
async function countLeft(tx: Db, erasure: Erasure): Promise<{ held: number; free: number }> {
  if (erasure.kind === "workspace") return { held: 0, free: 0 };
  const { rows } = await sql<{ held: number; free: number }>`
    select count(*) filter (where held) as held, count(*) filter (where not held) as free
    from (select ${isHeld} as held from ${concernedCalls(erasure, lowestUuid)}) as found`.execute(tx);
  return rows[0] ?? { held: 0, free: 0 };
}

async function end(tx: Db, erasure: Erasure, { actor, action }: RecordedAs): Promise<void> {
  const { workspaceId, id, kind, erased, held, agentErased } = erasure;
  const own = <T extends { where: (column: "workspaceId" | "id", is: "=", value: string) => T }>(query: T) =>
    query.where("workspaceId", "=", workspaceId).where("id", "=", id);
  const nothing = { metadataKey: null, metadataValue: null };
  const ended = { state: "done", held, agentErased, found: erased + held, endedAt: sql<Date>`now()`, ...nothing };
  await own(tx.updateTable("erasure").set({ ...ended, startedAt: sql`coalesce(started_at, now())` })).execute();
  // A call that was erased at once has its entry.
  if (erasure.auditNumber !== null) return;
  const { number, hash } = await record(tx, workspaceId, {
    actor,
    action: action ?? actions[kind] ?? "erasure.done",
    subject: { type: "erasure", id },
    data: { kind, erased, held, ...(erasure.campaignId && { campaign_id: erasure.campaignId }) },
  });
  await own(tx.updateTable("erasure").set({ auditNumber: number, auditHash: hash })).execute();
}
