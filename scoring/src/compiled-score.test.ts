import { expect, test } from "vitest";
import type { Answers } from "./answers.ts";
import { compileDocument, compileQuestion } from "./compiled-score.ts";
import type { ScorecardDocument } from "./document.ts";
import { calculateResult } from "./formula.ts";
import { choice, oneSection, scorecard, yesNo } from "./testing/scorecard.ts";

const yes = { value: "yes" };
const no = { value: "no" };

/** The compiled score, which must be that of the formula. */
function scoreOf(document: ScorecardDocument, answers: Answers) {
  const { questions, score } = compileDocument(document);
  for (const question of questions) question.read(answers);
  const compiled = score();
  const { score: expected, outcome } = calculateResult(document, answers);
  expect(compiled).toEqual({ score: expected, outcome });
  return compiled.score;
}

test("a score between two hundredths is rounded half up, with sections that failed, count nothing or have weights", () => {
  const document = scorecard([
    { id: "one", title: "One", weight: 2, questions: [yesNo("a", 1, { no: { fails: "section" } }), yesNo("b", 1)] },
    { id: "two", title: "Two", weight: 2, questions: [choice("c", 4, [0, 1, 16])] },
    { id: "three", title: "Three", weight: 5, questions: [yesNo("d", 3, { not_applicable: true })] },
  ]);
  // 1/16 of 2 of 4 is 3.125 %.
  expect(scoreOf(document, { a: no, b: yes, c: { value: "p1" }, d: { not_applicable: true } })).toBe(313);
  expect(scoreOf(document, { a: yes, b: yes, c: { value: "p1" } })).toBe(5313);
});

test("a condition on the answer to a later or unknown question is never true", () => {
  const document = oneSection([yesNo("a", 1), yesNo("b", 1), yesNo("c", 3)]);
  const [section] = document.sections;
  if (!section) throw new Error("no section");
  for (const question of ["a", "c", "unknown"]) {
    const questions = section.questions.map((each) =>
      each.id === "a" ? { ...each, when: { question, is: ["yes"] } } : each,
    );
    const changed = { ...document, sections: [{ ...section, questions }] } as ScorecardDocument;
    expect(scoreOf(changed, { a: yes, b: no, c: yes })).toBe(7500);
  }
});

test("conditions: all, any, and nested", () => {
  const one = (question: string) => ({ question, is: ["yes"] });
  const hidden = (when: object) => oneSection([yesNo("a", 1), yesNo("b", 1), yesNo("c", 2, { when })]);
  const answers = { a: yes, b: no, c: no };
  expect(scoreOf(hidden({ all: [one("a"), one("b")] }), answers)).toBe(5000);
  expect(scoreOf(hidden({ any: [one("a"), one("b")] }), answers)).toBe(2500);
  expect(scoreOf(hidden({ all: [one("a"), { any: [one("b"), one("a")] }] }), answers)).toBe(2500);
});

test("a question counts if it has a weight or an answer that fails", () => {
  const counts = (weight: number, more: object = {}) => {
    const [question] = oneSection([yesNo("a", weight, more)]).sections[0]?.questions ?? [];
    return question && compileQuestion(question).counts;
  };
  expect([counts(1), counts(0), counts(0, { no: { fails: "call" } })]).toEqual([true, false, true]);
});
