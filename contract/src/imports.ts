import { z } from "zod";
import { countTo } from "./page.ts";

/** Campaigns that a summary tells apart; what came for others is told together. */
export const mostSummaryCampaigns = 50;

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export const ImportSummaryQuery = z.object({
  days: countTo(31, 14),
  time_zone: z
    .string("may be given once")
    .max(100)
    // Whoever gives an offset would have it wrong for half of the year.
    .refine((name) => !/^[+-]/.test(name) && isZone(name), "must be a time zone such as Europe/Paris")
    .default("UTC"),
});
export type ImportSummaryQuery = z.output<typeof ImportSummaryQuery>;

export const ImportSummaryParameters = z.object({
  days: z.int().min(1).max(31).default(14).optional().meta({ description: "How many days, today included." }),
  time_zone: z
    .string()
    .max(100)
    .default("UTC")
    .optional()
    .meta({ description: "The IANA zone whose midnights part the days.", example: "Europe/Paris" }),
});

const count = (description: string) => z.int().meta({ description });
const campaignId = z
  .string()
  .nullable()
  .meta({
    description: `null: none was named, or it is not among the ${mostSummaryCampaigns} with the most calls.`,
    example: "support-fr",
  });

export const ImportSummaryBody = z
  .object({
    time_zone: z.string().meta({ example: "Europe/Paris" }),
    from: z.iso.datetime().meta({ description: "When the first of the days began." }),
    to: z.iso.datetime().meta({ description: "When it was counted." }),
    days: z
      .array(z.iso.date().meta({ example: "2026-11-15" }))
      .meta({ description: "Every day that is counted, oldest first, also those on which nothing came." }),
    campaigns: z
      .array(z.object({ id: z.string(), name: z.string(), imported: count("Calls of these days.") }))
      .meta({ description: `Those with calls in these days, most first; ${mostSummaryCampaigns} at most.` }),
    imported: z
      .array(
        z.object({
          day: z.iso.date(),
          campaign_id: campaignId,
          imported: count("Calls that came on that day and are still here."),
          ready: count("Of these: can be heard."),
          waiting: count("Of these: not prepared yet."),
          failed: count("Of these: could not be prepared."),
        }),
      )
      .meta({ description: "By day and campaign, where there are any." }),
    failures: z
      .array(
        z.object({
          code: z.string().meta({ example: "recording_undecodable" }),
          campaign_id: campaignId,
          count: z.int(),
        }),
      )
      .meta({ description: "Why calls could not be prepared, most frequent first." }),
    refusals: z
      .array(
        z.object({ code: z.string().meta({ example: "agent_not_found" }), campaign_id: campaignId, count: z.int() }),
      )
      .meta({
        description:
          "Why imports were refused (docs/errors.md), most frequent first. Each attempt counts; kept for 90 days, by the hour, and a few seconds behind.",
      }),
  })
  .meta({ id: "ImportSummary" });
export type ImportSummaryBody = z.output<typeof ImportSummaryBody>;
