import type { CertificateBody, ErasureBody } from "@hearback/contract";
import type { Selectable } from "kysely";
import type { Actor } from "../platform/actor.ts";
import type { Db } from "../platform/database/database.ts";
import type { Erasure as ErasureTable } from "../platform/database/tables.ts";
import { isUuid } from "../platform/is-uuid.ts";
import { erasureNotFound, erasureRunning } from "./errors.ts";

export type Erasure = Selectable<ErasureTable>;
export type ErasureRef = Pick<Erasure, "workspaceId" | "id">;

export const requestedBy = (actor: Actor) => ({ requestedByType: actor.type, requestedById: actor.id });
export const requesterOf = (erasure: Erasure): Actor => ({
  type: erasure.requestedByType as Actor["type"],
  id: erasure.requestedById,
});

export async function findErasure(db: Db, workspaceId: string, id: string): Promise<Erasure> {
  const erasure =
    isUuid(id) &&
    (await db
      .selectFrom("erasure")
      .selectAll()
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .executeTakeFirst());
  if (!erasure) throw erasureNotFound();
  return erasure;
}

/** Locks the erasure, so that only one process continues it. Returns undefined if it is done. */
export async function lockErasure(tx: Db, { workspaceId, id }: ErasureRef): Promise<Erasure | undefined> {
  return tx
    .selectFrom("erasure")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .where("state", "!=", "done")
    .forUpdate()
    .executeTakeFirst();
}

const membersOf = (erasure: Erasure) => ({
  id: erasure.id,
  kind: erasure.kind as ErasureBody["kind"],
  call_id: erasure.callId,
  agent_id: erasure.agentId,
  campaign_id: erasure.campaignId,
  requested_by: requesterOf(erasure),
  erased: erasure.erased,
  held: erasure.held,
  bytes: erasure.bytes,
  agent_erased: erasure.agentErased,
  created_at: erasure.createdAt.toISOString(),
  started_at: erasure.startedAt?.toISOString() ?? null,
});

export const toErasureBody = (erasure: Erasure): ErasureBody => ({
  ...membersOf(erasure),
  state: erasure.state as ErasureBody["state"],
  found: erasure.found,
  ended_at: erasure.endedAt?.toISOString() ?? null,
});

/** Proof of the erasure, without any erased data. */
export function toCertificateBody(erasure: Erasure, recordedDigest: string | undefined): CertificateBody {
  const { endedAt, auditNumber, auditHash } = erasure;
  if (!endedAt || auditNumber === null || !auditHash) {
    throw erasureRunning();
  }
  return {
    ...membersOf(erasure),
    workspace_id: erasure.workspaceId,
    ended_at: endedAt.toISOString(),
    // Prefers the digest from the tamper-evident audit log. Entries of older releases have none.
    ids_digest: recordedDigest ?? erasure.idsDigest.toString("hex"),
    audit: { number: auditNumber, hash: auditHash.toString("hex") },
  };
}
