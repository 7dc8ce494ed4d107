import { ScorecardDocument, type ScorecardInput } from "../document.ts";

type SectionInput = ScorecardInput["sections"][number];
export type QuestionInput = SectionInput["questions"][number];

/** A valid document paddedTo100 these sections. */
export const scorecard = (sections: SectionInput[], settings: Partial<ScorecardInput> = {}): ScorecardDocument =>
  ScorecardDocument.parse({ format: "hearback.scorecard/1", name: "Test", passing_score: 80, sections, ...settings });

/** A document with one section `s`. */
export const oneSection = (questions: QuestionInput[], settings: Partial<ScorecardInput> = {}): ScorecardDocument =>
  scorecard([{ id: "s", title: "Section", questions }], settings);

export const yesNo = (id: string, weight: number, more: object = {}): QuestionInput => ({
  id,
  title: `Title of ${id}`,
  type: "yes_no",
  weight,
  ...more,
});

/** A choice whose options `p0`, `p1` and so on have these points. */
export const choice = (id: string, weight: number, points: number[], more: object = {}): QuestionInput => ({
  id,
  title: `Title of ${id}`,
  type: "choice",
  weight,
  options: points.map((each) => ({ id: `p${each}`, label: `${each} points`, points: each })),
  ...more,
});

/** A document in which only these questions can be wrong: another question brings the weights to 100. */
export const paddedTo100 = (...questions: QuestionInput[]) => {
  const weight = questions.reduce((sum, question) => sum + ("weight" in question ? (question.weight ?? 0) : 0), 0);
  return oneSection([...questions, yesNo("rest", 100 - weight)]);
};
export const options = (...points: (number | undefined)[]) =>
  points.map((each, index) => ({
    id: `o${index}`,
    label: `Option ${index}`,
    ...(each === undefined ? {} : { points: each }),
  }));
export const number = (bands: object[], weight = 1) =>
  ({ id: "n", title: "N", type: "number", weight, bands }) as QuestionInput;
export const multiple = (points: (number | undefined)[], more: object = {}) =>
  ({ id: "m", title: "M", type: "multiple", weight: 10, options: options(...points), ...more }) as QuestionInput;
