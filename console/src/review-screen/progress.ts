import { answerTo } from "@hearback/scoring/answer-to";
import type { Answers } from "@hearback/scoring/answers";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { visibleQuestions } from "@hearback/scoring/visibility";
import { isAnswered } from "../review-form/review-form.tsx";

/** How many of the visible questions are answered. */
export function progressOf(document: ScorecardDocument, answers: Answers) {
  const visible = [...visibleQuestions(document, answers)];
  return { done: visible.filter((id) => isAnswered(answerTo(answers, id))).length, total: visible.length };
}
