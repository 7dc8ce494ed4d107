import { answerTo } from "./answer-to.ts";
import type { Answers } from "./answers.ts";
import type { Condition } from "./condition.ts";
import type { ScorecardDocument } from "./document.ts";
import type { Question } from "./question.ts";
import { selectedOptions } from "./question-points.ts";

/**
 * The ids of the questions that a reviewer sees. A condition on a question that is hidden, not applicable, unanswered or
 * not above the dependent question is false.
 */
export function visibleQuestions(document: ScorecardDocument, answers: Answers): ReadonlySet<string> {
  const visible = new Map<string, Question>();
  for (const section of document.sections)
    for (const question of section.questions)
      if (!question.when || holds(question.when, visible, answers)) visible.set(question.id, question);
  return new Set(visible.keys());
}

/** `visible` has the visible questions above the dependent one. */
function holds(condition: Condition, visible: ReadonlyMap<string, Question>, answers: Answers): boolean {
  if ("all" in condition) return condition.all.every((entry) => holds(entry, visible, answers));
  if ("any" in condition) return condition.any.some((entry) => holds(entry, visible, answers));
  const question = visible.get(condition.question);
  const value = answerTo(answers, condition.question)?.value;
  if (!question || value === undefined) return false;
  return selectedOptions(question, value)?.some(({ id }) => condition.is.includes(id)) ?? false;
}
