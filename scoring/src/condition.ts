import { z } from "zod";
import { conditionLimits } from "./limits.ts";
import { strictObject } from "./strict-object.ts";
import { Slug } from "./text.ts";

/** Upper bounds of the conditions of one question. */
const answerCondition = {
  question: Slug.meta({ description: "The id of an earlier question: yes_no, choice, scale or multiple." }),
  is: z
    .array(Slug, "must be a list of option ids, or of yes and no")
    .min(1, "must have at least one value")
    .max(30, "must have at most 30 values")
    .meta({ description: "Option ids, or yes and no. A multiple question needs one of them selected." }),
};
const notACondition = "must be a condition: {question, is}, {all} or {any}";

/** True if the question is visible and was answered with one of the values. */
const AnswerCondition = strictObject(answerCondition, notACondition).meta({ id: "AnswerCondition" });
export type AnswerCondition = z.output<typeof AnswerCondition>;

/** A condition at the innermost level, which cannot contain others. */
const InnermostCondition = strictObject(
  answerCondition,
  notACondition,
  (names) => `cannot contain ${names}: conditions have at most ${conditionLimits.levels} levels`,
).meta({ id: "InnermostCondition" });

/** The condition under which a question is visible. */
export type Condition =
  | AnswerCondition
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] };

function listOf<Entry extends z.ZodType>(entry: Entry) {
  return z
    .array(entry, "must be a list of conditions")
    .min(1, "must have at least one condition")
    .max(conditionLimits.entries, `must have at most ${conditionLimits.entries} conditions`);
}

function nest<Inner extends z.ZodType>(inner: Inner) {
  return z.union([
    AnswerCondition,
    strictObject({ all: listOf(inner) }, notACondition),
    strictObject({ any: listOf(inner) }, notACondition),
  ]);
}

// One schema for each level instead of a recursive one: deeply nested input cannot exhaust the stack.
const levels: z.ZodType<Condition> = nest(nest(nest(InnermostCondition)));

/** Counted before the schema, which compares every entry with three forms and describes each difference. */
export const When = z
  .preprocess((when, context) => {
    if (countAnswers(when, conditionLimits.levels) > conditionLimits.answers)
      context.addIssue({
        code: "custom",
        message: `must not depend on more than ${conditionLimits.answers} answers`,
        params: { code: "too_long", fix: "Use fewer conditions." },
      });
    return when;
  }, levels)
  .meta({ id: "ScorecardCondition" });

/** Number of entries that contain no others. */
function countAnswers(condition: unknown, levels: number): number {
  const { all, any } = Object(condition) as { readonly all?: unknown; readonly any?: unknown };
  const entries = [all, any].flatMap((list) => (Array.isArray(list) ? list : []));
  if (entries.length === 0 || levels === 0) return 1;
  return entries.reduce((count, entry) => count + countAnswers(entry, levels - 1), 0);
}

/** All answers that a condition depends on, in order. */
export function answerConditions(condition: Condition): AnswerCondition[] {
  if ("question" in condition) return [condition];
  return ("all" in condition ? condition.all : condition.any).flatMap(answerConditions);
}
