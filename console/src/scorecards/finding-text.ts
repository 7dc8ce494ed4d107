import type { DraftDocument } from "./draft/draft-document.ts";
import { findQuestion } from "./draft/draft-operations.ts";
import { type Finding, placeOfFinding } from "./draft/lint-draft.ts";
import { totalWeight } from "./draft/preview-document.ts";
import type { Texts } from "./texts.ts";

/** A finding in the reader's language: what is wrong and what to do. Falls back to the linter's English sentences. */
export function findingText(finding: Finding, document: DraftDocument, { find }: Pick<Texts, "find">): string {
  const { id, entry, field = "" } = placeOfFinding(document, finding.path);
  const question = id === undefined ? undefined : findQuestion(document, id);
  const option = entry === undefined ? undefined : question?.options?.[entry];
  const values = {
    total: totalWeight(document),
    option: option?.label.trim() || String((entry ?? 0) + 1),
    number: (entry ?? 0) + 1,
    field: find(`field_${field}`) ?? field,
  };
  return (
    find(`finding_${finding.code}_${field}`, values) ??
    find(`finding_${finding.code}`, values) ??
    `${finding.message} ${finding.fix}`
  );
}
