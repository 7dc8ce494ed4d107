import type { ScorecardDocument } from "@hearback/scoring/document";
import {
  type WhatIfPart,
  type WhatIfResult,
  type WhatIfSums,
  whatIfParts,
  whatIfResult,
} from "@hearback/scoring/what-if";

/** The result of a run as it is stored: with titles, because the changed document is not kept. */
export type StoredResult = Omit<WhatIfResult, "parts"> & {
  readonly older_versions: number;
  readonly parts: (WhatIfResult["parts"][number] & { readonly title: string })[];
};

export function toStoredResult(
  before: ScorecardDocument,
  after: ScorecardDocument,
  { sums, olderVersions }: { readonly sums: WhatIfSums; readonly olderVersions: number },
): StoredResult {
  const result = whatIfResult(whatIfParts(before, after), sums);
  const titles = new Map([...titlesOf(before), ...titlesOf(after)]);
  const titleOf = ({ kind, id }: WhatIfPart) => (kind === "setting" ? id : (titles.get(id) ?? id));
  const parts = result.parts.map((part) => ({ ...part, title: titleOf(part) }));
  return { ...result, older_versions: olderVersions, parts };
}

/** Titles of sections and questions, whose ids are unique in a document. */
const titlesOf = ({ sections }: ScorecardDocument): [id: string, title: string][] =>
  sections.flatMap(({ id, title, questions }) => [
    [id, title],
    ...questions.map((question): [string, string] => [question.id, question.title]),
  ]);
