import type { ErasureSubject } from "@hearback/contract";
import type { Insertable } from "kysely";
import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import type { WorkspaceActor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import type { Erasure as ErasureTable } from "../platform/database/tables.ts";
import { fieldInvalid } from "../platform/errors.ts";
import { enqueue } from "../platform/queue/queue.ts";
import { newUuidV7 } from "../platform/uuid-v7.ts";
import { lockAdmins } from "../users/lock-admins.ts";
import type { ErasureScope } from "./calls-in-scope.ts";
import { type Erasure, requestedBy } from "./erasure.ts";
import { requireSubject } from "./require-subject.ts";
import { eraseRequested } from "./run-erasure.ts";

/** Translates the request into a scope. Throws if the call or agent does not exist. */
export async function toErasureScope(tx: Db, workspaceId: string, subject: ErasureSubject): Promise<ErasureScope> {
  const { call_id: callId, agent_id: agentId, metadata } = subject;
  if ([callId, agentId, metadata].filter((value) => value !== undefined).length !== 1) {
    const detail = "Send exactly one of call_id, agent_id and metadata.";
    throw fieldInvalid("body", "not_exactly_one", detail);
  }
  const noSubject = { callId: null, agentId: null, campaignId: null, before: null };
  const scope = { workspaceId, ...noSubject, metadataKey: null, metadataValue: null };
  if (metadata) {
    return { ...scope, kind: "metadata", metadataKey: metadata.key, metadataValue: metadata.value };
  }
  if (callId) {
    await requireSubject(tx, workspaceId, { type: "call", id: callId });
    return { ...scope, kind: "call", callId };
  }
  await requireSubject(tx, workspaceId, { type: "agent", id: agentId ?? "" });
  return { ...scope, kind: "agent", agentId: agentId ?? null };
}

export async function insertErasure(tx: Db, values: Insertable<ErasureTable>): Promise<Erasure> {
  return tx.insertInto("erasure").values(values).returningAll().executeTakeFirstOrThrow();
}

/** Creates an erasure and queues it. */
export async function requestErasure(
  app: App,
  { workspaceId, actor }: WorkspaceActor,
  subject: ErasureSubject,
): Promise<Erasure> {
  return inWorkspace(app, workspaceId, async (tx) => {
    const assertNotLastAdmin =
      actor.type === "user" && subject.agent_id ? await lockAdmins(app, tx, workspaceId) : undefined;
    const scope = await toErasureScope(tx, workspaceId, subject);
    if (scope.agentId) assertNotLastAdmin?.(scope.agentId);
    const id = newUuidV7();
    const erasure = await insertErasure(tx, { ...scope, id, state: "queued", ...requestedBy(actor) });
    await enqueue(tx, eraseRequested, { workspaceId, erasureId: id });
    await recordAuditEntry(tx, workspaceId, {
      actor,
      action: "erasure.requested",
      subject: { type: "erasure", id },
      data: { kind: scope.kind },
    });
    return erasure;
  });
}
