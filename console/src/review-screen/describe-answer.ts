import type { Answer } from "@hearback/scoring/answers";
import type { Question } from "@hearback/scoring/question";
import { clock } from "../ui/time/use-format.ts";
import type { FieldValue } from "./saving/save-queue.ts";
import type { Translate } from "./texts.ts";

/** An answer in one line, with its comment and moments. */
export function describeAnswer(question: Question | undefined, value: FieldValue, t: Translate): string {
  if (typeof value === "string") return value === "" ? t("noComment") : `“${value}”`;
  const moments = value.moments?.map(({ start_ms, end_ms }) => `${clock(start_ms)}–${clock(end_ms)}`);
  const parts = [valueText(question, value, t), value.comment && `“${value.comment}”`, moments?.join(", ")];
  return parts.filter(Boolean).join(" · ") || t("noAnswer");
}

function valueText(question: Question | undefined, { value, not_applicable }: Answer, t: Translate): string {
  if (not_applicable) return t("notApplicable");
  if (value === undefined) return "";
  if (Array.isArray(value) && value.length === 0) return t("noneOfThese");
  if (question?.type === "yes_no") return t(value === "yes" ? "yes" : "no");
  const options = question && "options" in question ? question.options : [];
  return [value]
    .flat()
    .map((each) => options.find(({ id }) => id === each)?.label ?? String(each))
    .join(", ");
}
