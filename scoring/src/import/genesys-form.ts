import { z } from "zod";

// The members of an evaluation form of Genesys Cloud (/api/v2/quality/forms/evaluations) that matter here.
const AnswerOption = z.object({
  text: z.string().max(10_000).nullish(),
  value: z.number().min(-1e6).max(1e6).nullish(),
  builtInType: z.string().nullish(),
  assistanceConditions: z.array(z.unknown()).nullish(),
});
export type GenesysAnswer = z.output<typeof AnswerOption>;

const VisibilityCondition = z.object({
  combiningOperation: z.string().nullish(),
  predicates: z.array(z.unknown()).max(100).nullish(),
});
export type GenesysVisibility = z.output<typeof VisibilityCondition>;

const OptionQuestion = z.object({
  text: z.string().max(10_000).nullish(),
  answerOptions: z.array(AnswerOption).max(1000).nullish(),
});
export type GenesysOptionQuestion = z.output<typeof OptionQuestion>;

const Question = OptionQuestion.extend({
  type: z.string().nullish(),
  helpText: z.string().max(10_000).nullish(),
  naEnabled: z.boolean().nullish(),
  commentsRequired: z.boolean().nullish(),
  isKill: z.boolean().nullish(),
  isCritical: z.boolean().nullish(),
  defaultAnswer: z.unknown().optional(),
  visibilityCondition: VisibilityCondition.nullish(),
  multipleSelectOptionQuestions: z.array(OptionQuestion).max(1000).nullish(),
});
export type GenesysQuestion = z.output<typeof Question>;

const QuestionGroup = z.object({
  name: z.string().max(10_000),
  weight: z.number().min(0).max(1e6).nullish(),
  naEnabled: z.boolean().nullish(),
  defaultAnswersToHighest: z.boolean().nullish(),
  defaultAnswersToNA: z.boolean().nullish(),
  visibilityCondition: VisibilityCondition.nullish(),
  questions: z.array(Question).max(1000),
});
export type GenesysGroup = z.output<typeof QuestionGroup>;

export const GenesysForm = z.object({
  name: z.string().max(10_000),
  questionGroups: z.array(QuestionGroup).max(1000),
});
export type GenesysForm = z.output<typeof GenesysForm>;
