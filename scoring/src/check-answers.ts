import { answerTo } from "./answer-to.ts";
import type { Answer, Answers } from "./answers.ts";
import type { ScorecardDocument } from "./document.ts";
import type { Question } from "./question.ts";
import { optionsOf, pointsFor, selectedOptions } from "./question-points.ts";
import { visibleQuestions } from "./visibility.ts";

/** A problem with the answer to one question. */
export interface AnswerProblem {
  readonly question: string;
  readonly code:
    | "unknown_question"
    | "wrong_type"
    | "unknown_option"
    | "not_applicable_forbidden"
    | "no_band"
    | "missing"
    | "comment_required";
  readonly message: string;
}

/**
 * Problems of answers to a scorecard. With `complete`, every visible question needs an answer, and answers their required
 * comments. Answers to hidden questions are allowed, and the formula ignores them.
 */
export function checkAnswers(
  document: ScorecardDocument,
  answers: Answers,
  { complete }: { readonly complete: boolean },
): AnswerProblem[] {
  const visible = visibleQuestions(document, answers);
  const questions = document.sections.flatMap((section) => section.questions);
  const known = new Set(questions.map((question) => question.id));
  const unknown = Object.keys(answers).filter((id) => !known.has(id));
  return [
    ...unknown.map((question) =>
      problem(question, "unknown_question", `The scorecard has no question "${question}". Remove the answer.`),
    ),
    ...questions.flatMap((question) => {
      const answer = answerTo(answers, question.id);
      const wrong = answer && checkAnswer(question, answer);
      if (wrong) return [wrong];
      return complete && visible.has(question.id) ? checkComplete(question, answer) : [];
    }),
  ];
}

const problem = (question: string, code: AnswerProblem["code"], message: string): AnswerProblem => ({
  question,
  code,
  message,
});

const expectedValue: Record<Question["type"], string> = {
  yes_no: '"yes" or "no"',
  choice: "the id of an option",
  scale: "the id of an option",
  multiple: "a list of option ids",
  number: "a number",
  text: "text",
};

function checkAnswer(question: Question, { value, not_applicable }: Answer): AnswerProblem | undefined {
  const { id, title } = question;
  if (not_applicable && !question.not_applicable)
    return problem(id, "not_applicable_forbidden", `"${title}" cannot be marked as not applicable. Answer it.`);
  if (value === undefined) return undefined;
  if (selectedOptions(question, value) === undefined) {
    const names = [value].flat().filter((each) => typeof each === "string");
    const missing = names.filter((name) => !optionsOf(question).some((option) => option.id === name));
    const isRightType = Array.isArray(value) === (question.type === "multiple") && typeof value !== "number";
    return isRightType && optionsOf(question).length > 0
      ? problem(id, "unknown_option", `"${title}" has no option ${missing.map((name) => `"${name}"`).join(", ")}.`)
      : problem(id, "wrong_type", `The answer to "${title}" must be ${expectedValue[question.type]}.`);
  }
  if (pointsFor(question, value) === undefined)
    return problem(id, "no_band", `${value} is outside all ranges of "${title}". Correct it.`);
  return undefined;
}

function checkComplete(question: Question, answer: Answer | undefined): AnswerProblem[] {
  const { id, title } = question;
  if (answer?.not_applicable) return [];
  if (answer?.value === undefined) {
    const orMark = question.not_applicable ? ", or mark it as not applicable" : "";
    return [problem(id, "missing", `"${title}" has no answer. Answer it${orMark}.`)];
  }
  const selected = selectedOptions(question, answer.value) ?? [];
  // An answer that fails the call or a section must be explained to the agent, whatever the scorecard says.
  const mustExplain = selected.some((option) => option.comment === "required" || option.fails !== undefined);
  return mustExplain && answer.comment === undefined
    ? [problem(id, "comment_required", `This answer to "${title}" needs a comment.`)]
    : [];
}
