import type { Answer, Answers } from "@hearback/scoring/answers";
import { bareAnswer, changeAnswers } from "@hearback/scoring/change-answers";

/** The decision on one question, while it is made. */
export interface Decision {
  readonly choice: "upheld" | "changed" | undefined;
  /** With `changed`: the new answer. */
  readonly answer: Answer;
  readonly explanation: string;
}

export const isDecided = ({ choice, answer, explanation }: Decision, needsText = true): boolean =>
  (explanation.trim() !== "" || !needsText) &&
  (choice === "upheld" || (choice === "changed" && (answer.value !== undefined || answer.not_applicable === true)));

/** The answers after the decisions. */
export function applyDecisions(
  answers: Answers,
  decisions: readonly (readonly [question: string, decision: Decision])[],
): Answers {
  const changed = decisions.filter(([, { choice }]) => choice === "changed");
  return changeAnswers(answers, Object.fromEntries(changed.map(([id, { answer }]) => [id, bareAnswer(answer)])));
}
