import { z } from "zod";
import { documentLimits } from "./limits.ts";
import { Question, Weight } from "./question.ts";
import { strictObject } from "./strict-object.ts";
import { Slug, text } from "./text.ts";
import { utf8 } from "./utf8.ts";

export const Section = strictObject(
  {
    id: Slug,
    title: text(300),
    weight: Weight.optional().meta({
      description: "Absent: the sum of the weights of its questions. Ignored with not_applicable: spreads_over_form.",
    }),
    questions: z
      .array(Question, "must be a list of questions")
      .max(documentLimits.questions, `must have at most ${documentLimits.questions} questions`),
  },
  "must be an object with id, title and questions",
).meta({ id: "ScorecardSection" });
export type Section = z.output<typeof Section>;

const hasAtMostTwoDecimals = (value: number) => Math.round(value * 100) / 100 === value;

const PassingScore = z
  .number("must be a number from 0 to 100")
  .min(0, "must be at least 0")
  .max(100, "must be at most 100")
  .refine(hasAtMostTwoDecimals, {
    message: "must have at most two decimals",
    params: { code: "not_allowed", fix: "Round it to two decimals." },
  })
  .meta({ description: "A score below this has the outcome failed.", example: 80 });

const settings = {
  passing_score: PassingScore,
  not_applicable: z
    .enum(["stays_in_section", "spreads_over_form"], "must be stays_in_section or spreads_over_form")
    .default("stays_in_section")
    .meta({ description: "Which questions share the weight of one that is not applicable: its section or the form." }),
  fail: z
    .enum(["zeroes_score", "keeps_score"], "must be zeroes_score or keeps_score")
    .default("zeroes_score")
    .meta({ description: "The score of a call that an answer fails: 0, or as if it had not failed." }),
  release: z
    .enum(["on_submit", "by_supervisor"], "must be on_submit or by_supervisor")
    .default("on_submit")
    .meta({ description: "When the agent sees a review: at once, or when a supervisor releases it." }),
  dispute_days: z
    .int("must be a whole number of days")
    .min(0, "must not be negative")
    .max(365, "must be at most 365")
    .default(14)
    .meta({ description: "Days after release in which the agent can dispute answers. 0: no disputes." }),
  dispute_levels: z
    .literal([1, 2], "must be 1 or 2")
    .default(1)
    .meta({ description: "2: the agent can dispute the decision once more." }),
};

/** A scorecard: the file format, the API body and what is stored. Parsing it fills in every default. */
export const ScorecardDocument = strictObject(
  {
    format: z.literal("hearback.scorecard/1", 'must be "hearback.scorecard/1"'),
    name: text(120),
    description: text(4000).optional(),
    language: z
      .string("must be text")
      .regex(/^[a-z]{2,3}(-[A-Z]{2})?$/, "must be a language code such as en, fr or fr-CA")
      .optional()
      .meta({ description: "The language of the texts, for screen readers." }),
    ...settings,
    sections: z
      .array(Section, "must be a list of sections")
      .max(documentLimits.sections, `must have at most ${documentLimits.sections} sections`),
  },
  "must be an object",
)
  .superRefine((document, context) => {
    const report = (path: (string | number)[], message: string, params: { code: string; fix: string }) =>
      context.addIssue({ code: "custom", path, message, params });
    for (const { path, first } of duplicateIds(document))
      report(path, `is already used at ${first}`, { code: "duplicate_id", fix: "Give it an id of its own." });
    const tooLong = { code: "too_long", fix: "Shorten it, or split it into two scorecards." };
    const questions = document.sections.flatMap((section) => section.questions).length;
    if (questions > documentLimits.questions)
      report(["sections"], `must have at most ${documentLimits.questions} questions, not ${questions}`, tooLong);
    // As long as the canonical JSON, which only sorts the members.
    const bytes = utf8(JSON.stringify(document)).length;
    if (bytes > documentLimits.bytes)
      report([], `must have at most ${documentLimits.bytes} bytes as JSON, not ${bytes}`, tooLong);
  })
  .meta({ id: "ScorecardDocument" });
export type ScorecardDocument = z.output<typeof ScorecardDocument>;
/** A document in which defaults may be absent. */
export type ScorecardInput = z.input<typeof ScorecardDocument>;

interface DuplicateId {
  readonly path: (string | number)[];
  /** JSON pointer of the first use. */
  readonly first: string;
}

/** Sections and questions share one namespace; option ids are unique within their question. */
function duplicateIds(document: { sections: Section[] }): DuplicateId[] {
  const found: DuplicateId[] = [];
  const within = (seen: Map<string, string>) => (id: string, path: (string | number)[]) => {
    const first = seen.get(id);
    if (first === undefined) seen.set(id, `/${path.join("/")}`);
    else found.push({ path, first });
  };
  const inDocument = within(new Map());
  for (const [s, section] of document.sections.entries()) {
    inDocument(section.id, ["sections", s, "id"]);
    for (const [q, question] of section.questions.entries()) {
      inDocument(question.id, ["sections", s, "questions", q, "id"]);
      const inQuestion = within(new Map());
      if ("options" in question)
        for (const [o, option] of question.options.entries())
          inQuestion(option.id, ["sections", s, "questions", q, "options", o, "id"]);
    }
  }
  return found;
}
