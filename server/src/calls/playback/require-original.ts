import { sql } from "kysely";
import type { Caller } from "../../platform/caller.ts";
import type { Db } from "../../platform/database/database.ts";
import type { StoredCall } from "../call/find-call.ts";
import { originalErased, originalForbidden } from "../errors.ts";

/**
 * Throws unless the caller may hear the original recording. Where the sound is masked, it needs a permission of its own: in
 * campaigns that mask it, also before it is masked, and for calls that were masked, also after the campaign has changed.
 */
export async function requireOriginal(tx: Db, caller: Caller, call: StoredCall): Promise<void> {
  const { workspaceId } = caller;
  const { rows } = await sql<{ isMasked: boolean; mayListen: boolean }>`
    select
      exists (
        select from campaign where workspace_id = ${workspaceId} and id = ${call.campaignId} and masking = 'text_and_sound'
      ) or exists (
        select from transcript where workspace_id = ${workspaceId} and call_id = ${call.id} and muted is not null
      ) as "isMasked",
      exists (
        select from app_user
        where workspace_id = ${workspaceId} and id = ${caller.kind === "session" ? caller.userId : null} and listens_to_originals
      ) as "mayListen"`.execute(tx);
  const mayListen = caller.kind === "key" ? caller.scopes.includes("listen_original") : rows[0]?.mayListen;
  if (rows[0]?.isMasked && !mayListen) throw originalForbidden();
  if (call.originalErasedAt) throw originalErased();
}
