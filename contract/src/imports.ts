import { z } from "zod";
import { integerUpTo } from "./page.ts";

/** A summary lists this many campaigns and groups the rest under null. */
export const maxSummaryCampaigns = 50;

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export const ImportSummaryQuery = z.object({
  days: integerUpTo(31, 14).meta({ description: "Number of days, including today." }),
  time_zone: z
    .string("must not be repeated")
    .max(100)
    // A fixed offset is wrong for half of the year wherever there is daylight saving time.
    .refine((name) => !/^[+-]/.test(name) && isZone(name), "must be a time zone such as Europe/Paris")
    .optional()
    .meta({
      description: "IANA time zone that defines where days start. Default: the workspace's `time_zone`.",
      example: "Europe/Paris",
    }),
});
export type ImportSummaryQuery = z.output<typeof ImportSummaryQuery>;

const count = (description: string) => z.int().meta({ description });
const campaignId = z
  .string()
  .nullable()
  .meta({
    description: `null: no campaign was given, or it is not among the ${maxSummaryCampaigns} with the most calls.`,
    example: "support-fr",
  });

export const ImportSummaryBody = z
  .object({
    time_zone: z.string().meta({ example: "Europe/Paris" }),
    from: z.iso.datetime().meta({ description: "Start of the first day." }),
    to: z.iso.datetime().meta({ description: "When the summary was computed." }),
    days: z
      .array(z.iso.date().meta({ example: "2026-11-15" }))
      .meta({ description: "All days of the summary, oldest first, including days without imports." }),
    campaigns: z
      .array(z.object({ id: z.string(), name: z.string(), imported: count("Calls imported in this period.") }))
      .meta({
        description: `Campaigns with imports in this period, most calls first; at most ${maxSummaryCampaigns}.`,
      }),
    imported: z
      .array(
        z.object({
          day: z.iso.date(),
          campaign_id: campaignId,
          imported: count("Calls imported on this day that still exist."),
          ready: count("Of these, ready to play."),
          waiting: count("Of these, waiting for preparation."),
          failed: count("Of these, preparation failed."),
        }),
      )
      .meta({ description: "Counts by day and campaign. Empty combinations are omitted." }),
    failures: z
      .array(
        z.object({
          code: z.string().meta({ example: "recording_undecodable" }),
          campaign_id: campaignId,
          count: z.int(),
        }),
      )
      .meta({ description: "Why preparation failed, most frequent first." }),
    refusals: z
      .array(
        z.object({ code: z.string().meta({ example: "agent_not_found" }), campaign_id: campaignId, count: z.int() }),
      )
      .meta({
        description:
          "Why imports were refused (see docs/errors.md), most frequent first. Every attempt counts. Stored per hour for 90 days; updated with a delay of a few seconds.",
      }),
  })
  .meta({
    id: "ImportSummary",
    examples: [
      {
        time_zone: "Europe/Paris",
        from: "2026-11-13T23:00:00.000Z",
        to: "2026-11-15T08:00:00.000Z",
        days: ["2026-11-14", "2026-11-15"],
        campaigns: [{ id: "support-fr", name: "Support France", imported: 120 }],
        imported: [{ day: "2026-11-15", campaign_id: "support-fr", imported: 120, ready: 117, waiting: 2, failed: 1 }],
        failures: [{ code: "recording_undecodable", campaign_id: "support-fr", count: 1 }],
        refusals: [{ code: "agent_not_found", campaign_id: "support-fr", count: 3 }],
      },
    ],
  });
export type ImportSummaryBody = z.output<typeof ImportSummaryBody>;
