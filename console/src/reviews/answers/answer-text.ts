import type { Answer } from "@hearback/scoring/answers";
import type { Question } from "@hearback/scoring/question";

interface Words {
  readonly yes: string;
  readonly no: string;
  readonly notApplicable: string;
  /** No answer. */
  readonly none: string;
  /** A multiple choice without a selected option. */
  readonly noneOfThese: string;
  readonly number: (value: number) => string;
}

/** The answer as the reviewer chose it: labels of options, a number or text. */
export function answerText(question: Question, answer: Answer | null | undefined, words: Words): string {
  if (answer?.not_applicable) return words.notApplicable;
  const value = answer?.value;
  if (value === undefined) return words.none;
  if (typeof value === "number") return words.number(value);
  if (question.type === "yes_no") return value === "yes" ? words.yes : words.no;
  if (!("options" in question)) return String(value);
  if (value.length === 0) return words.noneOfThese;
  const labels = new Map(question.options.map(({ id, label }) => [id, label]));
  return [value]
    .flat()
    .map((id) => labels.get(id) ?? id)
    .join(", ");
}

/** Whether both give the same answer. Comments and moments do not matter. */
export function isSameAnswer(a: Answer | null | undefined, b: Answer | null | undefined): boolean {
  const keyOf = (answer: Answer | null | undefined) =>
    JSON.stringify([
      answer?.value === undefined ? null : [answer.value].flat().toSorted(),
      answer?.not_applicable ?? false,
    ]);
  return keyOf(a) === keyOf(b);
}
