import { z } from "zod";
import { countTo } from "./page.ts";
import { Problem } from "./problem.ts";
import { Name, text } from "./text.ts";

const idForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

export const CampaignId = text(1, 100)
  .regex(idForm, "must begin with a letter or digit and hold letters, digits, dots, dashes and underscores only")
  .meta({ example: "support-fr" });

const AgentChannel = z
  .enum(["left", "right", "unknown"], "must be left, right or unknown")
  .meta({ description: "On which channel of a stereo recording its agents are." });

const RetentionDays = z
  .int("must be a whole number of days, or null")
  .min(1, "must be at least 1")
  .max(36_500, "must be at most 36500")
  .nullable()
  .meta({ description: "How many days after the conversation its calls are erased; null: they are kept." });

export const CreateCampaignBody = z
  .strictObject({
    id: CampaignId.optional().meta({ description: "The id that imports name; one is made up if absent." }),
    name: Name.meta({ example: "Support France" }),
    agent_channel: AgentChannel.default("unknown"),
  })
  .meta({
    id: "CreateCampaign",
    examples: [{ name: "Support France", id: "support-fr", agent_channel: "left" }],
  });

export const ChangeCampaignBody = z
  .strictObject({
    name: Name.optional(),
    agent_channel: AgentChannel.optional().meta({ description: "It holds for the calls that are there already, too." }),
    retention_days: RetentionDays.optional(),
    archived: z.boolean("must be true or false").optional().meta({
      description: "true: it takes no more calls and keeps those that it has. false: it takes calls again.",
    }),
  })
  .meta({ id: "ChangeCampaign", examples: [{ archived: true }] });

export const CampaignBody = z
  .object({
    id: z.string().meta({ example: "support-fr" }),
    name: z.string(),
    agent_channel: AgentChannel,
    retention_days: RetentionDays,
    archived: z.boolean(),
    archived_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "Campaign" });
export type CampaignBody = z.output<typeof CampaignBody>;

/** 409: the campaign as it stands, unchanged. */
export const CampaignExistsProblem = Problem.extend({ campaign: CampaignBody }).meta({ id: "CampaignExistsProblem" });

export const CampaignPageBody = z
  .object({
    campaigns: z.array(CampaignBody),
    next: z.string().nullable().meta({ description: "What to send as `cursor` for the next page; null: no more." }),
  })
  .meta({ id: "CampaignPage" });

const archivedChoices = ["true", "false", "all"] as const;

export type CampaignPageBody = z.output<typeof CampaignPageBody>;

export const ListCampaignsQuery = z.object({
  archived: z.enum(archivedChoices, `must be one of ${archivedChoices.join(", ")}`).default("false"),
  cursor: text(1, 100).optional(),
  limit: countTo(500, 100),
});

/** The query as documented. */
export const ListCampaignsParameters = z.object({
  archived: z.enum(archivedChoices).default("false").meta({ description: "Those that are archived, are not, or all." }),
  cursor: z.string().max(100).optional().meta({ description: "The `next` of the answer before." }),
  limit: z.int().min(1).max(500).default(100),
});
