import { outcomes } from "@hearback/scoring/result";
import { z } from "zod";
import { AgentChannel, callMembers, callStatuses, exampleCall, metadataLimits } from "./calls.ts";
import { anyOf, describeCursor, documentedAs, exampleOf, integerUpTo } from "./page.ts";
import { text } from "./text.ts";

export const searchLimits = { values: 50, metadata: 20, page: 200, defaultPage: 50, exactCount: 1_000 } as const;

const latest = Date.UTC(9999, 11, 31);
const momentForm = "must be a time with its zone, such as 2026-11-15T08:00:00Z, or Unix time in seconds";

/** A time in a query: RFC 3339 with a zone, or Unix seconds. */
const Moment = z.string(`${momentForm}, and must not be repeated`).transform((value, ctx) => {
  const isRfc3339 = z.iso.datetime({ offset: true }).safeParse(value).success;
  const at = isRfc3339 ? Date.parse(value) : /^\d{1,12}$/.test(value) ? Number(value) * 1000 : Number.NaN;
  if (at >= 0 && at <= latest) return new Date(at);
  // An unencoded plus sign is decoded as a space.
  const hint = / \d\d:\d\d$/.test(value) ? ": encode + as %2B in a URL" : "";
  ctx.addIssue({ code: "custom", message: `${momentForm}${hint}`, params: { code: "not_a_time" } });
  return z.NEVER;
});

const moment = (description: string) => Moment.optional().meta({ description, example: "2026-11-01T00:00:00Z" });

const seconds = (description: string) =>
  documentedAs(
    z
      .string("must be a number of seconds, and must not be repeated")
      .regex(/^\d{1,7}(\.\d{1,3})?$/, "must be a number of seconds, such as 90 or 12.5")
      .transform((value) => Math.round(Number(value) * 1000)),
    { type: "number", minimum: 0 },
  )
    .optional()
    .meta({ description });

const score = (description: string) =>
  documentedAs(
    z
      .string("must be a number of points, and must not be repeated")
      .regex(/^(\d{1,2}(\.\d{1,2})?|100(\.0{1,2})?)$/, "must be a number of points from 0 to 100, such as 80 or 87.35")
      .transform((value) => Math.round(Number(value) * 100)),
    { type: "number", minimum: 0, maximum: 100 },
  )
    .optional()
    .meta({ description });

/** The last digits of a phone number, without separators and leading zeros: 01 23 45 67 89 is the end of +33123456789. */
const PhoneEnding = z
  .string("must not be repeated")
  .max(40, "must have at most 40 characters")
  .transform((value) => value.replace(/[-\s()./+]/g, "").replace(/^0+/, ""))
  .pipe(z.string().regex(/^\d{4,15}$/, "must be a phone number or its last digits, at least 4"))
  .optional()
  .meta({
    description:
      "Calls with a phone number that ends with these digits, in any metadata entry. Separators, `+` and leading zeros are ignored; at least 4 digits.",
    example: "0123456789",
  });

/** Words or a phrase that was said. */
export const SaidQuery = z
  .string("must not be repeated")
  .trim()
  .min(1, "must not be empty")
  .max(200, "must have at most 200 characters")
  .refine((value) => /[\p{L}\p{N}]/u.test(value), "must contain a letter or a digit");
export const saidSides = ["agent", "customer", "left", "right"] as const;

/** Search filters. `metadata` is collected from the `metadata[KEY]` parameters. */
export const SearchCallsQuery = z.object({
  campaign: anyOf(text(1, 100), searchLimits.values)
    .optional()
    .meta({ description: "Campaign id. Repeat to match any of several." }),
  agent: anyOf(text(1, 254), searchLimits.values)
    .optional()
    .meta({ description: "Agent id or email address. Repeat to match any of several." }),
  from: moment("Conversations at this time or later: RFC 3339 with a zone, or Unix seconds."),
  to: moment("Conversations before this time."),
  imported_from: moment("Imported at this time or later."),
  imported_to: moment("Imported before this time."),
  status: anyOf(z.enum(callStatuses, `must be one of ${callStatuses.join(", ")}`), searchLimits.values)
    .optional()
    .meta({ description: "Repeat to match any of several." }),
  min_duration: seconds("Minimum duration in seconds."),
  max_duration: seconds("Maximum duration in seconds."),
  metadata: documentedAs(
    z
      .array(z.object({ key: text(1, metadataLimits.key), value: text(0, metadataLimits.value) }))
      .max(searchLimits.metadata, `must have at most ${searchLimits.metadata} values`),
    { type: "object", additionalProperties: { type: "string" } },
  )
    .default([])
    .meta({
      description:
        "`metadata[KEY]=VALUE`: calls with exactly this entry. Repeat a key to match any of several values; different keys must all match. A key may contain any character.",
      example: { site: "Lyon" },
    }),
  phone: PhoneEnding,
  said: SaidQuery.optional().meta({
    description:
      "Calls in whose transcript these words were said by one side. In double quotes: this phrase, in this order. Case, accents and endings are ignored.",
    example: '"cancel my contract"',
  }),
  said_by: z
    .enum(saidSides, `must be one of ${saidSides.join(", ")}`)
    .optional()
    .meta({ description: "With `said`: only words of this side." }),
  reviewed: documentedAs(
    z.enum(["true", "false"], "must be true or false").transform((value) => value === "true"),
    { type: "boolean" },
  )
    .optional()
    .meta({
      description:
        "true: only calls with a submitted review. false: only calls without one. Reviewers: with a review of their own. Agents: with a released one.",
    }),
  review_outcome: anyOf(z.enum(outcomes, `must be one of ${outcomes.join(", ")}`), searchLimits.values)
    .optional()
    .meta({ description: "Calls with a review of this outcome. Repeat to match any of several." }),
  reviewer: anyOf(z.uuid("must be the id of a user or API key"), searchLimits.values)
    .optional()
    .meta({ description: "Calls reviewed by this user or API key. Repeat to match any of several." }),
  min_score: score("Calls with a review of at least this score, in points from 0 to 100."),
  max_score: score("Calls with a review of at most this score, in points from 0 to 100."),
  limit: integerUpTo(searchLimits.page, searchLimits.defaultPage),
  cursor: z.guid("must be the `next` value from the previous page").toLowerCase().optional().meta(describeCursor),
  count: z
    .enum(["estimate"], "must be estimate")
    .optional()
    .meta({ description: "Also return an estimate of the number of matching calls." }),
});
export type SearchCallsQuery = z.output<typeof SearchCallsQuery>;

/** A call in a list. */
export const CallItem = z
  .object({
    ...callMembers,
    agent_channel: AgentChannel,
    review: z
      .object({
        id: z.uuid(),
        state: z.enum(["submitted", "released"]),
        score: z.int().nullable().meta({ description: "In hundredths of a point: 87.35 is 8735. null: not scored." }),
        outcome: z.enum(outcomes),
      })
      .nullable()
      .meta({ description: "The latest review that you may see. Reviewers: of their own. null: none." }),
  })
  .meta({
    id: "CallItem",
    examples: [
      {
        ...exampleCall,
        agent_channel: { value: "left", from: "campaign" },
        review: { id: "0190f3c2-6c0b-7d6e-9b0e-6a3b1f2c4d0f", state: "released", score: 8735, outcome: "passed" },
      },
    ],
  });
export type CallItem = z.output<typeof CallItem>;

export const CallPageBody = z
  .object({
    calls: z.array(CallItem).meta({ description: "Newest conversation first." }),
    next: z.uuid().nullable().meta({
      description:
        "Pass this as `cursor` to get the next, older page. null: this is the last page. Earlier pages can be short or empty.",
    }),
    searched_to: z.iso.datetime().optional().meta({
      description:
        "Present if the search stopped early and older calls may match: all calls down to this conversation time were searched. Continue with `next`.",
    }),
    estimate: z
      .object({
        count: z.int(),
        exact: z.boolean().meta({
          description: "true: an exact count. false: an estimate from database statistics, used for large results.",
        }),
      })
      .optional()
      .meta({ description: "With count=estimate: the total number of matching calls, across all pages." }),
  })
  .meta({ id: "CallPage", examples: [{ calls: [exampleOf(CallItem)], next: null }] });
export type CallPageBody = z.output<typeof CallPageBody>;
