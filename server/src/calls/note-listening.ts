import { record } from "../audit/record.ts";
import { actorOf } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Caller } from "../platform/caller.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { prepared } from "../platform/database/prepared.ts";
import { callNotFound } from "./find-call.ts";

export interface Listening {
  readonly callId: string;
  /** The playback copy, or the recording as it came. */
  readonly form: "playback" | "original";
}

const actions = { playback: "call.listened", original: "call.downloaded" } as const;

/** Whether the caller's requests belong to a listening that is in the audit log already. */
export async function isListening(tx: Db, caller: Caller, { callId, form }: Listening): Promise<boolean> {
  const { workspaceId } = caller;
  const found = await prepared<object>(tx, "is-listening")`
    select 1 from listening where workspace_id = ${workspaceId} and call_id = ${callId} and key_id = ${actorOf(caller).id}
      and form = ${form} and until > now()`;
  return found.length > 0;
}

/**
 * Notes in the audit log that somebody listens, once for all requests within half an hour: a player asks for a recording
 * in many pieces. Of requests that come at once, one finds the way open and the others wait until it is committed.
 */
export async function noteListening(app: App, caller: Caller, { callId, form }: Listening): Promise<void> {
  const { workspaceId } = caller;
  await inWorkspace(app, workspaceId, async (tx) => {
    const begun = await prepared<object>(tx, "begin-listening")`
      insert into listening (workspace_id, call_id, key_id, form, until)
      values (${workspaceId}, ${callId}, ${actorOf(caller).id}, ${form}, now() + interval '30 minutes')
      on conflict (workspace_id, call_id, key_id, form) do update set until = excluded.until
        where listening.until <= now()
      returning 1`;
    if (begun.length === 0) return;
    await record(tx, workspaceId, {
      actor: actorOf(caller),
      action: actions[form],
      subject: { type: "call", id: callId },
    });
  }).catch((error) => {
    throw isGone(error) ? callNotFound() : error;
  });
}

/** The call was erased while its sound was being opened. */
const isGone = (error: unknown) => error instanceof Error && "code" in error && error.code === "23503";
