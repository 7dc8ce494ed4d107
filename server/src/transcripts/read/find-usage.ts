import { type TranscriptionUsageBody, WorkspaceSettings } from "@hearback/contract";
import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { hasTranscriber } from "../../platform/has-transcriber.ts";
import { findWorkspace } from "../../workspaces/find-workspace.ts";

const msPerMinute = 60_000;

/** Minutes of speech that were transcribed on each of the last days (UTC), newest first. Days without any are left out. */
export async function findUsage(app: App, tx: Db, workspaceId: string, days: number): Promise<TranscriptionUsageBody> {
  const { settings } = await findWorkspace(tx, workspaceId);
  const rows = await tx
    .selectFrom("transcriptionUsage")
    .select(sql<string>`to_char(day, 'YYYY-MM-DD')`.as("day"))
    .select(["calls", "speechMs"])
    .where("workspaceId", "=", workspaceId)
    .where("day", ">", sql<Date>`(now() at time zone 'UTC')::date - ${days}::integer`)
    .orderBy("day", "desc")
    .limit(days)
    .execute();
  return {
    available: hasTranscriber(app),
    quota_minutes: WorkspaceSettings.parse(settings).transcription_minutes_per_day,
    days: rows.map(({ day, calls, speechMs }) => ({
      day,
      calls,
      minutes: Math.round((Number(speechMs) / msPerMinute) * 100) / 100,
    })),
  };
}
