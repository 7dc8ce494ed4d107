import { WorkspaceSettings } from "@hearback/contract";
import { queueFailed, queueNew } from "../../calls/prepare/transcription-job.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { keysetPages } from "../../platform/database/pages.ts";
import { fieldInvalid } from "../../platform/errors.ts";
import { firstUuidV7Of } from "../../platform/uuid-v7.ts";
import { findWorkspace } from "../../workspaces/find-workspace.ts";
import { isQuotaUsed } from "../steps/quota.ts";

export interface StartOptions {
  readonly workspaceId: string;
  readonly campaignId?: string | undefined;
  /** Time of the conversation. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Calls whose transcription failed, instead of those that have no transcript. */
  readonly failed: boolean;
  readonly onProgress?: (queued: number) => void;
}

const pageSize = 500;
const highestUuid = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * Queues the transcription of existing calls, page by page. Calls that are queued already are skipped, so it can be repeated, but
 * not those that wait for the next day, if the quota has been raised.
 */
export async function startTranscriptions(app: App, options: StartOptions): Promise<number> {
  const { workspaceId, from, onProgress } = options;
  const { transcription_minutes_per_day: minutes } = await requireTranscription(app, workspaceId);
  let queued = 0;
  const read = (after: string, limit: number) =>
    inWorkspace(app, workspaceId, (tx) => readCalls(tx, options, after, limit));
  const after = from && firstUuidV7Of(from);
  for await (const calls of keysetPages({ read, keyOf: ({ id }) => id, pageSize, after })) {
    const ids = calls.map(({ id }) => id);
    queued += await inWorkspace(app, workspaceId, (tx) => queue(tx, options, minutes, ids));
    onProgress?.(queued);
  }
  return queued;
}

async function requireTranscription(app: App, workspaceId: string): Promise<WorkspaceSettings> {
  const workspace = await inWorkspace(app, workspaceId, (tx) => findWorkspace(tx, workspaceId));
  const settings = WorkspaceSettings.parse(workspace.settings);
  if (settings.transcription) return settings;
  throw fieldInvalid(
    "--workspace",
    "transcription_off",
    "The workspace has transcription turned off. An administrator turns it on in the workspace settings.",
  );
}

/** Prepared calls of campaigns with a language. A call whose original recording was erased cannot be transcribed again. */
function readCalls(tx: Db, { workspaceId, campaignId, to }: StartOptions, after: string, limit: number) {
  return tx
    .selectFrom("call")
    .innerJoin("campaign", (join) =>
      join.onRef("campaign.workspaceId", "=", "call.workspaceId").onRef("campaign.id", "=", "call.campaignId"),
    )
    .select("call.id")
    .where("call.workspaceId", "=", workspaceId)
    .where("call.id", ">", after)
    .where("call.id", "<", to ? firstUuidV7Of(to) : highestUuid)
    .where("call.status", "=", "ready")
    .where("call.originalErasedAt", "is", null)
    .where("campaign.transcriptionLanguage", "is not", null)
    .$if(campaignId !== undefined, (query) => query.where("call.campaignId", "=", campaignId ?? ""))
    .orderBy("call.id")
    .limit(limit)
    .execute();
}

async function queue(
  tx: Db,
  { workspaceId, failed }: StartOptions,
  minutes: number | null,
  ids: readonly string[],
): Promise<number> {
  const hasMinutes = !(await isQuotaUsed(tx, workspaceId, minutes));
  return failed ? queueFailed(tx, workspaceId, ids) : queueNew(tx, workspaceId, ids, { hasMinutes });
}
