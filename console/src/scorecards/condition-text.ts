import type { Condition } from "@hearback/scoring/condition";
import type { Translate } from "./texts.ts";

/** The parts of a document that a condition refers to, published or draft. */
interface Named {
  readonly sections: readonly {
    readonly questions: readonly {
      readonly id: string;
      readonly title: string;
      readonly type: string;
      readonly options?: readonly { readonly id: string; readonly label: string }[] | undefined;
    }[];
  }[];
}

/** A condition in words: “Identity” is “Partly” or “Not at all”. */
export function conditionText(condition: Condition, document: Named, t: Translate): string {
  if ("all" in condition || "any" in condition) {
    const entries = "all" in condition ? condition.all : condition.any;
    const texts = entries.map((entry) => {
      const text = conditionText(entry, document, t);
      return "question" in entry ? text : `(${text})`;
    });
    return texts.join(` ${t("all" in condition ? "and" : "or")} `);
  }
  const question = document.sections.flatMap(({ questions }) => questions).find(({ id }) => id === condition.question);
  const labels = condition.is.map((answer) => t("quoted", { text: answerLabel(answer, question, t) }));
  return t("conditionIs", {
    question: question?.title.trim() || condition.question,
    answers: labels.join(` ${t("or")} `),
  });
}

export function answerLabel(
  answer: string,
  question: Named["sections"][number]["questions"][number] | undefined,
  t: Translate,
): string {
  if (question?.type === "yes_no" && (answer === "yes" || answer === "no")) return t(answer);
  return question?.options?.find(({ id }) => id === answer)?.label.trim() || answer;
}
