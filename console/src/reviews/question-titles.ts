import type { ScorecardDocument } from "@hearback/scoring/document";

/** Titles by question id. */
export const questionTitles = (document: ScorecardDocument): ReadonlyMap<string, string> =>
  new Map(document.sections.flatMap(({ questions }) => questions.map(({ id, title }) => [id, title])));
