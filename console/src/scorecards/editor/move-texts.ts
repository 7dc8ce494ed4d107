import type { DraftDocument } from "../draft/draft-document.ts";
import { placeOf, sectionIndex } from "../draft/draft-operations.ts";
import type { Translate } from "../texts.ts";

/** Announces where a question is after a move. */
export function questionMovedText(document: DraftDocument, id: string, t: Translate): string {
  const place = placeOf(document, id);
  const section = place && document.sections[place.section];
  const question = place && section?.questions[place.index];
  if (!section || !question) return "";
  const { title, questions } = section;
  return t("questionMoved", {
    title: question.title.trim() || t("untitledQuestion"),
    position: place.index + 1,
    total: questions.length,
    section: title.trim() || t("untitledSection"),
  });
}

/** Announces where a section is after a move. */
export function sectionMovedText(document: DraftDocument, id: string, t: Translate): string {
  const index = sectionIndex(document, id);
  const title = document.sections[index]?.title.trim() || t("untitledSection");
  return t("sectionMoved", { title, position: index + 1, total: document.sections.length });
}
