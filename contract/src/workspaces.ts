import { z } from "zod";
import { Name, text } from "./text.ts";
import { twoStepRules } from "./two-step.ts";

function isTimeZone(name: string): boolean {
  try {
    // Reject fixed offsets: they ignore daylight saving time.
    return /^[A-Za-z]/.test(name) && Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}

/** The earliest conversation_timestamp that the API accepts. */
const firstDay = "2000-01-01";

/** Workspace-wide settings and their defaults. */
export const WorkspaceSettings = z
  .object({
    time_zone: text(1, 64)
      .refine(isTimeZone, "must be a time zone of the IANA database, such as Europe/Paris or UTC")
      .default("UTC")
      .meta({ description: "Time zone that defines the days of the import summary.", example: "Europe/Paris" }),
    earliest_conversation: z.iso
      .date("must be a date such as 2020-01-01")
      .refine((date) => date >= firstDay && date <= "2999-12-31", `must be ${firstDay} or later`)
      .default(firstDay)
      .meta({ description: "Calls from before this day (UTC) are rejected.", example: "2020-01-01" }),
    two_step: z.enum(twoStepRules, "must be optional, admins or all").default("optional").meta({
      description: "Which users must use two-step verification when they sign in with a password.",
    }),
    password_sign_in: z.boolean("must be true or false").default(true).meta({
      description: "false: users sign in only through the identity provider; passwords and password links do not work.",
    }),
    agents_can_download: z.boolean("must be true or false").default(false).meta({
      description: "Whether agents can download the original recordings of their calls. They can always play them.",
    }),
    reviewers_pick_calls: z.boolean("must be true or false").default(true).meta({
      description: "Whether reviewers may review any call. false: only calls that are assigned to them.",
    }),
    dispute_due_days: z
      .int("must be a whole number of days")
      .min(1, "must be at least 1")
      .max(90, "must be at most 90")
      .default(7)
      .meta({ description: "Days until an open dispute is overdue." }),
    min_reviews: z
      .int("must be a whole number")
      .min(2, "must be at least 2")
      .max(1000, "must be at most 1000")
      .default(8)
      .meta({ description: "Reviews below which the score of an agent says too little." }),
    transcription: z.boolean("must be true or false").default(false).meta({
      description: "Whether calls of campaigns with a `transcription_language` are transcribed. Needs an engine.",
    }),
    transcription_minutes_per_day: z
      .int("must be a whole number of minutes, or null")
      .min(1, "must be at least 1")
      .max(10_000_000, "must be at most 10000000")
      .nullable()
      .default(null)
      .meta({ description: "Minutes of speech per day (UTC); later calls wait for the next day. null: no quota." }),
    mask_phone_numbers: z.boolean("must be true or false").default(false).meta({
      description: "Whether phone numbers are masked, too, where a campaign's `masking` is on.",
    }),
    mask_emails: z.boolean("must be true or false").default(false).meta({
      description: "Whether email addresses are masked, too, where a campaign's `masking` is on.",
    }),
    masked_words: z
      .array(text(1, 100), "must be an array of words and phrases")
      .max(200, "must have at most 200 entries")
      .default([])
      .meta({ description: "Words and phrases that are masked, too, where a campaign's `masking` is on." }),
    searchable_months: z
      .int("must be a whole number of months, or null")
      .min(1, "must be at least 1")
      .max(600, "must be at most 600")
      .nullable()
      .default(null)
      .meta({ description: "Months that calls are found by what was said. null: as long as the calls are kept." }),
    review_retention_months: z
      .int("must be a whole number of months")
      .min(1, "must be at least 1")
      .max(600, "must be at most 600")
      .nullable()
      .default(null)
      .meta({
        description: "Months that reviews are kept after they were submitted. null: as long as their agent.",
      }),
  })
  .meta({ id: "WorkspaceSettings" });
export type WorkspaceSettings = z.output<typeof WorkspaceSettings>;

export const ChangeWorkspaceBody = z
  .strictObject({
    name: Name.optional(),
    settings: z
      .strictObject(
        {
          time_zone: WorkspaceSettings.shape.time_zone.unwrap().optional(),
          earliest_conversation: WorkspaceSettings.shape.earliest_conversation.unwrap().optional(),
          two_step: WorkspaceSettings.shape.two_step.unwrap().optional(),
          password_sign_in: WorkspaceSettings.shape.password_sign_in.unwrap().optional(),
          agents_can_download: WorkspaceSettings.shape.agents_can_download.unwrap().optional(),
          reviewers_pick_calls: WorkspaceSettings.shape.reviewers_pick_calls.unwrap().optional(),
          dispute_due_days: WorkspaceSettings.shape.dispute_due_days.unwrap().optional(),
          min_reviews: WorkspaceSettings.shape.min_reviews.unwrap().optional(),
          transcription: WorkspaceSettings.shape.transcription.unwrap().optional(),
          transcription_minutes_per_day: WorkspaceSettings.shape.transcription_minutes_per_day.unwrap().optional(),
          mask_phone_numbers: WorkspaceSettings.shape.mask_phone_numbers.unwrap().optional(),
          mask_emails: WorkspaceSettings.shape.mask_emails.unwrap().optional(),
          masked_words: WorkspaceSettings.shape.masked_words.unwrap().optional(),
          searchable_months: WorkspaceSettings.shape.searchable_months.unwrap().optional(),
          review_retention_months: WorkspaceSettings.shape.review_retention_months.unwrap().optional(),
        },
        "must be an object of settings",
      )
      .optional()
      .meta({ description: "Settings to change. Omitted settings keep their value." }),
  })
  .meta({ id: "ChangeWorkspace", examples: [{ name: "Acme", settings: { time_zone: "Europe/Paris" } }] });

export const WorkspaceBody = z
  .object({
    id: z.uuid(),
    name: z.string(),
    settings: WorkspaceSettings,
    created_at: z.iso.datetime(),
  })
  .meta({
    id: "Workspace",
    examples: [
      {
        id: "0b8f6a52-9d34-4a6e-8a2f-3c5d7e9f1a2b",
        name: "Acme",
        settings: {
          time_zone: "Europe/Paris",
          earliest_conversation: "2020-01-01",
          two_step: "admins",
          password_sign_in: true,
          agents_can_download: false,
          reviewers_pick_calls: true,
          dispute_due_days: 7,
          min_reviews: 8,
          transcription: true,
          transcription_minutes_per_day: null,
          mask_phone_numbers: false,
          mask_emails: false,
          masked_words: [],
          searchable_months: 24,
          review_retention_months: 12,
        },
        created_at: "2026-11-15T08:00:00.000Z",
      },
    ],
  });
export type WorkspaceBody = z.output<typeof WorkspaceBody>;
