import type { QuestionType } from "../draft/draft-document.ts";
import type { NewQuestion } from "../draft/draft-operations.ts";
import type { Translate } from "../texts.ts";

/** The first options of a new question, to be changed. Those of `multiple` are empty: the linter asks for their labels. */
export function newOptions(type: QuestionType, t: Translate): NonNullable<NewQuestion["options"]> {
  if (type === "choice")
    return [
      { label: t("newFull"), points: 2 },
      { label: t("newPartly"), points: 1 },
      { label: t("newNone"), points: 0 },
    ];
  if (type === "scale")
    return [
      { label: t("newPoor"), points: 0 },
      { label: t("newFair"), points: 1 },
      { label: t("newGood"), points: 2 },
    ];
  return type === "multiple" ? [{ label: "" }, { label: "" }] : [];
}
