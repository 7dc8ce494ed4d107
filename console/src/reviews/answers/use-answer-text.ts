import type { Answer } from "@hearback/scoring/answers";
import type { Question } from "@hearback/scoring/question";
import { useFormat } from "../../ui/time/use-format.ts";
import { useTexts } from "../texts.ts";
import { answerText } from "./answer-text.ts";

/** Formats answers in the reader's language. */
export function useAnswerText(): (question: Question, answer: Answer | null | undefined) => string {
  const { t } = useTexts();
  const { number } = useFormat();
  const words = {
    yes: t("yes"),
    no: t("no"),
    notApplicable: t("notApplicable"),
    none: t("noAnswer"),
    noneOfThese: t("noneOfThese"),
    number,
  };
  return (question, answer) => answerText(question, answer, words);
}
