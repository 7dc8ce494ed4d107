import type { Answer } from "@hearback/scoring/answers";
import type { Question } from "@hearback/scoring/question";

/** The answer after a digit from 1 to 9 was pressed. Undefined: the digit means nothing for this question. */
export function answerByDigit(question: Question, before: Answer, digit: number): Answer | undefined {
  const { value: _, not_applicable: __, ...rest } = before;
  if (question.type === "number") return { ...rest, value: digit };
  const ids =
    question.type === "yes_no" ? ["yes", "no"] : "options" in question ? question.options.map(({ id }) => id) : [];
  const id = ids[digit - 1];
  // None of these.
  if (question.type === "multiple" && digit === ids.length + 1) return { ...rest, value: [] };
  if (id === undefined) return undefined;
  if (question.type !== "multiple") return { ...rest, value: id };
  const chosen = Array.isArray(before.value) ? before.value : [];
  const value = ids.filter((each) => (each === id ? !chosen.includes(each) : chosen.includes(each)));
  return value.length > 0 ? { ...rest, value } : rest;
}
