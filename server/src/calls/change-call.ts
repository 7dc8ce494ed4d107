import type { CallChangeMember, ChangeCallBody, Metadata } from "@hearback/contract";
import { sql, type Updateable } from "kysely";
import { record } from "../audit/record.ts";
import { announce } from "../events/announce.ts";
import { type Actor, actorOf } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Caller } from "../platform/caller.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import type { Call } from "../platform/database/tables.ts";
import { type AgentName, findAgent } from "../users/find-agent.ts";
import { type CallDetail, findCallDetail } from "./call-detail.ts";
import { changedMetadata, type MetadataChange, sameMetadata } from "./changed-metadata.ts";
import { lockKnownCall, type StoredCall } from "./find-call.ts";
import { searchValue } from "./search-value.ts";

/** What is absent stays as it is. */
export interface CallChange {
  readonly agent?: AgentName | undefined;
  /** Null: as the campaign says. */
  readonly agentChannel?: ChangeCallBody["agent_channel"] | undefined;
  readonly metadata?: MetadataChange | undefined;
}

/** What a change makes of a call: the new values of its row, and what each member was before. */
interface Difference {
  readonly row: Updateable<Call>;
  readonly changed: Partial<Record<CallChangeMember, { from: unknown; to: unknown }>>;
  readonly metadata: Metadata | undefined;
}

/** Corrects what is said about a call, and keeps what was said before. Its recording and its id are never touched. */
export async function changeCall(app: App, caller: Caller, id: string, change: CallChange): Promise<CallDetail> {
  const { workspaceId } = caller;
  return inWorkspace(app, workspaceId, async (tx) => {
    const call = await lockKnownCall(tx, caller, id);
    const difference = await differenceOf(tx, call, change);
    const members = Object.keys(difference.changed);
    if (members.length === 0) return findCallDetail(tx, caller, call.id);

    await writeDifference(tx, call, difference);
    await keepChange(tx, call, actorOf(caller), difference);
    const detail = await findCallDetail(tx, caller, call.id);
    const subject = { call_id: call.id, campaign_id: call.campaignId, agent_id: detail.call.agentId };
    await announce(tx, { workspaceId, type: "call.changed", data: { ...subject, changed: members } });
    await record(tx, workspaceId, {
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
  // By its id alone: the name goes when the person is erased.
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

/** The call first and what refers to it after: the order in which an import takes its locks. */
async function writeDifference(tx: Db, { workspaceId, id }: StoredCall, { row, metadata }: Difference): Promise<void> {
  await tx.updateTable("call").set(row).where("workspaceId", "=", workspaceId).where("id", "=", id).execute();
  if (!metadata) return;
  await tx.deleteFrom("callMetadata").where("workspaceId", "=", workspaceId).where("callId", "=", id).execute();
  const keys = metadata.map((entry) => entry.key);
  const values = metadata.map((entry) => searchValue(entry.value));
  await sql`
    insert into call_metadata (workspace_id, key, value, call_id)
    select distinct ${workspaceId}::uuid, entry.key, entry.value, ${id}::uuid
    from unnest(${keys}::text[], ${values}::text[]) as entry (key, value)`.execute(tx);
}

async function keepChange(tx: Db, call: StoredCall, actor: Actor, { changed }: Difference): Promise<void> {
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
