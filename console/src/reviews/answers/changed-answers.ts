import { answerTo } from "@hearback/scoring/answer-to";
import type { Answers } from "@hearback/scoring/answers";

/** The answers that differ, by question. A removed answer is empty. */
export function changedAnswers(before: Answers, after: Answers): Answers {
  const ids = new Set([...Object.keys(before), ...Object.keys(after)]);
  // Answers have few members; an order of its own for each of them would be a change without effect.
  const keyOf = (answers: Answers, id: string) => {
    const { value, not_applicable, comment, moments } = answerTo(answers, id) ?? {};
    return JSON.stringify([value, not_applicable, comment, moments]);
  };
  return Object.fromEntries(
    [...ids].filter((id) => keyOf(before, id) !== keyOf(after, id)).map((id) => [id, answerTo(after, id) ?? {}]),
  );
}
