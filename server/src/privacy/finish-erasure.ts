import type { AuditAction } from "@hearback/contract";
import { sql } from "kysely";
import { clearThrottle } from "../access/throttle/clear-throttle.ts";
import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import type { Actor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { withRetries } from "../platform/database/with-retries.ts";
import { lowestUuid } from "../platform/is-uuid.ts";
import { emailDigest } from "../users/erased-user.ts";
import { lockUser, removeUser } from "../users/remove-user.ts";
import { callsInScope, nextIds } from "./calls-in-scope.ts";
import { deleteReviewsOfAgent } from "./delete-reviews.ts";
import { type Batch, markEntryApplied } from "./erase-batch.ts";
import { type Erasure, type ErasureRef, findErasure, lockErasure } from "./erasure.ts";
import { clearHoldReasons, isAgentHeld, isHeld, lockHolds } from "./holds/legal-holds-sql.ts";
import { deleteErasedIds, digestOfErased } from "./ids-digest.ts";
import { writeEntry } from "./ledger.ts";

const actions: Readonly<Record<string, AuditAction>> = {
  retention: "retention.executed",
  workspace: "workspace.erased",
};

interface Finish {
  readonly actor: Actor;
  /** Overrides the audit action that follows from the kind. */
  readonly action?: AuditAction | undefined;
  /** Result of the last pass over all calls. */
  readonly pass: Pick<Batch, "held" | "changed">;
}

/**
 * Finishes an erasure once only calls under legal hold are left: removes the agent and writes the audit entry. Returns false
 * if calls were added or changed meanwhile and another pass is needed.
 */
export async function finishErasure(app: App, ref: ErasureRef, finish: Finish): Promise<boolean> {
  if (finish.pass.changed > 0) return false;
  const ids = await digestOfErased(app, ref);
  await deleteReviewsOfErased(app, ref);
  const done = await withRetries(() =>
    inWorkspace(app, ref.workspaceId, async (tx) => {
      await lockHolds(tx, ref.workspaceId, "erase");
      const erasure = await lockErasure(tx, ref);
      if (!erasure) return true;
      // Lock the agent first, so that no new call of theirs can be imported during the check.
      const agent = erasure.agentId ? await lockUser(tx, erasure.workspaceId, erasure.agentId) : undefined;
      const { held } = finish.pass;
      if (await isMoreToErase(tx, erasure, held)) return false;
      // Another worker erased more calls since the ids were read.
      if (ids.count !== erasure.erased && !hasOldDigest(erasure)) return false;
      const removable = agent && held === 0 && !(await isAgentHeld(tx, erasure.workspaceId, agent.id));
      if (removable) {
        const digest = emailDigest(agent.workspaceId, agent.email);
        await markEntryApplied(
          tx,
          erasure,
          await writeEntry(app.storage, erasure, { agent: { id: agent.id, digest } }),
        );
        await removeUser(app, tx, agent);
        await clearThrottle(tx, agent);
        await clearHoldReasons(tx, erasure.workspaceId, "agent", [agent.id]);
      }
      const agentErased = erasure.agentErased || removable === true;
      // A workspace's list of ids was deleted with its rows; its digest was saved before.
      const idsDigest = erasure.kind === "workspace" ? erasure.idsDigest : ids.digest;
      await end(tx, { ...erasure, held, agentErased, idsDigest }, finish);
      return true;
    }),
  );
  if (done) await deleteErasedIds(app, ref);
  return done;
}

/** Before the agent's row, in transactions of their own: an agent can have thousands. */
async function deleteReviewsOfErased(app: App, { workspaceId, id }: ErasureRef): Promise<void> {
  const { agentId, state } = await inWorkspace(app, workspaceId, (tx) => findErasure(tx, workspaceId, id));
  if (agentId && state !== "done") await deleteReviewsOfAgent(app, workspaceId, agentId);
}

/** True for erasures started by an older release, which summed digests instead of storing the ids. */
const hasOldDigest = ({ idsDigest }: Erasure) => idsDigest.some((byte) => byte !== 0);

/** Limits the final check, so that the statement stays short. With more calls on hold, the check is skipped. */
const maxFinalCheck = 1_000;

/**
 * True if a call that is not under legal hold is left. Not checked for retention, where calls keep expiring, and for workspaces,
 * whose access is already revoked.
 */
async function isMoreToErase(tx: Db, erasure: Erasure, held: number): Promise<boolean> {
  if (erasure.kind === "workspace" || erasure.kind === "retention" || held > maxFinalCheck) return false;
  const ids = await nextIds(tx, erasure, lowestUuid, maxFinalCheck + 1);
  if (ids.length === 0) return false;
  const { rows } = await sql`
    select from ${callsInScope(erasure, ids)} where not ${isHeld} limit 1`.execute(tx);
  return rows.length > 0;
}

async function end(tx: Db, erasure: Erasure, { actor, action }: Finish): Promise<void> {
  const { workspaceId, id, kind, erased, held, agentErased, idsDigest } = erasure;
  const thisErasure = <T extends { where: (column: "workspaceId" | "id", is: "=", value: string) => T }>(query: T) =>
    query.where("workspaceId", "=", workspaceId).where("id", "=", id);
  const noSearchTerm = { metadataKey: null, metadataValue: null };
  const ended = { state: "done", held, agentErased, found: erased + held, endedAt: sql<Date>`now()`, ...noSearchTerm };
  await thisErasure(
    tx.updateTable("erasure").set({ ...ended, idsDigest, startedAt: sql`coalesce(started_at, now())` }),
  ).execute();
  // `eraseCall` has already written the audit entry.
  if (erasure.auditNumber !== null) return;
  const { number, hash } = await recordAuditEntry(tx, workspaceId, {
    actor,
    action: action ?? actions[kind] ?? "erasure.done",
    subject: { type: "erasure", id },
    data: {
      kind,
      erased,
      held,
      ids_digest: idsDigest.toString("hex"),
      ...(erasure.campaignId && { campaign_id: erasure.campaignId }),
    },
  });
  await thisErasure(tx.updateTable("erasure").set({ auditNumber: number, auditHash: hash })).execute();
}
