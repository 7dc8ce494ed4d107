import type { AnswerProblem } from "@hearback/scoring/check-answers";
import type { Translate } from "./texts.ts";

/** How many answers and how many comments are missing, in one line. */
export function describeMissing(problems: readonly Pick<AnswerProblem, "code">[], t: Translate): string {
  const comments = problems.filter(({ code }) => code === "comment_required").length;
  const answers = problems.filter(({ code }) => code === "missing").length;
  const invalid = problems.length - comments - answers;
  return [
    ...(answers > 0 ? [t("missingAnswers", { count: answers })] : []),
    ...(comments > 0 ? [t("missingComments", { count: comments })] : []),
    ...(invalid > 0 ? [t("invalidAnswers", { count: invalid })] : []),
  ].join(", ");
}
