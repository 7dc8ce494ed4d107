import { expect, test } from "vitest";
import type { Answer, Answers } from "./answers.ts";
import { choice, oneSection, yesNo } from "./testing/scorecard.ts";
import { visibleQuestions } from "./visibility.ts";

const is = (question: string, ...values: string[]) => ({ question, is: values });
const multiple = {
  id: "m",
  title: "M",
  type: "multiple" as const,
  options: ["x", "y"].map((id) => ({ id, label: id })),
};

const cases: [title: string, when: object, answers: Record<string, Answer>, visible: boolean][] = [
  ["the value", is("a", "no"), { a: { value: "no" } }, true],
  ["another value", is("a", "no"), { a: { value: "yes" } }, false],
  ["one of several values", is("c", "p0", "p1"), { c: { value: "p1" } }, true],
  ["unanswered", is("a", "no"), {}, false],
  ["not applicable", is("a", "no"), { a: { not_applicable: true } }, false],
  ["only a comment", is("a", "no"), { a: { comment: "Hm" } }, false],
  ["one option selected", is("m", "x"), { m: { value: ["y", "x"] } }, true],
  ["other options selected", is("m", "x"), { m: { value: ["y"] } }, false],
  ["nothing selected", is("m", "x"), { m: { value: [] } }, false],
  ["an invalid answer", is("c", "p0"), { c: { value: ["p0"] } }, false],
  ["an unknown question", is("nobody", "yes"), {}, false],
  ["a later question", is("later", "yes"), { later: { value: "yes" } }, false],
  ["itself", is("dependent", "yes"), { dependent: { value: "yes" } }, false],
  ["all true", { all: [is("a", "no"), is("c", "p0")] }, { a: { value: "no" }, c: { value: "p0" } }, true],
  ["not all true", { all: [is("a", "no"), is("c", "p0")] }, { a: { value: "no" } }, false],
  ["any true", { any: [is("a", "no"), is("c", "p0")] }, { c: { value: "p0" } }, true],
  ["any in all", { all: [is("a", "no"), { any: [is("c", "p0"), is("m", "x")] }] }, { a: { value: "no" } }, false],
];

test.each(cases)("condition: %s", (_, when, answers, expected) => {
  const document = oneSection([
    yesNo("a", 1),
    choice("c", 1, [0, 1, 2]),
    multiple,
    yesNo("dependent", 1, { when }),
    yesNo("later", 1),
  ]);
  expect(visibleQuestions(document, answers).has("dependent")).toBe(expected);
});

test("a condition on a hidden question is false, whatever its answer", () => {
  const document = oneSection([
    yesNo("a", 1),
    yesNo("b", 1, { when: is("a", "no") }),
    yesNo("c", 1, { when: is("b", "yes") }),
  ]);
  const answers: Answers = { a: { value: "yes" }, b: { value: "yes" } };
  expect([...visibleQuestions(document, answers)]).toEqual(["a"]);
  expect([...visibleQuestions(document, { ...answers, a: { value: "no" } })]).toEqual(["a", "b", "c"]);
});
