import { answerTo } from "@hearback/scoring/answer-to";
import type { Answer, Answers } from "@hearback/scoring/answers";

/** The decision on one question, while it is made. */
export interface Decision {
  readonly choice: "upheld" | "changed" | undefined;
  /** With `changed`: the new answer. */
  readonly answer: Answer;
  readonly explanation: string;
}

export const isDecided = ({ choice, answer, explanation }: Decision): boolean =>
  explanation.trim() !== "" &&
  (choice === "upheld" || (choice === "changed" && (answer.value !== undefined || answer.not_applicable === true)));

/** The answers after the decisions. Comments and moments of the reviewer stay, as on the server. */
export function applyDecisions(
  answers: Answers,
  decisions: readonly (readonly [question: string, decision: Decision])[],
): Answers {
  const changed = decisions
    .filter(([, { choice }]) => choice === "changed")
    .map(([question, { answer }]) => {
      const { comment, moments } = answerTo(answers, question) ?? {};
      const kept = { ...(comment && { comment }), ...(moments && { moments }) };
      const { value, not_applicable } = answer;
      return [
        question,
        not_applicable ? { not_applicable, ...kept } : { ...(value !== undefined && { value }), ...kept },
      ];
    });
  return { ...answers, ...Object.fromEntries(changed) };
}
