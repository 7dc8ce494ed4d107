import { type Masking, WorkspaceSettings } from "@hearback/contract";
import type { Db } from "../../platform/database/database.ts";
import type { MaskOptions } from "../masking/find-sensitive.ts";

/** What a workspace and a campaign say about transcripts. */
export interface TranscriptionSettings {
  /** Whether the workspace has turned transcription on. */
  readonly isOn: boolean;
  /** Language of the campaign's calls; null: they are not transcribed. */
  readonly language: string | null;
  readonly masking: Masking;
  /** What is masked besides card numbers and the like. */
  readonly also: Omit<MaskOptions, "language">;
  readonly minutesPerDay: number | null;
}

export async function readTranscriptionSettings(
  tx: Db,
  workspaceId: string,
  campaignId: string,
): Promise<TranscriptionSettings> {
  const row = await tx
    .selectFrom("campaign")
    .innerJoin("workspace", "workspace.id", "campaign.workspaceId")
    .select(["campaign.transcriptionLanguage as language", "campaign.masking", "workspace.settings"])
    .where("campaign.workspaceId", "=", workspaceId)
    .where("campaign.id", "=", campaignId)
    .executeTakeFirstOrThrow();
  const settings = WorkspaceSettings.parse(row.settings);
  return {
    isOn: settings.transcription,
    language: row.language,
    masking: row.masking as Masking,
    also: {
      phoneNumbers: settings.mask_phone_numbers,
      emails: settings.mask_emails,
      ownWords: settings.masked_words,
    },
    minutesPerDay: settings.transcription_minutes_per_day,
  };
}
