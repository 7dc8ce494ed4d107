import { z } from "zod";
import { describeCursor, exampleOf, integerUpTo } from "./page.ts";
import { Problem } from "./problem.ts";
import { Name, text } from "./text.ts";

const idForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

export const CampaignId = text(1, 100)
  .regex(idForm, "must start with a letter or digit and contain only letters, digits, dots, dashes and underscores")
  .meta({ example: "support-fr" });

const AgentChannel = z
  .enum(["left", "right", "unknown"], "must be left, right or unknown")
  .meta({ description: "The channel of a stereo recording that carries the agent." });

const RetentionDays = z
  .int("must be a whole number of days, or null")
  .min(1, "must be at least 1")
  .max(36_500, "must be at most 36500")
  .nullable()
  .meta({ description: "Calls are erased this many days after the conversation. null: calls are kept." });

/** What is masked in a campaign: nothing, the text of transcripts, or also the sound of the playback copy. */
export const maskings = ["off", "text", "text_and_sound"] as const;
export type Masking = (typeof maskings)[number];

const TranscriptionLanguage = text(2, 20)
  .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, "must be a language such as en, fr or pt-BR, or null")
  .nullable()
  .meta({
    description:
      "The language of the calls. New calls are transcribed if the workspace setting `transcription` is on, too. null: they are not.",
    example: "en",
    id: "TranscriptionLanguage",
  });

const MaskingChoice = z.enum(maskings, `must be one of ${maskings.join(", ")}`).meta({
  description:
    "Card numbers, security codes, expiry dates and IBANs are masked: nowhere, in the text of transcripts, or also in the sound of the playback copy.",
  id: "Masking",
});

const EraseMaskedOriginals = z.boolean("must be true or false").meta({
  description: "Whether the original recording is erased once the sound of a call was masked. This cannot be undone.",
});

export const CreateCampaignBody = z
  .strictObject({
    id: CampaignId.optional().meta({ description: "The id to use in imports. Generated if omitted." }),
    name: Name.meta({ example: "Support France" }),
    agent_channel: AgentChannel.default("unknown"),
    transcription_language: TranscriptionLanguage.optional(),
    masking: MaskingChoice.optional(),
    erase_masked_originals: EraseMaskedOriginals.optional(),
  })
  .meta({
    id: "CreateCampaign",
    examples: [{ name: "Support France", id: "support-fr", agent_channel: "left" }],
  });

export const ChangeCampaignBody = z
  .strictObject({
    name: Name.optional(),
    agent_channel: AgentChannel.optional().meta({ description: "Also applies to existing calls." }),
    retention_days: RetentionDays.optional(),
    transcription_language: TranscriptionLanguage.optional(),
    masking: MaskingChoice.optional(),
    erase_masked_originals: EraseMaskedOriginals.optional(),
    archived: z.boolean("must be true or false").optional().meta({
      description: "true: stop accepting calls and keep existing ones. false: accept calls again.",
    }),
  })
  .meta({ id: "ChangeCampaign", examples: [{ archived: true }] });

export type TranscriptionChoiceBody = Pick<
  z.output<typeof ChangeCampaignBody>,
  "transcription_language" | "masking" | "erase_masked_originals"
>;

export const CampaignBody = z
  .object({
    id: z.string().meta({ example: "support-fr" }),
    name: z.string(),
    agent_channel: AgentChannel,
    retention_days: RetentionDays,
    transcription_language: TranscriptionLanguage,
    masking: MaskingChoice,
    erase_masked_originals: EraseMaskedOriginals,
    archived: z.boolean(),
    archived_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({
    id: "Campaign",
    examples: [
      {
        id: "support-fr",
        name: "Support France",
        agent_channel: "left",
        retention_days: 365,
        transcription_language: "fr",
        masking: "text_and_sound",
        erase_masked_originals: false,
        archived: false,
        archived_at: null,
        created_at: "2026-11-15T08:00:00.000Z",
      },
    ],
  });
export type CampaignBody = z.output<typeof CampaignBody>;

/** 409: includes the existing campaign, unchanged. */
export const CampaignExistsProblem = Problem.extend({ campaign: CampaignBody }).meta({ id: "CampaignExistsProblem" });

export const CampaignPageBody = z
  .object({
    campaigns: z.array(CampaignBody),
    next: z
      .string()
      .nullable()
      .meta({ description: "Pass this as `cursor` to get the next page. null: this is the last page." }),
  })
  .meta({ id: "CampaignPage", examples: [{ campaigns: [exampleOf(CampaignBody)], next: null }] });
export type CampaignPageBody = z.output<typeof CampaignPageBody>;

const archivedChoices = ["true", "false", "all"] as const;

export const ListCampaignsQuery = z.object({
  archived: z
    .enum(archivedChoices, `must be one of ${archivedChoices.join(", ")}`)
    .default("false")
    .meta({ description: "true: only archived campaigns. false: only active campaigns. all: both." }),
  cursor: text(1, 100).optional().meta(describeCursor),
  limit: integerUpTo(500, 100),
});
