import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import { actorOf } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { Caller } from "../../platform/caller.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { preparedStatement } from "../../platform/database/prepared-statement.ts";
import { callNotFound } from "../errors.ts";

export interface Playback {
  readonly callId: string;
  /** The playback copy, the original recording, or the transcript. */
  readonly form: "playback" | "original" | "transcript";
}

const actions = {
  playback: "call.listened",
  original: "call.downloaded",
  transcript: "call.transcript_read",
} as const;

/** True if the audit log already covers this playback. */
export async function isPlaybackRecorded(tx: Db, caller: Caller, { callId, form }: Playback): Promise<boolean> {
  const { workspaceId } = caller;
  const found = await preparedStatement<object>(tx, "is-listening")`
    select 1 from listening where workspace_id = ${workspaceId} and call_id = ${callId} and key_id = ${actorOf(caller).id}
      and form = ${form} and until > now()`;
  return found.length > 0;
}

/**
 * Adds one audit entry per caller, call and 30 minutes: players fetch a recording in many range requests. The upsert
 * serialises concurrent requests, and only one of them adds the entry.
 */
export async function recordPlayback(app: App, caller: Caller, { callId, form }: Playback): Promise<void> {
  const { workspaceId } = caller;
  await inWorkspace(app, workspaceId, async (tx) => {
    // The key share lock prevents erasure of the call until the commit.
    const [result] = await preparedStatement<{ exists: boolean; started: boolean }>(tx, "begin-listening")`
      with found as (
        select id from call where workspace_id = ${workspaceId} and id = ${callId} for key share
      ), started as (
        insert into listening (workspace_id, call_id, key_id, form, until)
        select ${workspaceId}, id, ${actorOf(caller).id}, ${form}, now() + interval '30 minutes' from found
        on conflict (workspace_id, call_id, key_id, form) do update set until = excluded.until
          where listening.until <= now()
        returning 1
      )
      select exists (select from found) as "exists", exists (select from started) as started`;
    // The call was erased while its audio was being opened.
    if (!result?.exists) throw callNotFound();
    if (!result.started) return;
    await recordAuditEntry(tx, workspaceId, {
      actor: actorOf(caller),
      action: actions[form],
      subject: { type: "call", id: callId },
    });
  });
}
