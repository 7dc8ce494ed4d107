import fc from "fast-check";
import { expect, test } from "vitest";
import type { Answers } from "./answers.ts";
import { compileDocument } from "./compiled-score.ts";
import type { ScorecardDocument } from "./document.ts";
import { calculateResult } from "./formula.ts";
import { arbitraryCase } from "./testing/arbitrary-scorecard.ts";
import { choice, oneSection, scorecard, yesNo } from "./testing/scorecard.ts";
import { applyPart, openWhatIf, type WhatIfSums, whatIfLimits, whatIfParts, whatIfResult } from "./what-if.ts";

const replay = (before: ScorecardDocument, after: ScorecardDocument, reviews: readonly Answers[]) => {
  const whatIf = openWhatIf(before, after);
  for (const [index, answers] of reviews.entries()) whatIf.add({ id: `r${index}`, answers });
  return whatIfResult(whatIfParts(before, after), whatIf.sums);
};
const yes = { value: "yes" };
const no = { value: "no" };
const rated = ({ score, outcome }: { score: number | null; outcome: string }) => ({ score, outcome });

test("a compiled document gives the score and outcome of the formula", () => {
  fc.assert(
    fc.property(arbitraryCase, ({ document, answers }) => {
      const compiled = compileDocument(document);
      for (const question of compiled.questions) question.read(answers);
      expect(compiled.score()).toEqual(rated(calculateResult(document, answers)));
    }),
    { numRuns: 2000 },
  );
});

test("a compiled document keeps nothing of the review before", () => {
  fc.assert(
    fc.property(arbitraryCase, fc.array(fc.nat({ max: 19 }), { maxLength: 10 }), ({ document, answers }, left) => {
      const compiled = compileDocument(document);
      const fewer = Object.fromEntries(Object.entries(answers).filter((_, index) => left.includes(index)));
      for (const given of [answers, fewer, answers]) {
        for (const question of compiled.questions) question.read(given);
        expect(compiled.score()).toEqual(rated(calculateResult(document, given)));
      }
    }),
    { numRuns: 300 },
  );
});

test("without a change of the document, nothing changes", () => {
  fc.assert(
    fc.property(arbitraryCase, ({ document, answers }) => {
      const result = replay(document, JSON.parse(JSON.stringify(document)) as ScorecardDocument, [answers, {}]);
      expect(result.after).toEqual(result.before);
      expect(result).toMatchObject({ reviews: 2, changed: 0, not_comparable: 0, parts: [], crossings: [] });
    }),
    { numRuns: 300 },
  );
});

test("before and after are the results of the formula, whatever the documents", () => {
  fc.assert(
    fc.property(arbitraryCase, arbitraryCase, (one, other) => {
      const answers = { ...other.answers, ...one.answers };
      const { before, after } = replay(one.document, other.document, [answers]);
      const expected = [one.document, other.document].map((document) => calculateResult(document, answers));
      expect([before.mean, after.mean]).toEqual(expected.map(({ score }) => score));
      expect([before, after].map((side) => side[expected[side === before ? 0 : 1]?.outcome ?? "passed"])).toEqual([
        1, 1,
      ]);
    }),
    { numRuns: 300 },
  );
});

test("a single difference has the whole effect", () => {
  fc.assert(
    fc.property(arbitraryCase, arbitraryCase, fc.nat(), (one, other, pick) => {
      const parts = whatIfParts(one.document, other.document);
      const part = parts[pick % Math.max(1, parts.length)];
      fc.pre(part !== undefined);
      const changed = applyPart(one.document, other.document, part);
      const { before, after, parts: effects } = replay(one.document, changed, [one.answers]);
      fc.pre(effects.length === 1 && before.mean !== null && after.mean !== null);
      expect(effects[0]?.mean_change).toBe((after.mean ?? 0) - (before.mean ?? 0));
    }),
    { numRuns: 300 },
  );
});

test("a changed weight moves scores and outcomes, and is named as the cause", () => {
  const before = oneSection([yesNo("a", 20), yesNo("b", 80)]);
  const after = oneSection([yesNo("a", 50), yesNo("b", 50)]);
  const result = replay(before, after, [
    { a: no, b: yes },
    { a: yes, b: yes },
    { a: yes, b: no },
  ]);
  expect(result).toMatchObject({
    reviews: 3,
    changed: 2,
    not_comparable: 0,
    passed_to_failed: 1,
    failed_to_passed: 0,
    before: { mean: 6667, passed: 2, failed: 1, scored: 3, not_scored: 0 },
    after: { mean: 6667, passed: 1, failed: 2 },
    crossings: [{ review_id: "r0", to: "failed", before: 8000, after: 5000 }],
  });
  expect(result.before.bins.flatMap((count, bin) => (count ? [[bin * 5, count]] : []))).toEqual([
    [20, 1],
    [80, 1],
    [95, 1],
  ]);
  expect(result.parts.map(({ kind, id, change }) => [kind, id, change])).toEqual([
    ["question", "a", "changed"],
    ["question", "b", "changed"],
  ]);
});

test("each difference is applied on its own", () => {
  const before = oneSection([yesNo("a", 50), choice("b", 50, [0, 1, 2])]);
  const after = oneSection([yesNo("a", 50, { no: { fails: "call" } }), choice("b", 50, [0, 1, 4])], {
    passing_score: 40,
  });
  const effects = replay(before, after, [{ a: no, b: { value: "p1" } }]).parts;
  expect(effects).toEqual([
    expect.objectContaining({ id: "a", mean_change: -2500, changed: 1, failed_to_passed: 0 }),
    // p2 became p4, so the same answer is a quarter instead of a half.
    expect.objectContaining({ id: "b", mean_change: -1250 }),
    expect.objectContaining({ kind: "setting", id: "passing_score", mean_change: 0, changed: 0 }),
  ]);
});

test("reviews whose answers do not fit are replayed as far as possible, and counted", () => {
  const before = oneSection([yesNo("a", 50), choice("b", 25, [0, 1]), yesNo("c", 25, { not_applicable: true })]);
  const after = scorecard([
    { id: "s", title: "Section", questions: [yesNo("a", 50), choice("b", 25, [0, 2]), yesNo("c", 25)] },
    { id: "new", title: "New", questions: [yesNo("d", 100, { when: { question: "a", is: ["no"] } })] },
  ]);
  const fits = { a: yes, b: { value: "p0" }, c: yes };
  const invalid = { a: yes, b: { value: "p1" }, c: yes };
  const unanswered = { a: no, b: { value: "p0" }, c: yes };
  const marked = { a: yes, b: { value: "p0" }, c: { not_applicable: true as const } };
  const result = replay(before, after, [fits, invalid, unanswered, marked]);
  expect(result).toMatchObject({ reviews: 4, not_comparable: 3 });
  const counts = Object.fromEntries(
    result.parts.map(({ id, change, not_comparable }) => [id, [change, not_comparable]]),
  );
  expect(counts).toEqual({ b: ["changed", 1], c: ["changed", 1], d: ["added", 1] });
  // Without the answer that is no longer valid, the rest of the section counts alone.
  expect(replay(before, after, [invalid]).after.mean).toBe(10_000);
  const removed = replay(before, oneSection([yesNo("a", 50), choice("b", 25, [0, 1])]), [fits, { a: yes }]);
  expect(removed).toMatchObject({ not_comparable: 1, parts: [{ id: "c", change: "removed", not_comparable: 1 }] });
});

test("sums are stored as JSON, continue where they were, and stay small", () => {
  const before = oneSection([yesNo("a", 20), yesNo("b", 80)]);
  const after = oneSection([yesNo("a", 80), yesNo("b", 20)]);
  const reviews = Array.from({ length: 600 }, (_, index) => ({ a: index % 2 ? yes : no, b: index % 3 ? yes : no }));
  let stored: WhatIfSums | undefined;
  for (let start = 0; start < reviews.length; start += 70) {
    const whatIf = openWhatIf(before, after, stored);
    for (const [index, answers] of reviews.slice(start, start + 70).entries())
      whatIf.add({ id: `r${start + index}`, answers });
    stored = JSON.parse(JSON.stringify(whatIf.sums)) as WhatIfSums;
  }
  expect(stored && whatIfResult(whatIfParts(before, after), stored)).toEqual(replay(before, after, reviews));
  expect(stored?.crossings.filter(({ to }) => to === "failed")).toHaveLength(whatIfLimits.crossingsEachWay);
  expect(stored?.passed_to_failed).toBe(200);
});
