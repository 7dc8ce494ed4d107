import type { ErasureSubject } from "@hearback/contract";
import type { Insertable } from "kysely";
import { record } from "../audit/record.ts";
import type { Acting } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import type { Erasure as ErasureTable } from "../platform/database/tables.ts";
import { AppError } from "../platform/errors.ts";
import { newIdByTime } from "../platform/ids-by-time.ts";
import { enqueue } from "../platform/queue.ts";
import { lockAdmins } from "../users/lock-admins.ts";
import type { Concern } from "./concerned-calls.ts";
import { type Erasure, requestedBy } from "./erasure.ts";
import { findSubject } from "./find-subject.ts";
import { eraseRequested } from "./run-erasure.ts";

/** What a caller has named, once it is known to be there. */
export async function concernOf(tx: Db, workspaceId: string, subject: ErasureSubject): Promise<Concern> {
  const { call_id: callId, agent_id: agentId, metadata } = subject;
  if ([callId, agentId, metadata].filter((one) => one !== undefined).length !== 1) {
    const detail = "Name exactly one of call_id, agent_id and metadata.";
    throw new AppError("fields_invalid", detail, { issues: [{ part: "body", code: "not_exactly_one", detail }] });
  }
  const nothing = { callId: null, agentId: null, campaignId: null, before: null };
  const concern = { workspaceId, ...nothing, metadataKey: null, metadataValue: null };
  if (metadata) {
    return { ...concern, kind: "metadata", metadataKey: metadata.key, metadataValue: metadata.value };
  }
  if (callId) {
    await findSubject(tx, workspaceId, { type: "call", id: callId });
    return { ...concern, kind: "call", callId };
  }
  await findSubject(tx, workspaceId, { type: "agent", id: agentId ?? "" });
  return { ...concern, kind: "agent", agentId: agentId ?? null };
}

export async function insertErasure(tx: Db, values: Insertable<ErasureTable>): Promise<Erasure> {
  return tx.insertInto("erasure").values(values).returningAll().executeTakeFirstOrThrow();
}

/** Takes down that something is to be erased, and hands it to the workers. */
export async function requestErasure(
  app: App,
  { workspaceId, actor }: Acting,
  subject: ErasureSubject,
): Promise<Erasure> {
  return inWorkspace(app, workspaceId, async (tx) => {
    const keepAnAdmin = actor.type === "user" && subject.agent_id ? await lockAdmins(app, tx, workspaceId) : undefined;
    const concern = await concernOf(tx, workspaceId, subject);
    if (concern.agentId) keepAnAdmin?.(concern.agentId);
    const id = newIdByTime();
    const erasure = await insertErasure(tx, { ...concern, id, state: "queued", ...requestedBy(actor) });
    await enqueue(tx, eraseRequested, { workspaceId, erasureId: id });
    await record(tx, workspaceId, {
      actor,
      action: "erasure.requested",
      subject: { type: "erasure", id },
      data: { kind: concern.kind },
    });
    return erasure;
  });
}
