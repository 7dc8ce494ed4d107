import { type Answers, answerTo } from "./answers.ts";
import type { Condition } from "./condition.ts";
import type { ScorecardDocument } from "./document.ts";
import { selectedOptions } from "./question-points.ts";

/**
 * The ids of the questions that a reviewer sees. A condition on a question that is hidden, not applicable, unanswered or
 * not above the dependent question is false.
 */
export function visibleQuestions(document: ScorecardDocument, answers: Answers): ReadonlySet<string> {
  const visible = new Set<string>();
  const selected = new Map<string, readonly string[]>();
  for (const question of document.sections.flatMap((section) => section.questions)) {
    if (question.when && !holds(question.when, selected)) continue;
    visible.add(question.id);
    const value = answerTo(answers, question.id)?.value;
    const options = value === undefined ? undefined : selectedOptions(question, value);
    if (options)
      selected.set(
        question.id,
        options.map((option) => option.id),
      );
  }
  return visible;
}

function holds(condition: Condition, selected: ReadonlyMap<string, readonly string[]>): boolean {
  if ("all" in condition) return condition.all.every((entry) => holds(entry, selected));
  if ("any" in condition) return condition.any.some((entry) => holds(entry, selected));
  return (selected.get(condition.question) ?? []).some((id) => condition.is.includes(id));
}
