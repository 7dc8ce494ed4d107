import { z } from "zod";
import { When } from "./condition.ts";
import { questionLimits } from "./limits.ts";
import { strictObject } from "./strict-object.ts";
import { Slug, text } from "./text.ts";

const integer = (max: number) =>
  z.int("must be a whole number").min(0, "must not be negative").max(max, `must be at most ${max}`);

const Points = integer(questionLimits.points).meta({ description: "Points of this answer." });

export const Weight = integer(questionLimits.weight);

/** `call`: the review fails. `section`: the section counts 0. */
const Fails = z
  .enum(["call", "section"], "must be call or section")
  .meta({ description: "call: this answer fails the call. section: this answer makes the section count 0." });
export type FailScope = z.output<typeof Fails>;

const RequiredComment = z
  .literal("required", 'must be "required", or absent if the comment is optional')
  .meta({ description: "The reviewer must write a comment. Always the case for answers that fail." });

/** Effects of an answer besides its points. */
const Effect = strictObject({ fails: Fails.optional(), comment: RequiredComment.optional() }, "must be an object");

export const Option = strictObject(
  {
    id: Slug,
    label: text(200),
    points: Points.optional(),
    fails: Fails.optional(),
    comment: RequiredComment.optional(),
  },
  "must be an object with id and label",
).meta({ id: "ScorecardOption" });
export type Option = z.output<typeof Option>;

const BandLimit = z
  .number("must be a number")
  .min(-questionLimits.number, "must be at least -1000000000")
  .max(questionLimits.number, "must be at most 1000000000");

export const Band = strictObject(
  {
    from: BandLimit.optional().meta({
      description: "The lowest value of the band, included. Absent: no lower limit.",
    }),
    to: BandLimit.optional().meta({
      description: "The highest value of the band, included. Absent: no upper limit.",
    }),
    points: Points,
  },
  "must be an object with from, to and points",
)
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ["to"],
    message: "must not be less than from",
    params: { code: "not_allowed", fix: "Swap from and to." },
  })
  .meta({ id: "NumberBand" });
export type Band = z.output<typeof Band>;

const notAQuestion = "must be a question: an object with id, title and type";

const shared = {
  id: Slug,
  title: text(300),
  guidance: text(4000).optional().meta({ description: "How to judge this. Markdown without HTML." }),
  not_applicable: z
    .boolean("must be true or false")
    .default(false)
    .meta({ description: "true: reviewers can mark the question as not applicable." }),
  when: When.optional().meta({ description: "The question is hidden unless this is true. Absent: always visible." }),
};

const scored = {
  ...shared,
  weight: Weight.optional().meta({ description: "Absent or 0: the question is not scored." }),
  tags: z
    .array(Slug, "must be a list of tags")
    .max(questionLimits.tags, `must have at most ${questionLimits.tags} tags`)
    .refine((tags) => new Set(tags).size === tags.length, {
      message: "must not contain a tag twice",
      params: { code: "not_allowed", fix: "Remove the second one." },
    })
    .default([])
    .meta({ description: "The result has a score for each tag, across sections." }),
};

const options = z
  .array(Option, "must be a list of options")
  .max(questionLimits.options, `must have at most ${questionLimits.options} options`);

const bands = z
  .array(Band, "must be a list of bands")
  .max(questionLimits.bands, `must have at most ${questionLimits.bands} bands`)
  .meta({ description: "The first band that contains the value gives the points. Absent: not scored." });

/**
 * `yes` has full points, `no` has none. `yes` and `no` say what else the answer does:
 *
 * ```yaml
 * type: yes_no
 * weight: 10
 * no: { fails: call, comment: required }
 * ```
 */
const YesNoQuestion = strictObject(
  {
    ...scored,
    type: z.literal("yes_no"),
    yes: Effect.optional(),
    no: Effect.optional(),
  },
  notAQuestion,
).meta({ id: "YesNoQuestion" });

const ChoiceQuestion = strictObject({ ...scored, type: z.literal("choice"), options }, notAQuestion).meta({
  id: "ChoiceQuestion",
});

/** A choice whose order has a meaning: agreement statistics treat it as ordinal. */
const ScaleQuestion = strictObject({ ...scored, type: z.literal("scale"), options }, notAQuestion).meta({
  id: "ScaleQuestion",
});

/** The points of the selected options add up, at most to `max_points`. */
const MultipleQuestion = strictObject(
  {
    ...scored,
    type: z.literal("multiple"),
    options,
    max_points: integer(questionLimits.points)
      .min(1, "must be at least 1")
      .optional()
      .meta({ description: "Points above this do not count. Absent: the sum of the points of all options." }),
  },
  notAQuestion,
).meta({ id: "MultipleQuestion" });

const NumberQuestion = strictObject(
  { ...scored, type: z.literal("number"), bands: bands.optional() },
  notAQuestion,
).meta({ id: "NumberQuestion" });

/** Never scored. */
const TextQuestion = strictObject({ ...shared, type: z.literal("text") }, notAQuestion).meta({ id: "TextQuestion" });

export const questionTypes = ["yes_no", "choice", "scale", "multiple", "number", "text"] as const;

export const Question = z
  .discriminatedUnion(
    "type",
    [YesNoQuestion, ChoiceQuestion, ScaleQuestion, MultipleQuestion, NumberQuestion, TextQuestion],
    {
      error: ({ code }) => (code === "invalid_union" ? `must be one of ${questionTypes.join(", ")}` : notAQuestion),
    },
  )
  .meta({ id: "Question" });
export type Question = z.output<typeof Question>;
