import fc from "fast-check";
import { expect, test } from "vitest";
import type { Answers } from "./answers.ts";
import type { ScorecardDocument } from "./document.ts";
import { calculateResult } from "./formula.ts";
import type { Question } from "./question.ts";
import { maximumPoints, optionsOf, pointsFor } from "./question-points.ts";
import type { Result } from "./result.ts";
import { arbitraryCase } from "./testing/arbitrary-scorecard.ts";

const score = (document: ScorecardDocument, answers: Answers) => calculateResult(document, answers);

const questionsOf = (document: ScorecardDocument) => document.sections.flatMap((section) => section.questions);
const mapQuestions = (document: ScorecardDocument, change: (question: Question) => object) =>
  ({
    ...document,
    sections: document.sections.map((section) => ({ ...section, questions: section.questions.map(change) })),
  }) as ScorecardDocument;

test("applied weights add up to 100 points, losses to 100 minus the score", () => {
  fc.assert(
    fc.property(arbitraryCase, ({ document, answers }) => {
      const result = score(document, answers);
      const total = (member: "applied_weight" | "lost") =>
        result.questions.reduce((sum, each) => sum + each[member], 0);
      expect(total("applied_weight")).toBe(result.score_before_fail === null ? 0 : 10_000);
      expect(result.sections.reduce((sum, each) => sum + each.applied_weight, 0)).toBe(total("applied_weight"));
      if (result.score !== null) expect(total("lost") + result.lost_by_fail).toBe(10_000 - result.score);
      for (const { points, maximum, lost, applied_weight } of result.questions) {
        if (points === maximum) expect(lost).toBe(0);
        expect(lost).toBeLessThanOrEqual(applied_weight + 1);
      }
    }),
    { numRuns: 300 },
  );
});

test("a better answer never lowers the score, unless a condition or a fail says so", () => {
  fc.assert(
    fc.property(arbitraryCase, fc.nat(), fc.nat(), ({ document, answers }, position, pick) => {
      const questions = questionsOf(document);
      const question = questions[position % questions.length];
      const options = question ? optionsOf(question) : [];
      const option = options[pick % options.length];
      fc.pre(question !== undefined && option !== undefined);
      const value = question.type === "multiple" ? [option.id] : option.id;
      const old = answers[question.id]?.value;
      fc.pre(
        old !== undefined && (pointsFor(question, value) ?? 0) >= (pointsFor(question, old) ?? maximumPoints(question)),
      );
      const before = score(document, answers);
      const after = score(document, { ...answers, [question.id]: { value } });
      const shown = (result: Result) => result.questions.map(({ cause }) => cause);
      fc.pre(JSON.stringify(shown(before)) === JSON.stringify(shown(after)));
      fc.pre(JSON.stringify(before.failed_by) === JSON.stringify(after.failed_by));
      expect(after.score ?? 0).toBeGreaterThanOrEqual(before.score ?? 0);
    }),
    { numRuns: 300 },
  );
});

test("N/A of everything is null", () => {
  fc.assert(
    fc.property(arbitraryCase, ({ document }) => {
      const answers = Object.fromEntries(
        questionsOf(document).map(({ id }) => [id, { not_applicable: true } as const]),
      );
      expect(score(document, answers)).toMatchObject({ score: null, score_before_fail: null, outcome: "not_scored" });
    }),
  );
});

test("the order of sections and questions does not matter", () => {
  fc.assert(
    fc.property(arbitraryCase, ({ document, answers }) => {
      // Conditions depend on the order: without them.
      const plain = mapQuestions(document, ({ when: _, ...question }) => question);
      const reversed = {
        ...plain,
        sections: plain.sections.map((each) => ({ ...each, questions: each.questions.toReversed() })).toReversed(),
      };
      const sorted = (result: Result) => ({
        ...result,
        ...Object.fromEntries(
          (["failed_by", "sections", "questions", "tags"] as const).map((name) => [
            name,
            result[name].map((row) => JSON.stringify(row)).toSorted(),
          ]),
        ),
      });
      expect(sorted(score(reversed, answers))).toEqual(sorted(score(plain, answers)));
    }),
    { numRuns: 300 },
  );
});

test("weights times ten change nothing", () => {
  const timesTen = <Item extends object>(item: Item) =>
    "weight" in item && typeof item.weight === "number" ? { ...item, weight: item.weight * 10 } : item;
  fc.assert(
    fc.property(arbitraryCase, ({ document, answers }) => {
      const heavier = mapQuestions({ ...document, sections: document.sections.map(timesTen) }, timesTen);
      const withoutWeights = (result: Result) => JSON.stringify(result).replaceAll(/"weight":\d+/g, "");
      expect(withoutWeights(score(heavier, answers))).toBe(withoutWeights(score(document, answers)));
    }),
    { numRuns: 300 },
  );
});
