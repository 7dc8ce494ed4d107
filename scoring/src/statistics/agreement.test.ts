import { expect, test } from "vitest";
import type { Answer } from "../answers.ts";
import { Question } from "../question.ts";
import { agreement, isSameAnswer } from "./agreement.ts";
import { gwetCoefficient } from "./gwet-coefficient.ts";
import { krippendorffAlpha } from "./krippendorff-alpha.ts";
import { groupUnits } from "./ratings.ts";

const base = { id: "q", title: "Q" };
const options = ["poor", "fair", "good"].map((id) => ({ id, label: id }));
const yesNo = Question.parse({ ...base, type: "yes_no", not_applicable: true });
const choice = Question.parse({ ...base, type: "choice", options });
const scale = Question.parse({ ...base, type: "scale", options });
const multiple = Question.parse({ ...base, type: "multiple", options });
const banded = Question.parse({
  ...base,
  type: "number",
  bands: [
    { to: 10, points: 2 },
    { from: 11, to: 20, points: 1 },
  ],
});

const answersOf = (...values: (Answer["value"] | "n/a")[]): (Answer | undefined)[] =>
  values.map((value) => (value === undefined ? undefined : value === "n/a" ? { not_applicable: true } : { value }));
const times = (count: number, ...values: Parameters<typeof answersOf>) =>
  Array.from({ length: count }, () => answersOf(...values));

test("everyone agrees, in two categories: all figures are 1, and no interval is invented", () => {
  const { answer } = agreement(yesNo, [...times(5, "yes", "yes", "yes"), ...times(5, "no", "no", "no")]);
  expect(answer).toEqual({
    calls: 10,
    tooFew: false,
    raw: { value: 1, interval: null },
    alpha: 1,
    ac: { value: 1, interval: null },
  });
});

test("one category only: α says nothing, AC1 and raw agreement are 1", () => {
  for (const [question, value] of [
    [yesNo, "yes"],
    [choice, "good"],
    [scale, "good"],
    [multiple, ["good", "poor"]],
    [banded, 4],
  ] as const) {
    const { answer } = agreement(question, times(9, value as Answer["value"], value as Answer["value"]));
    expect(answer?.raw.value, question.type).toBe(1);
    expect(answer?.alpha, question.type).toBeNull();
    expect(answer?.ac.value, question.type).toBeCloseTo(1, 10);
  }
});

test("one rater is missing on some calls: the others are compared", () => {
  const full = agreement(yesNo, [...times(6, "yes", "yes"), ...times(3, "yes", "no"), ...times(3, "no", "no")]);
  const { answer } = agreement(yesNo, [
    ...times(6, "yes", undefined, "yes"),
    ...times(3, undefined, "yes", "no"),
    ...times(3, "no", "no", undefined),
  ]);
  expect(answer).toEqual(full.answer);
  const alone = agreement(yesNo, times(9, "yes", undefined)).answer;
  expect(alone).toMatchObject({
    calls: 0,
    tooFew: true,
    raw: { value: null },
    alpha: null,
    ac: { value: null },
  });
  expect(agreement(yesNo, []).answer).toMatchObject({ calls: 0, tooFew: true, raw: { value: null, interval: null } });
});

test("fewer than 8 calls are too few", () => {
  expect(agreement(yesNo, times(7, "yes", "no")).answer).toMatchObject({ calls: 7, tooFew: true });
  expect(agreement(yesNo, times(8, "yes", "no")).answer).toMatchObject({ calls: 8, tooFew: false });
});

test("applicability is a question of its own; the answer is compared among those who thought it applicable", () => {
  const { applicability, answer } = agreement(yesNo, [
    ...times(6, "yes", "yes", "n/a"),
    ...times(2, "no", "no", "no"),
    ...times(2, "n/a", "n/a", "n/a"),
    ...times(1, "n/a", "n/a", "yes"),
  ]);
  expect(applicability?.calls).toBe(11);
  // 7 calls with 1 of 3 pairs, 4 with all.
  expect(applicability?.raw.value).toBeCloseTo((7 / 3 + 4) / 11, 10);
  expect(applicability?.raw.interval?.low).toBeLessThan(applicability?.raw.value ?? 0);
  expect(answer).toMatchObject({ calls: 8, raw: { value: 1 }, alpha: 1 });
  expect(agreement(choice, times(9, "good", "good")).applicability).toBeNull();
});

test("a scale is ordinal: neighbours disagree less than extremes", () => {
  const near = [...times(5, "good", "good"), ...times(5, "poor", "poor"), ...times(2, "good", "fair")];
  const far = [...times(5, "good", "good"), ...times(5, "poor", "poor"), ...times(2, "good", "poor")];
  const [nearScale, farScale] = [agreement(scale, near).answer, agreement(scale, far).answer];
  expect(nearScale?.alpha).toBeGreaterThan(farScale?.alpha ?? 1);
  expect(nearScale?.ac.value).toBeGreaterThan(farScale?.ac.value ?? 1);
  // Raw agreement does not weigh.
  expect(nearScale?.raw.value).toBeCloseTo(10 / 12, 10);
  expect(farScale?.raw.value).toBeCloseTo(10 / 12, 10);
});

test("sets are compared as a whole, in any order; numbers by their band", () => {
  const sets = [...times(4, ["good", "poor"], ["poor", "good"]), ...times(4, ["good"], ["good", "poor"])];
  expect(agreement(multiple, sets).answer?.raw.value).toBe(0.5);
  const numbers = [...times(4, 1, 9), ...times(3, 9, 12), ...times(1, 30, 40)];
  expect(agreement(banded, numbers).answer?.raw.value).toBe(5 / 8);
  const values = Question.parse({ ...base, type: "number" });
  expect(agreement(values, numbers).answer?.raw.value).toBe(0);
});

test("text is not compared", () => {
  const text = Question.parse({ ...base, type: "text", not_applicable: true });
  expect(agreement(text, times(9, "a", "b"))).toEqual({ applicability: null, answer: null });
});

test("intervals stay within what a coefficient can be", () => {
  const { answer } = agreement(yesNo, [...times(7, "yes", "yes"), ...times(1, "no", "yes")]);
  for (const { value, interval } of [answer?.raw, answer?.ac].filter((one) => one !== undefined)) {
    expect(interval?.high).toBeGreaterThan(value ?? 1);
    expect(interval?.high).toBeLessThanOrEqual(1);
  }
  expect(answer?.ac.interval?.low).toBeGreaterThanOrEqual(-1);
});

test("there may be as many sets as calls", () => {
  const ids = Array.from({ length: 14 }, (_, n) => `o${n}`);
  const many = Question.parse({ ...base, type: "multiple", options: ids.map((id) => ({ id, label: id })) });
  const setOf = (n: number) => ids.filter((_, bit) => (n >> bit) % 2 === 1);
  const calls = Array.from({ length: 10_000 }, (_, n) => answersOf(setOf(n), setOf(n % 2 === 0 ? n : n + 1)));
  const { answer } = agreement(many, calls);
  expect(answer?.raw.value).toBe(0.5);
  expect(answer?.alpha).toBeCloseTo(0.5, 3);
  expect(answer?.ac.interval?.low).toBeCloseTo(0.49, 2);
});

test("values that are no answer to the question are not rated", () => {
  for (const [question, value] of [
    [choice, "unknown"],
    [choice, 3],
    [multiple, "good"],
    [banded, "4"],
  ] as const)
    expect(agreement(question, times(9, value, value)).answer?.calls, question.type).toBe(0);
});

const open = Question.parse({ ...base, type: "number" });

test.each<[string, Question, number, Answer["value"][]]>([
  ["options", choice, 3, ["poor", "fair"]],
  ["options of a scale", scale, 3, ["poor", "fair", "good"]],
  ["sets that occur, at least two", multiple, 2, [["poor"], ["fair"]]],
  ["sets that occur, if there are more", multiple, 3, [["poor"], ["fair"], []]],
  ["bands", banded, 2, [4, 12]],
  ["bands and none of them", banded, 3, [4, 12, 30]],
  ["numbers that occur", open, 3, [4, 12, 30]],
])("reviewers choose from the %s", (_, question, categories, values) => {
  const ratings = [...values.keys()].flatMap((at) => [
    ...Array.from({ length: 4 - at }, () => [at, at]),
    [at, (at + 1) % values.length],
  ]);
  const { answer } = agreement(
    question,
    ratings.map((places) => answersOf(...places.map((place) => values[place]))),
  );
  const ordered = question.type === "scale";
  const units = groupUnits(ratings);
  expect(answer?.ac.value).toBeCloseTo(gwetCoefficient(units, { categories, ordered }).value ?? 0, 12);
  expect(answer?.alpha).toBeCloseTo(krippendorffAlpha(units, ordered ? "ordinal" : "nominal") ?? 0, 12);
});

test("whether a question is applicable is chosen from two, by those who answered", () => {
  const { applicability } = agreement(yesNo, [
    ...times(5, "yes", "n/a", undefined),
    ...times(5, "no", "yes", undefined),
  ]);
  expect(applicability?.raw.value).toBe(0.5);
  const units = groupUnits([...Array(5).fill([1, 0]), ...Array(5).fill([1, 1])]);
  expect(applicability?.ac.value).toBeCloseTo(gwetCoefficient(units, { categories: 2, ordered: false }).value ?? 0, 12);
});

test("two answers are the same, different, or cannot be compared", () => {
  const same = (question: Question, ...values: [Answer["value"] | "n/a", Answer["value"] | "n/a"]) => {
    const [a, b] = answersOf(...values);
    return isSameAnswer(question, a, b);
  };
  expect(same(yesNo, "yes", "yes")).toBe(true);
  expect(same(yesNo, "yes", "no")).toBe(false);
  expect(same(yesNo, "n/a", "n/a")).toBe(true);
  expect(same(yesNo, "n/a", "no")).toBe(false);
  expect(same(yesNo, "yes", undefined)).toBeUndefined();
  expect(same(yesNo, undefined, "yes")).toBeUndefined();
  expect(same(yesNo, undefined, undefined)).toBeUndefined();
  expect(isSameAnswer(yesNo, {}, { value: "yes" })).toBeUndefined();
  expect(same(choice, 3, 3)).toBeUndefined();
  expect(same(multiple, ["good", "poor"], ["poor", "good"])).toBe(true);
  // Ids are kept apart.
  expect(same(multiple, ["a", "b"], ["ab"])).toBe(false);
  expect(same(banded, 4, 9)).toBe(true);
  expect(same(banded, "4", 4)).toBeUndefined();
  const text = Question.parse({ ...base, type: "text", not_applicable: true });
  expect(same(text, "a", "a")).toBeUndefined();
  expect(same(text, "n/a", "n/a")).toBeUndefined();
});
