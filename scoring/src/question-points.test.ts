import { expect, test } from "vitest";
import { Question } from "./question.ts";
import { bandOf, maximumPoints, optionsOf, pointsFor, selectedOptions, weightOf } from "./question-points.ts";
import { multiple, number, options } from "./testing/scorecard.ts";

const base = { id: "q", title: "Q", weight: 10 };
const yesNo = Question.parse({ ...base, type: "yes_no", no: { fails: "call" } });
const choice = Question.parse({ ...base, type: "choice", options: options(undefined, 2, 5) });
const scale = Question.parse({ ...base, type: "scale", options: options(1, 2, 3) });
const several = Question.parse(multiple([1, 2, undefined], { max_points: 2 }));
const banded = Question.parse(
  number([
    { to: 10, points: 2 },
    { from: 10, to: 20, points: 1 },
    { from: 30, points: 3 },
  ]),
);
const unbanded = Question.parse({ ...base, type: "number", weight: undefined });
const text = Question.parse({ id: "t", title: "T", type: "text" });

test("yes and no are options with points and effects; numbers and text have none", () => {
  expect(optionsOf(yesNo)).toEqual([
    { id: "yes", points: 1 },
    { id: "no", points: 0, fails: "call" },
  ]);
  for (const question of [choice, scale, several])
    expect(optionsOf(question).map(({ id }) => id)).toEqual(["o0", "o1", "o2"]);
  for (const question of [banded, unbanded, text]) expect(optionsOf(question)).toEqual([]);
});

test.each([
  ["yes_no", yesNo, 1],
  ["choice", choice, 5],
  ["scale", scale, 3],
  ["multiple with max_points", several, 2],
  ["multiple without points", Question.parse(multiple([undefined, undefined])), 0],
  ["number with bands", banded, 3],
  ["number without bands", unbanded, 0],
  ["text", text, 0],
])("the most points of %s", (_, question, points) => {
  expect(maximumPoints(question)).toBe(points);
});

test("max_points of options without points are none", () => {
  const question = { ...several, options: options(undefined, 0) } as Question;
  expect(maximumPoints(question)).toBe(0);
  expect(weightOf(question)).toBe(0);
});

test.each<[string, Question, Parameters<typeof selectedOptions>[1], string[] | undefined, number | undefined]>([
  ["an option", choice, "o2", ["o2"], 5],
  ["an option without points", choice, "o0", ["o0"], 0],
  ["a place on a scale", scale, "o1", ["o1"], 2],
  ["an unknown option", choice, "o3", undefined, undefined],
  ["an unknown place", scale, "o3", undefined, undefined],
  ["two of several, up to max_points", several, ["o0", "o1"], ["o0", "o1"], 2],
  ["none of several", several, [], [], 0],
  ["one unknown of several", several, ["o0", "o3"], undefined, undefined],
  ["the same twice", several, ["o0", "o0"], undefined, undefined],
  ["one id instead of several", several, "o0", undefined, undefined],
  ["a number instead of several", several, 5, undefined, undefined],
  ["a number in a band without a lower limit", banded, -5, [], 2],
  ["a number in two bands", banded, 10, [], 2],
  ["a number in a band without an upper limit", banded, 99, [], 3],
  ["a number in no band", banded, 25, [], undefined],
  ["digits instead of a number", banded, "5", undefined, undefined],
  ["a number without bands", unbanded, 5, [], 0],
  ["text", text, "Friendly", [], 0],
  ["a number instead of text", text, 5, undefined, undefined],
])("%s", (_, question, value, selected, points) => {
  expect(selectedOptions(question, value)?.map(({ id }) => id)).toEqual(selected);
  expect(pointsFor(question, value)).toBe(points);
});

test("the first band that contains a value", () => {
  const bands = banded.type === "number" ? (banded.bands ?? []) : [];
  expect([10, 10.5, 20, 20.5, 30].map((value) => bandOf(bands, value)?.points)).toEqual([2, 1, 1, undefined, 3]);
});
