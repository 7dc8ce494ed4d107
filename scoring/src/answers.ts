import { z } from "zod";
import { answerLimits, documentLimits, questionLimits } from "./limits.ts";
import { strictObject } from "./strict-object.ts";
import { Slug, text } from "./text.ts";

const Milliseconds = z
  .int("must be a whole number of milliseconds")
  .min(0, "must not be negative")
  .max(answerLimits.milliseconds, `must be at most ${answerLimits.milliseconds}`);

/** A stretch of the recording that shows why the reviewer gave this answer. */
export const Moment = strictObject(
  { start_ms: Milliseconds, end_ms: Milliseconds },
  "must be an object with start_ms and end_ms",
)
  .refine(({ start_ms, end_ms }) => start_ms <= end_ms, {
    path: ["end_ms"],
    message: "must not be before start_ms",
    params: { code: "not_allowed", fix: "Swap start_ms and end_ms." },
  })
  .meta({ id: "Moment" });
export type Moment = z.output<typeof Moment>;

const SelectedOptions = z
  .array(Slug, "must be a list of option ids")
  .max(questionLimits.options, `must have at most ${questionLimits.options} option ids`)
  .refine((ids) => new Set(ids).size === ids.length, {
    message: "must not contain an option twice",
    params: { code: "not_allowed", fix: "Remove the second one." },
  });

/** `yes` or `no`, an option id, text; selected option ids; a number. */
const AnswerValue = z
  .union(
    [
      text(answerLimits.text),
      SelectedOptions,
      z
        .number("must be a number")
        .min(-questionLimits.number, "must be at least -1000000000")
        .max(questionLimits.number, "must be at most 1000000000"),
    ],
    "must be text, a number or a list of option ids",
  )
  .meta({ description: "yes or no, an option id, a list of option ids, a number, or text, as the question requires." });
export type AnswerValue = z.output<typeof AnswerValue>;

/** Without `value` and `not_applicable`, it is a comment or a moment on a question that has no answer yet. */
export const Answer = strictObject(
  {
    value: AnswerValue.optional(),
    not_applicable: z.literal(true, "must be true, or absent").optional(),
    comment: text(answerLimits.comment).optional(),
    moments: z
      .array(Moment, "must be a list of moments")
      .max(answerLimits.moments, `must have at most ${answerLimits.moments} moments`)
      .optional(),
  },
  "must be an object with value or not_applicable",
)
  .refine((answer) => answer.value === undefined || answer.not_applicable === undefined, {
    path: ["not_applicable"],
    message: "must be absent if there is a value",
    params: { code: "not_allowed", fix: "Remove value or not_applicable." },
  })
  .meta({ id: "Answer" });
export type Answer = z.output<typeof Answer>;

/** The answers to a scorecard, by question id. */
export const Answers = z
  .record(Slug, Answer, "must be an object with question ids as members")
  .refine((answers) => Object.keys(answers).length <= documentLimits.questions, {
    message: `must have at most ${documentLimits.questions} answers`,
    params: { code: "too_long", fix: "Remove answers to questions that do not exist." },
  });
export type Answers = z.output<typeof Answers>;
