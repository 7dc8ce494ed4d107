import type { CallChangeMember, ChangeCallBody, Metadata } from "@hearback/contract";
import { sql, type Updateable } from "kysely";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import { emitEvent } from "../../events/emit-event.ts";
import { type Actor, actorOf } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { Caller } from "../../platform/caller.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import type { Call } from "../../platform/database/tables.ts";
import { runHandlers } from "../../platform/hooks.ts";
import { type AgentRef, findAgent } from "../../users/find-agent.ts";
import { type CallDetail, findCallDetail } from "../call/call-detail.ts";
import { lockVisibleCall, type StoredCall } from "../call/find-call.ts";
import { metadataIndexValue } from "../call/metadata-index-value.ts";
import { callMoved } from "../hooks.ts";
import { changedMetadata, type MetadataChange, sameMetadata } from "./changed-metadata.ts";

/** Absent fields stay unchanged. */
export interface CallChange {
  readonly agent?: AgentRef | undefined;
  /** Null resets to the campaign's default. */
  readonly agentChannel?: ChangeCallBody["agent_channel"] | undefined;
  readonly metadata?: MetadataChange | undefined;
}

/** The effect of a change: the new column values, and the old and new value of each changed field. */
interface Difference {
  readonly row: Updateable<Call>;
  readonly changed: Partial<Record<CallChangeMember, { from: unknown; to: unknown }>>;
  readonly metadata: Metadata | undefined;
}

/** Updates a call and records the change. Never touches the recording or the id. */
export async function changeCall(app: App, caller: Caller, id: string, change: CallChange): Promise<CallDetail> {
  const { workspaceId } = caller;
  return inWorkspace(app, workspaceId, async (tx) => {
    const call = await lockVisibleCall(tx, caller, id);
    const difference = await differenceOf(tx, call, change);
    const members = Object.keys(difference.changed);
    if (members.length === 0) return findCallDetail(tx, caller, call.id);

    await writeDifference(tx, call, difference);
    const { agentId } = difference.row;
    await insertChange(tx, call, actorOf(caller), difference);
    const detail = await findCallDetail(tx, caller, call.id);
    const subject = { call_id: call.id, campaign_id: call.campaignId, agent_id: detail.call.agentId };
    await emitEvent(tx, { workspaceId, type: "call.changed", data: { ...subject, changed: members } });
    if (agentId) await runHandlers(app, tx, callMoved, { workspaceId, callId: call.id, agentId, by: actorOf(caller) });
    await recordAuditEntry(tx, workspaceId, {
      actor: actorOf(caller),
      action: "call.changed",
      subject: { type: "call", id: call.id },
      data: { changed: members },
    });
    return detail;
  });
}

async function differenceOf(tx: Db, call: StoredCall, change: CallChange): Promise<Difference> {
  const changed: Difference["changed"] = {};
  const row: Updateable<Call> = {};
  // Stores only the agent's id: the name must disappear when the user is erased.
  const agent = change.agent && (await findAgent(tx, call.workspaceId, change.agent));
  if (agent && agent.id !== call.agentId) {
    row.agentId = agent.id;
    changed.agent = { from: call.agentId, to: agent.id };
  }
  if (change.agentChannel !== undefined && change.agentChannel !== call.agentChannel) {
    row.agentChannel = change.agentChannel;
    changed.agent_channel = { from: call.agentChannel, to: change.agentChannel };
  }
  const from = call.metadata as Metadata;
  const to = change.metadata && changedMetadata(from, change.metadata);
  if (!to || sameMetadata(from, to)) return { row, changed, metadata: undefined };
  row.metadata = JSON.stringify(to);
  changed.metadata = { from, to };
  return { row, changed, metadata: to };
}

/** Updates the call before the rows that reference it. Imports lock in the same order, which prevents deadlocks. */
async function writeDifference(tx: Db, { workspaceId, id }: StoredCall, { row, metadata }: Difference): Promise<void> {
  await tx.updateTable("call").set(row).where("workspaceId", "=", workspaceId).where("id", "=", id).execute();
  if (!metadata) return;
  await tx.deleteFrom("callMetadata").where("workspaceId", "=", workspaceId).where("callId", "=", id).execute();
  const keys = metadata.map((entry) => entry.key);
  const values = metadata.map((entry) => metadataIndexValue(entry.value));
  await sql`
    insert into call_metadata (workspace_id, key, value, call_id)
    select distinct ${workspaceId}::uuid, entry.key, entry.value, ${id}::uuid
    from unnest(${keys}::text[], ${values}::text[]) as entry (key, value)`.execute(tx);
}

async function insertChange(tx: Db, call: StoredCall, actor: Actor, { changed }: Difference): Promise<void> {
  const { workspaceId, id: callId } = call;
  const last = await tx
    .selectFrom("callChange")
    .select("number")
    .where("workspaceId", "=", workspaceId)
    .where("callId", "=", callId)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  await tx
    .insertInto("callChange")
    .values({
      workspaceId,
      callId,
      number: (last?.number ?? 0) + 1,
      actorType: actor.type,
      actorId: actor.id,
      changed: JSON.stringify(changed),
    })
    .execute();
}
