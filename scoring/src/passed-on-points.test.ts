import { expect, test } from "vitest";
import { calculateResult } from "./formula.ts";
import { parseDocument } from "./parse-document.ts";
import { passedOnPoints } from "./passed-on-points.ts";
import { oneSection, scorecard, yesNo } from "./testing/scorecard.ts";

const question = (id: string, weight: number) => ({ id, title: id, type: "yes_no", weight, not_applicable: true });

function read(not_applicable: string) {
  const parsed = parseDocument({
    format: "hearback.scorecard/1",
    name: "Test",
    passing_score: 50,
    not_applicable,
    sections: [
      { id: "one", title: "One", questions: [question("a", 15), question("b", 10), question("c", 25)] },
      { id: "two", title: "Two", questions: [question("d", 50)] },
    ],
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.value;
}

const yes = { value: "yes" };
const skipped = { not_applicable: true } as const;

test("a question shows the points of those that are not applicable", () => {
  const within = read("stays_in_section");
  const answers = { a: yes, b: skipped, c: skipped, d: yes };
  const pointsOf = (document: typeof within) =>
    Object.fromEntries(passedOnPoints(document, calculateResult(document, answers)));
  expect(pointsOf(within)).toEqual({ a: 3500 });
  expect(pointsOf(read("spreads_over_form"))).toEqual({ a: 808, d: 2692 });
});

test("nothing is passed on if all questions apply, also if weights do not add up to 100", () => {
  const document = read("stays_in_section");
  const [one] = document.sections;
  if (!one) throw new Error("no section");
  const odd = { ...document, sections: [one] };
  const answers = { a: yes, b: yes, c: yes };
  expect(passedOnPoints(odd, calculateResult(odd, answers)).size).toBe(0);
});

test("the weight of a section counts only if its weight stays in the section and it has scored questions", () => {
  const optional = { not_applicable: true };
  const sections: Parameters<typeof scorecard>[0] = [
    { id: "one", title: "One", weight: 50, questions: [yesNo("a", 1), yesNo("b", 3, optional)] },
    { id: "two", title: "Two", questions: [yesNo("c", 30), yesNo("d", 20), yesNo("e", 0)] },
    { id: "notes", title: "Notes", weight: 30, questions: [{ id: "n", title: "N", type: "text" }] },
  ];
  const answers = { a: yes, b: skipped, c: yes, d: yes, e: yes, n: { value: "Friendly" } };
  const pointsOf = (not_applicable: "stays_in_section" | "spreads_over_form") => {
    const document = scorecard(sections, { not_applicable });
    return Object.fromEntries(passedOnPoints(document, calculateResult(document, answers)));
  };
  expect(pointsOf("stays_in_section")).toEqual({ a: 3750 });
  // Of 54 and of 51: 1 is 1.85 and 1.96 %, 30 is 55.56 and 58.82 %, 20 is 37.04 and 39.22 %.
  expect(pointsOf("spreads_over_form")).toEqual({ a: 11, c: 326, d: 218 });
});

test("a hundredth from rounding is not passed on", () => {
  const document = oneSection([yesNo("a", 1), yesNo("b", 1), yesNo("c", 1)]);
  const result = calculateResult(document, { a: yes, b: yes, c: yes });
  expect(result.questions[0]?.applied_weight).toBe(3334);
  expect(passedOnPoints(document, result).size).toBe(0);
});
