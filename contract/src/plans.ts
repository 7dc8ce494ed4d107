import { periods } from "@hearback/draws/rules";
import { isTimeZone } from "@hearback/portable/time-zone";
import { z } from "zod";
import { CampaignId } from "./campaigns.ts";
import { booleanParameter, cursor, exampleOf, integerUpTo, next, opaqueCursor, opaqueNext } from "./page.ts";
import { nameUpTo, text } from "./text.ts";

const durationSeconds = z.int().min(0).max(86_400).nullable();
const MetadataEntry = z.strictObject({ key: text(1, 64), value: text(1, 500) }).meta({ id: "PlanMetadata" });
const PlanReviewer = z
  .strictObject({
    user_id: z.uuid("must be the id of a user"),
    capacity: z.int().min(1).max(1000).meta({ description: "Reviews that this person has time for in a period." }),
  })
  .meta({ id: "PlanReviewer" });

/** The rules by which calls are drawn. */
const ruleFields = {
  scorecard_id: z.uuid("must be the id of a scorecard"),
  campaign_ids: z.array(CampaignId).max(200).meta({ description: "Empty: all campaigns." }),
  team_ids: z.array(z.uuid("must be the id of a team")).max(200).meta({ description: "Empty: all agents." }),
  min_duration_s: durationSeconds,
  max_duration_s: durationSeconds,
  metadata: z.array(MetadataEntry).max(10).meta({ description: "A call must have every one of these entries." }),
  per_agent: z.int().min(1).max(50).meta({ description: "Calls to draw for each agent and period." }),
  period: z.enum(periods),
  time_zone: z.string().max(60).refine(isTimeZone, "must be a time zone, for example Europe/Paris"),
  monthly_limit: z
    .int()
    .min(1)
    .max(500)
    .nullable()
    .meta({ description: "Most calls drawn for an agent in a calendar month, over all plans. null: no limit." }),
};

/** Who reviews the drawn calls. */
const staffingFields = {
  reviewers: z.array(PlanReviewer).min(1, "must have at least one reviewer").max(200),
  due_days: z.int().min(1).max(60).meta({ description: "Days from the draw until a review is due." }),
  second_percent: z.int().min(0).max(20).meta({ description: "Share of drawn calls that get a blind second review." }),
  skip_team_lead: z.boolean().meta({ description: "Nobody reviews calls of a team that they lead." }),
  close_delay_hours: z
    .int()
    .min(0)
    .max(72)
    .meta({ description: "Hours between the end of a period and its draw, in which the nonce can still be set." }),
};

const PlanName = nameUpTo(120);

export const CreatePlanBody = z
  .strictObject({
    name: PlanName,
    ...ruleFields,
    campaign_ids: ruleFields.campaign_ids.default([]),
    team_ids: ruleFields.team_ids.default([]),
    min_duration_s: durationSeconds.default(null),
    max_duration_s: durationSeconds.default(null),
    metadata: ruleFields.metadata.default([]),
    monthly_limit: ruleFields.monthly_limit.default(null),
    ...staffingFields,
    due_days: staffingFields.due_days.default(7),
    second_percent: staffingFields.second_percent.default(0),
    skip_team_lead: staffingFields.skip_team_lead.default(false),
    close_delay_hours: staffingFields.close_delay_hours.default(0),
  })
  .meta({
    id: "CreatePlan",
    examples: [
      {
        name: "Support, weekly",
        scorecard_id: "0190f3c2-6c0b-7d6e-9b0e-2c4d0f6a3b1f",
        per_agent: 3,
        period: "week",
        time_zone: "Europe/Paris",
        reviewers: [{ user_id: "3f0c5f5e-7a55-4f0e-9d8e-0c8f5c3f8a11", capacity: 40 }],
      },
    ],
  });
export type CreatePlanBody = z.output<typeof CreatePlanBody>;
/** As it is sent: members with a default may be omitted. */
export type PlanInput = z.input<typeof CreatePlanBody>;

export const ChangePlanBody = z
  .strictObject({ name: PlanName, ...ruleFields, ...staffingFields, ended: z.literal(true) })
  .partial()
  .meta({ id: "ChangePlan", examples: [{ per_agent: 4 }] });
export type ChangePlanBody = z.output<typeof ChangePlanBody>;

export const drawStates = ["committed", "closing", "drawn"] as const;
export type DrawState = (typeof drawStates)[number];
export const skipReasons = ["inaudible", "wrong_agent", "conflict", "other"] as const;
export type SkipReason = (typeof skipReasons)[number];
export const assignmentStates = ["open", "done", "skipped"] as const;
export type AssignmentState = (typeof assignmentStates)[number];

const Hash = z.string().meta({ description: "SHA-256, 64 hexadecimal digits." });

const RulesBody = z
  .object({ ...ruleFields, metadata: z.array(z.object(MetadataEntry.shape).meta({ id: "DrawMetadata" })) })
  .meta({ id: "DrawRules", description: "The rules by which calls are drawn." });

const exampleRules = {
  scorecard_id: "0190f3c2-6c0b-7d6e-9b0e-2c4d0f6a3b1f",
  campaign_ids: [],
  team_ids: [],
  min_duration_s: 30,
  max_duration_s: null,
  metadata: [],
  per_agent: 3,
  period: "week" as const,
  time_zone: "Europe/Paris",
  monthly_limit: null,
};

const ProgressBody = z
  .object({
    open: z.int(),
    overdue: z.int().meta({ description: "Of the open ones." }),
    unassigned: z.int().meta({ description: "Of the open ones." }),
    done: z.int(),
    skipped: z.int(),
  })
  .meta({ id: "DrawProgress", description: "Assignments by state, second reviews included." });

export const DrawBody = z
  .object({
    id: z.uuid(),
    plan: z.object({ id: z.uuid(), name: z.string() }),
    number: z.int(),
    period: z.string().meta({ description: "First and last day." }),
    starts_at: z.iso.datetime(),
    ends_at: z.iso.datetime(),
    closes_at: z.iso.datetime().meta({ description: "When the calls are drawn. The nonce can be set until then." }),
    state: z.enum(drawStates).meta({ description: "committed to, closing, or drawn." }),
    rules: RulesBody,
    commitment: Hash.meta({ description: "SHA-256 of the key, published before the period began." }),
    commitment_entry: z.int().nullable().meta({ description: "The audit entry that contains the commitment." }),
    key: Hash.nullable().meta({ description: "Published with the draw. 64 hexadecimal digits." }),
    second_commitment: Hash.nullable().meta({
      description:
        "SHA-256 of the second key, which decides which calls get a second review. Published before the period began. null: drawn by an earlier version.",
    }),
    second_key: Hash.nullable().meta({ description: "Published when all reviews of the draw are done." }),
    nonce: z.string(),
    root: Hash.nullable().meta({ description: "Merkle root of the frame: of all calls that could be drawn." }),
    agents: z.int().meta({ description: "In the frame." }),
    calls: z.int().meta({ description: "In the frame." }),
    progress: ProgressBody.nullable().meta({ description: "null: for agents, and before the draw." }),
    skips: z
      .record(z.string(), z.int())
      .nullable()
      .meta({ description: "Skipped calls by reason. null: before the draw." }),
    mine: z
      .object({ calls: z.int(), drawn: z.int(), skipped: z.int() })
      .nullable()
      .meta({ description: "Your own calls in this draw. null: unless you are an agent." }),
  })
  .meta({
    id: "Draw",
    examples: [
      {
        id: "0190f3c2-6c0b-7d6e-9b0e-4d0f6a3b1f2c",
        plan: { id: "0190f3c2-6c0b-7d6e-9b0e-1f2c4d0f6a3b", name: "Support, weekly" },
        number: 4,
        period: "2026-11-09/2026-11-15",
        starts_at: "2026-11-08T23:00:00.000Z",
        ends_at: "2026-11-15T23:00:00.000Z",
        closes_at: "2026-11-15T23:10:00.000Z",
        state: "drawn",
        rules: exampleRules,
        commitment: "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925",
        commitment_entry: 812,
        key: "0000000000000000000000000000000000000000000000000000000000000000",
        second_commitment: "72cd6e8422c407fb6d098690f1130b7ded7ec2f7f5e1d30bd9d521f015363793",
        second_key: null,
        nonce: "4 8 15 16 23 42",
        root: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
        agents: 37,
        calls: 412,
        progress: { open: 20, overdue: 0, unassigned: 0, done: 90, skipped: 1 },
        skips: { inaudible: 1 },
        mine: null,
      },
    ],
  });
export type DrawBody = z.output<typeof DrawBody>;

export const DrawPageBody = z
  .object({ draws: z.array(DrawBody), next })
  .meta({ id: "DrawPage", examples: [{ draws: [exampleOf(DrawBody)], next: null }] });
export type DrawPageBody = z.output<typeof DrawPageBody>;

export const ListDrawsQuery = z.object({
  plan_id: z.uuid("must be the id of a plan").optional(),
  cursor,
  limit: integerUpTo(100, 20),
});

export const SetNonceBody = z
  .strictObject({ nonce: text(0, 200).meta({ description: "For example lottery numbers. Everyone sees it." }) })
  .meta({ id: "SetNonce", examples: [{ nonce: "4 8 15 16 23 42" }] });

export const PlanBody = z
  .object({
    id: z.uuid(),
    name: z.string(),
    ...RulesBody.shape,
    ...staffingFields,
    reviewers: z.array(z.object(PlanReviewer.shape)).meta({ description: "Empty for agents." }),
    created_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable(),
    pending: z
      .boolean()
      .meta({ description: "Changed rules apply from the next period on; the current draw keeps the former ones." }),
  })
  .meta({
    id: "Plan",
    examples: [
      {
        id: "0190f3c2-6c0b-7d6e-9b0e-1f2c4d0f6a3b",
        name: "Support, weekly",
        ...exampleRules,
        reviewers: [{ user_id: "3f0c5f5e-7a55-4f0e-9d8e-0c8f5c3f8a11", capacity: 40 }],
        due_days: 7,
        second_percent: 5,
        skip_team_lead: false,
        close_delay_hours: 0,
        created_at: "2026-10-15T08:00:00.000Z",
        ended_at: null,
        pending: false,
      },
    ],
  });
export type PlanBody = z.output<typeof PlanBody>;

export const PlanPageBody = z
  .object({ plans: z.array(PlanBody), next })
  .meta({ id: "PlanPage", examples: [{ plans: [exampleOf(PlanBody)], next: null }] });
export type PlanPageBody = z.output<typeof PlanPageBody>;

export const ListPlansQuery = z.object({ ended: booleanParameter.optional(), cursor, limit: integerUpTo(100, 50) });

export const PreviewPlanBody = z
  .strictObject({
    ...CreatePlanBody.shape,
    name: PlanName.optional(),
    reviewers: z.array(PlanReviewer).max(200).default([]),
  })
  .meta({ id: "PreviewPlan", examples: [exampleOf(CreatePlanBody) as never] });

export const PlanPreviewBody = z
  .object({
    from: z.iso.datetime().meta({ description: "The calls of a full period until now are counted." }),
    calls: z.int(),
    agents: z.int(),
    reviews: z.int().meta({ description: "Without second reviews." }),
    second_reviews: z.int(),
    capacity: z.int().meta({ description: "Of all reviewers." }),
    complete: z.boolean().meta({ description: "false: only the newest 200,000 calls were counted." }),
  })
  .meta({
    id: "PlanPreview",
    examples: [
      {
        from: "2026-11-08T08:00:00.000Z",
        calls: 412,
        agents: 37,
        reviews: 111,
        second_reviews: 6,
        capacity: 120,
        complete: true,
      },
    ],
  });
export type PlanPreviewBody = z.output<typeof PlanPreviewBody>;

export const ProofQuery = z.object({
  agent_id: z
    .uuid("must be the id of a user")
    .optional()
    .meta({ description: "Only this agent. Agents get their own part in any case." }),
});

export const AssignmentBody = z
  .object({
    id: z.uuid(),
    plan: z.object({ id: z.uuid(), name: z.string() }),
    draw_id: z.uuid(),
    call_id: z.uuid(),
    agent_id: z.uuid(),
    scorecard_id: z.uuid(),
    kind: z.enum(["first", "second"]).nullable().meta({
      description: "null for reviewers and those who have to do it: second reviews are blind.",
    }),
    state: z.enum(assignmentStates),
    reviewer_id: z.uuid().nullable(),
    due_at: z.iso.datetime(),
    review_id: z.uuid().nullable().meta({ description: "The review that was started." }),
    done_at: z.iso.datetime().nullable(),
    skipped: z
      .object({ reason: z.enum([...skipReasons, "erased"]), note: z.string() })
      .nullable()
      .meta({ description: "erased: the call was erased." }),
  })
  .meta({
    id: "Assignment",
    examples: [
      {
        id: "0190f3c2-6c0b-7d6e-9b0e-5e1f6a3b1f2c",
        plan: { id: "0190f3c2-6c0b-7d6e-9b0e-1f2c4d0f6a3b", name: "Support, weekly" },
        draw_id: "0190f3c2-6c0b-7d6e-9b0e-4d0f6a3b1f2c",
        call_id: "0190f3c2-6c0b-7d6e-9b0e-0f6a3b1f2c4d",
        agent_id: "7d9f3f5e-6c0b-4d6e-9b0e-0f6a3b1f2c4d",
        scorecard_id: "0190f3c2-6c0b-7d6e-9b0e-2c4d0f6a3b1f",
        kind: null,
        state: "open",
        reviewer_id: "3f0c5f5e-7a55-4f0e-9d8e-0c8f5c3f8a11",
        due_at: "2026-11-22T23:10:00.000Z",
        review_id: null,
        done_at: null,
        skipped: null,
      },
    ],
  });
export type AssignmentBody = z.output<typeof AssignmentBody>;

export const AssignmentPageBody = z
  .object({ assignments: z.array(AssignmentBody), next: opaqueNext })
  .meta({ id: "AssignmentPage", examples: [{ assignments: [exampleOf(AssignmentBody)], next: null }] });
export type AssignmentPageBody = z.output<typeof AssignmentPageBody>;

export const ListAssignmentsQuery = z.object({
  draw_id: z.uuid("must be the id of a draw").optional(),
  reviewer_id: z
    .union([z.uuid(), z.literal("none")], "must be the id of a user, or none")
    .optional()
    .meta({ description: "`none`: unassigned. Reviewers see their own in any case." }),
  state: z.enum(assignmentStates).default("open"),
  cursor: opaqueCursor,
  limit: integerUpTo(100, 50),
});

export const QueueBody = z
  .object({
    open: z.int().meta({ description: "On your queue. Stops at 1000." }),
    due_this_week: z.int().meta({ description: "Due within seven days, overdue ones included." }),
    overdue: z.int(),
    done_this_week: z.int().meta({ description: "Done within the last seven days." }),
    next: AssignmentBody.nullable(),
  })
  .meta({
    id: "Queue",
    examples: [{ open: 12, due_this_week: 5, overdue: 0, done_this_week: 9, next: exampleOf(AssignmentBody) }],
  });
export type QueueBody = z.output<typeof QueueBody>;

export const SkipAssignmentBody = z
  .strictObject({
    reason: z.enum(skipReasons),
    note: text(0, 500).default("").meta({ description: "Required with the reason `other`." }),
  })
  .refine(({ reason, note }) => reason !== "other" || note.trim() !== "", {
    path: ["note"],
    message: "must say why, because the reason is other",
  })
  .meta({ id: "SkipAssignment", examples: [{ reason: "inaudible", note: "" }] });

export const ReassignBody = z
  .strictObject({
    reviewer_id: z.uuid("must be the id of a user"),
    discard_draft: z
      .boolean()
      .default(false)
      .describe("true: deletes the reviewer's draft although every question is answered."),
  })
  .meta({ id: "Reassign", examples: [{ reviewer_id: "3f0c5f5e-7a55-4f0e-9d8e-0c8f5c3f8a11" }] });

export const DrawReviewersBody = z
  .object({
    reviewers: z.array(
      z.object({
        user_id: z.uuid(),
        capacity: z.int(),
        open: z.int(),
        overdue: z.int(),
        done: z.int(),
        skipped: z.int(),
      }),
    ),
  })
  .meta({
    id: "DrawReviewers",
    examples: [
      {
        reviewers: [
          {
            user_id: "3f0c5f5e-7a55-4f0e-9d8e-0c8f5c3f8a11",
            capacity: 40,
            open: 12,
            overdue: 0,
            done: 25,
            skipped: 1,
          },
        ],
      },
    ],
  });
export type DrawReviewersBody = z.output<typeof DrawReviewersBody>;
