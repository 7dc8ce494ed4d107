import { expect, test } from "vitest";
import { calculateResult } from "./formula.ts";
import { parseDocument } from "./parse-document.ts";
import { passedOnPoints } from "./passed-on-points.ts";

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
