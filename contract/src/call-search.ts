import { z } from "zod";
import { AgentChannel, callMembers, callStatuses, metadataLimits } from "./calls.ts";
import { countTo } from "./page.ts";
import { text } from "./text.ts";

export const searchLimits = { values: 50, metadata: 20, page: 200, defaultPage: 50, exactCount: 1_000 } as const;

const latest = Date.UTC(9999, 11, 31);
const momentForm = "must be a time with its zone, such as 2026-11-15T08:00:00Z, or Unix time in seconds";

/** A moment in a query: RFC 3339 with a zone, or Unix seconds. */
const Moment = z.string(`${momentForm}, and may be given once`).transform((value, ctx) => {
  const inWords = z.iso.datetime({ offset: true }).safeParse(value).success;
  const at = inWords ? Date.parse(value) : /^\d{1,12}$/.test(value) ? Number(value) * 1000 : Number.NaN;
  if (at >= 0 && at <= latest) return new Date(at);
  // A plus sign that was not encoded arrives as a space.
  const hint = / \d\d:\d\d$/.test(value) ? ": a + in an address must be written %2B" : "";
  ctx.addIssue({ code: "custom", message: `${momentForm}${hint}`, params: { code: "not_a_time" } });
  return z.NEVER;
});

/** A parameter that may be repeated, as the list of what was sent. */
const anyOf = <Item extends z.ZodType<string, string>>(item: Item, max: number = searchLimits.values) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((sent) => [sent].flat())
    .pipe(z.array(item).max(max, `may be given ${max} times`))
    .optional();

const Seconds = z
  .string("must be a number of seconds, and may be given once")
  .regex(/^\d{1,7}(\.\d{1,3})?$/, "must be a number of seconds, such as 90 or 12.5")
  .transform((value) => Math.round(Number(value) * 1000))
  .optional();

/** Where calls are found, as a query says it. `metadata` is gathered from the parameters `metadata[KEY]`. */
export const SearchCallsQuery = z.object({
  campaign: anyOf(text(1, 100)),
  agent: anyOf(text(1, 254)),
  from: Moment.optional(),
  to: Moment.optional(),
  imported_from: Moment.optional(),
  imported_to: Moment.optional(),
  status: anyOf(z.enum(callStatuses, `must be one of ${callStatuses.join(", ")}`)),
  min_duration: Seconds,
  max_duration: Seconds,
  metadata: z
    .array(z.object({ key: text(1, metadataLimits.key), value: text(0, metadataLimits.value) }))
    .max(searchLimits.metadata, `may ask for ${searchLimits.metadata} values`)
    .default([]),
  limit: countTo(searchLimits.page, searchLimits.defaultPage),
  after: z.guid("must be the `next` of the answer before").toLowerCase().optional(),
  count: z.enum(["estimate"], "must be estimate").optional(),
});
export type SearchCallsQuery = z.output<typeof SearchCallsQuery>;

const moment = (description: string) => z.string().optional().meta({ description, example: "2026-11-01T00:00:00Z" });

/** The query as documented. */
export const SearchCallsParameters = z.object({
  campaign: z
    .array(z.string().max(100))
    .max(searchLimits.values)
    .optional()
    .meta({ description: "The id of a campaign. Repeated: any of them." }),
  agent: z
    .array(z.string().max(254))
    .max(searchLimits.values)
    .optional()
    .meta({ description: "An agent's id or e-mail address. Repeated: any of them." }),
  from: moment("Conversations at this time or later: RFC 3339 with a zone, or Unix seconds."),
  to: moment("Conversations before this time."),
  imported_from: moment("Imported at this time or later."),
  imported_to: moment("Imported before this time."),
  status: z.array(z.enum(callStatuses)).optional().meta({ description: "Repeated: any of them." }),
  min_duration: z.number().min(0).optional().meta({ description: "Seconds. Calls that last at least so long." }),
  max_duration: z.number().min(0).optional().meta({ description: "Seconds. Calls that last at most so long." }),
  metadata: z
    .record(z.string(), z.string())
    .optional()
    .meta({
      description:
        "`metadata[KEY]=VALUE`: calls with this entry, compared exactly. The same key repeated: any of the values; different keys: all of them. A key may hold any character.",
      example: { site: "Lyon" },
    }),
  limit: z.int().min(1).max(searchLimits.page).default(searchLimits.defaultPage),
  after: z.uuid().optional().meta({ description: "The `next` of the answer before." }),
  count: z.enum(["estimate"]).optional().meta({ description: "Also says how many calls there are, roughly." }),
});

/** A call in a list. */
export const CallItem = z.object({ ...callMembers, agent_channel: AgentChannel }).meta({ id: "CallItem" });
export type CallItem = z.output<typeof CallItem>;

export const CallPageBody = z
  .object({
    calls: z.array(CallItem).meta({ description: "Newest conversation first." }),
    next: z.uuid().nullable().meta({
      description:
        "What to send as `after` for the older ones; null: no more. A page may be short, or empty, before that.",
    }),
    searched_to: z.iso.datetime().optional().meta({
      description:
        "Only where the page is short although older calls may match: down to this conversation time every call was looked at. Go on with `next`.",
    }),
    estimate: z
      .object({
        count: z.int(),
        exact: z.boolean().meta({ description: "true: counted. false: from statistics, for there are many." }),
      })
      .optional()
      .meta({ description: "With count=estimate: how many calls match in all, wherever the page begins." }),
  })
  .meta({ id: "CallPage" });
export type CallPageBody = z.output<typeof CallPageBody>;
