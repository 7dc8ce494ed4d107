import { Question } from "@hearback/scoring/question";
import { expect, test } from "vitest";
import { answerByDigit } from "./answer-by-digit.ts";

const question = (rest: object) => Question.parse({ id: "q", title: "Q", ...rest });
const options = ["a", "b", "c"].map((id) => ({ id, label: id, points: 1 }));

test("a digit chooses an option and keeps the comment", () => {
  const yesNo = question({ type: "yes_no", weight: 1 });
  expect(answerByDigit(yesNo, { comment: "C" }, 1)).toEqual({ comment: "C", value: "yes" });
  expect(answerByDigit(yesNo, { not_applicable: true }, 2)).toEqual({ value: "no" });
  expect(answerByDigit(yesNo, {}, 3)).toBeUndefined();
  expect(answerByDigit(question({ type: "choice", weight: 1, options }), {}, 3)).toEqual({ value: "c" });
});

test("digits toggle the options of a multiple choice, in the order of the form", () => {
  const multiple = question({ type: "multiple", weight: 1, options });
  expect(answerByDigit(multiple, { value: ["c"] }, 1)).toEqual({ value: ["a", "c"] });
  expect(answerByDigit(multiple, { value: ["c"] }, 3)).toEqual({});
  // The choice after the options: none of these.
  expect(answerByDigit(multiple, { value: ["c"], comment: "C" }, 4)).toEqual({ value: [], comment: "C" });
  expect(answerByDigit(multiple, {}, 5)).toBeUndefined();
});

test("a digit starts a number; text questions have no digits", () => {
  expect(answerByDigit(question({ type: "number" }), {}, 7)).toEqual({ value: 7 });
  expect(answerByDigit(question({ type: "text" }), {}, 7)).toBeUndefined();
});
