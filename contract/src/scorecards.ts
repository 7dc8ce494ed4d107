import { ScorecardDocument } from "@hearback/scoring/document";
import { z } from "zod";
import { ActorRef } from "./actor.ts";
import { CampaignId } from "./campaigns.ts";
import { booleanParameter, cursor, documentedAs, exampleOf, integerUpTo, next } from "./page.ts";
import { Problem } from "./problem.ts";
import { nameUpTo } from "./text.ts";

export type { Condition as ScorecardCondition } from "@hearback/scoring/condition";

export const scorecardTemplates = ["support", "sales", "collections"] as const;
export type ScorecardTemplate = (typeof scorecardTemplates)[number];
export const scorecardLanguages = ["en", "fr"] as const;
export type ScorecardLanguage = (typeof scorecardLanguages)[number];

const CampaignIds = z
  .array(CampaignId, "must be an array of campaign ids")
  .max(100, "must have at most 100 entries")
  .transform((given) => [...new Set(given)])
  .meta({ description: "The scorecard is for calls of these campaigns. Empty: all campaigns." });
const ArbiterIds = z
  .array(z.uuid("must be the id of a user"), "must be an array of user ids")
  .max(50, "must have at most 50 entries")
  .transform((given) => [...new Set(given)])
  .meta({ description: "The users who decide disputes. Empty: all supervisors and administrators." });

/** A draft may be incomplete. Only a document without errors can be published. */
export const DraftDocument = z
  .record(z.string(), z.unknown(), "must be a JSON object")
  .meta({ description: "A scorecard document. A draft may be incomplete; `findings` lists what is missing." });

const exampleDocument = {
  format: "hearback.scorecard/1",
  name: "Support call",
  passing_score: 80,
  not_applicable: "stays_in_section",
  fail: "zeroes_score",
  release: "on_submit",
  dispute_days: 14,
  dispute_levels: 1,
  sections: [
    {
      id: "opening",
      title: "Opening",
      questions: [{ id: "greeting", title: "Greets with company and own name", type: "yes_no", weight: 100 }],
    },
  ],
} satisfies z.input<typeof ScorecardDocument>;

export const CreateScorecardBody = z
  .strictObject({
    template: z
      .enum(scorecardTemplates, `must be one of ${scorecardTemplates.join(", ")}`)
      .optional()
      .meta({ description: "Start from a template. Not together with `document`." }),
    language: z
      .enum(scorecardLanguages, `must be one of ${scorecardLanguages.join(", ")}`)
      .optional()
      .meta({ description: "The language of the template. Default: en." }),
    document: DraftDocument.optional(),
    name: nameUpTo(120).optional().meta({ description: "Replaces the name in the template or document." }),
    campaign_ids: CampaignIds.optional(),
  })
  .meta({ id: "CreateScorecard", examples: [{ template: "support", language: "en" }] });
export type CreateScorecardBody = z.output<typeof CreateScorecardBody>;

export const SaveDraftBody = z
  .strictObject({ document: DraftDocument })
  .meta({ id: "SaveDraft", examples: [{ document: exampleDocument }] });

export const ChangeScorecardBody = z
  .strictObject({
    campaign_ids: CampaignIds.optional(),
    arbiter_ids: ArbiterIds.optional(),
    retired: z.boolean("must be true or false").optional().meta({
      description: "true: no new reviews. Existing reviews stay. false: reviews are possible again.",
    }),
  })
  .meta({ id: "ChangeScorecard", examples: [{ campaign_ids: ["support-fr"] }] });

/** A finding of the linter. */
export const ScorecardFinding = z
  .object({
    severity: z.enum(["error", "warning"]).meta({ description: "A document with errors cannot be published." }),
    path: z.string().meta({ description: "JSON pointer into the document.", example: "/sections/0/questions/1" }),
    code: z.string(),
    message: z.string(),
    fix: z.string().meta({ description: "What to do about it." }),
  })
  .meta({ id: "ScorecardFinding" });
export type ScorecardFinding = z.output<typeof ScorecardFinding>;

export const ScorecardBody = z
  .object({
    id: z.uuid(),
    name: z.string(),
    latest_version: z.int().nullable().meta({ description: "null: never published." }),
    has_draft: z.boolean().meta({ description: "Whether there are changes that are not published." }),
    campaign_ids: z.array(z.string()).meta({ description: "Empty: all campaigns." }),
    arbiter_ids: z.array(z.uuid()).optional().meta({
      description:
        "Empty: all supervisors and administrators. Omitted if your role or key may not change the scorecard.",
    }),
    retired_at: z.iso.datetime().nullable().meta({ description: "Not null: only drawn calls are reviewed." }),
    created_at: z.iso.datetime(),
  })
  .meta({
    id: "Scorecard",
    examples: [
      {
        id: "0190f3c2-6c0b-7d6e-9b0e-2c4d0f6a3b1f",
        name: "Support call",
        latest_version: 3,
        has_draft: true,
        campaign_ids: ["support-fr"],
        arbiter_ids: [],
        retired_at: null,
        created_at: "2026-11-15T08:00:00.000Z",
      },
    ],
  });
export type ScorecardBody = z.output<typeof ScorecardBody>;

export const ScorecardDetailBody = ScorecardBody.extend({
  draft_number: z.int().nullable().meta({
    description:
      "Send it as `If-Match` with the next change of the draft, also if there is no draft yet. null: your role or key may not see drafts.",
  }),
  draft: z
    .object({
      document: DraftDocument,
      changed_at: z.iso.datetime(),
      findings: z.array(ScorecardFinding),
    })
    .nullable()
    .meta({ description: "The unpublished changes. null: none, or your role or key may not see them." }),
}).meta({
  id: "ScorecardDetail",
  examples: [
    {
      ...exampleOf(ScorecardBody),
      draft_number: 4,
      draft: { document: exampleDocument, changed_at: "2026-11-15T09:00:00.000Z", findings: [] },
    },
  ],
});
export type ScorecardDetailBody = z.output<typeof ScorecardDetailBody>;

export const ScorecardPageBody = z
  .object({ scorecards: z.array(ScorecardBody), next })
  .meta({ id: "ScorecardPage", examples: [{ scorecards: [exampleOf(ScorecardBody)], next: null }] });
export type ScorecardPageBody = z.output<typeof ScorecardPageBody>;

export const ListScorecardsQuery = z.object({
  retired: booleanParameter.optional().meta({ description: "true: only retired scorecards. Default: only others." }),
  campaign_id: CampaignId.optional().meta({ description: "Only published scorecards for calls of this campaign." }),
  cursor,
  limit: integerUpTo(200, 100),
});

const ScorecardVersionItem = z.object({
  version: z.int(),
  digest: z
    .string()
    .meta({ description: "SHA-256 of the canonical JSON (RFC 8785) of the document, in hexadecimal digits." }),
  published_at: z.iso.datetime(),
  published_by: ActorRef,
});

const exampleVersion = {
  version: 3,
  digest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  published_at: "2026-11-15T08:00:00.000Z",
  published_by: { type: "user" as const, id: "7d9f3f5e-6c0b-4d6e-9b0e-0f6a3b1f2c4d" },
};

export const ScorecardVersionBody = ScorecardVersionItem.extend({ document: ScorecardDocument }).meta({
  id: "ScorecardVersion",
  examples: [{ ...exampleVersion, document: ScorecardDocument.parse(exampleDocument) }],
});
export type ScorecardVersionBody = z.output<typeof ScorecardVersionBody>;

export const ScorecardVersionPageBody = z
  .object({
    versions: z.array(ScorecardVersionItem.meta({ id: "ScorecardVersionItem" })),
    next: z
      .int()
      .nullable()
      .meta({ description: "Pass this as `cursor` to get the next page. null: this is the last page." }),
  })
  .meta({ id: "ScorecardVersionPage", examples: [{ versions: [exampleVersion], next: null }] });
export type ScorecardVersionPageBody = z.output<typeof ScorecardVersionPageBody>;

export const ListScorecardVersionsQuery = z.object({
  cursor: documentedAs(
    z
      .string()
      .regex(/^\d{1,9}$/, "must be the `next` value from a previous page")
      .transform(Number),
    { type: "integer" },
  ).optional(),
  limit: integerUpTo(200, 50),
});

/** 412: includes the number of the current draft. */
export const DraftChangedProblem = Problem.extend({ number: z.int() }).meta({ id: "DraftChangedProblem" });

/** 422: includes what the linter found. */
export const ScorecardInvalidProblem = Problem.extend({
  findings: z.array(ScorecardFinding).optional().meta({ description: "With the code scorecard_invalid." }),
}).meta({ id: "ScorecardInvalidProblem" });
