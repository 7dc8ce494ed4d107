import { Question } from "@hearback/scoring/question";
import { expect, test } from "vitest";
import { answerText, isSameAnswer } from "./answer-text.ts";

const words = {
  yes: "Yes",
  no: "No",
  notApplicable: "N/A",
  none: "No answer",
  noneOfThese: "None",
  number: (value: number) => `#${value}`,
};
const options = [
  { id: "a", label: "First" },
  { id: "b", label: "Second" },
];
const question = (type: string, more = {}) => Question.parse({ id: "q", title: "Q", type, ...more });

test.each([
  [question("yes_no"), { value: "yes" }, "Yes"],
  [question("yes_no"), { value: "no" }, "No"],
  [question("yes_no"), { not_applicable: true as const }, "N/A"],
  [question("yes_no"), { comment: "?" }, "No answer"],
  [question("yes_no"), null, "No answer"],
  [question("multiple", { options }), { value: [] }, "None"],
  [question("choice", { options }), { value: "b" }, "Second"],
  [question("choice", { options }), { value: "removed" }, "removed"],
  [question("multiple", { options }), { value: ["a", "b"] }, "First, Second"],
  [question("number"), { value: 0 }, "#0"],
  [question("text"), { value: "yes" }, "yes"],
])("%j answered with %j reads %s", (asked, answer, text) => {
  expect(answerText(asked, answer, words)).toBe(text);
});

test("answers are compared without comments and without order", () => {
  expect(isSameAnswer({ value: "yes", comment: "At 0:04." }, { value: "yes" })).toBe(true);
  expect(isSameAnswer({ value: ["b", "a"] }, { value: ["a", "b"] })).toBe(true);
  expect(isSameAnswer({ value: "no" }, { value: "yes" })).toBe(false);
  expect(isSameAnswer({ value: 0 }, {})).toBe(false);
  expect(isSameAnswer({ not_applicable: true }, undefined)).toBe(false);
});
