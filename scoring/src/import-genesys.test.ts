import { describe, expect, test } from "vitest";
import type { Answers } from "./answers.ts";
import type { ScorecardDocument } from "./document.ts";
import { calculateResult } from "./formula.ts";
import { importGenesys } from "./import-genesys.ts";

const answers = (...values: number[]) =>
  values.map((value, index) => ({ text: ["Yes", "No", "Partly"][index], value }));
const question = (text: string, more: object = {}) => ({
  text,
  type: "multipleChoiceQuestion",
  answerOptions: answers(1, 0),
  ...more,
});
const group = (name: string, weight: number, questions: object[], more: object = {}) => ({
  name,
  weight,
  questions,
  ...more,
});

function imported(...questionGroups: object[]) {
  const result = importGenesys({ name: "Agent evaluation", published: true, questionGroups });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const notes = result.notes
    .filter(({ what }) => !what.includes("passing score"))
    .map(({ where, what }) => `${where}: ${what}`);
  return {
    document: result.document,
    notes,
    questions: result.document.sections.flatMap(({ questions }) => questions),
  };
}
const scoreOf = (document: ScorecardDocument, given: Answers) => calculateResult(document, given).score;

// https://help.mypurecloud.com/?p=144862
describe("the example of Genesys' documentation", () => {
  const { document, notes } = imported(
    group("Group 1", 40, [
      question("Question 1.1", { naEnabled: true }),
      question("Question 1.2", { naEnabled: true }),
    ]),
    group("Group 2", 20, [question("Question 2.1")]),
  );
  const given: Answers = {
    question_1_1: { value: "yes" },
    question_1_2: { value: "no" },
    question_2_1: { value: "yes" },
  };

  test("gives 60 %", () => {
    expect(notes).toEqual([]);
    expect(scoreOf(document, given)).toBe(6_000);
  });

  test("questions that are not applicable have no possible points", () => {
    expect(scoreOf(document, { ...given, question_1_2: { not_applicable: true } })).toBe(10_000);
  });
});

test("the weight of a question is its maximum times the weight of its group", () => {
  const { questions } = imported(
    group("A", 2, [
      question("a", { answerOptions: answers(5, 0) }),
      question("b", { answerOptions: answers(10, 0, 5) }),
    ]),
    group("B", 1, [question("c", { answerOptions: answers(1, 0) })]),
  );
  expect(questions.map((each) => "weight" in each && each.weight)).toEqual([10, 20, 1]);
});

test("group weights with decimals are scaled exactly", () => {
  const { questions, notes } = imported(group("A", 1.5, [question("a")]), group("B", 1, [question("b")]));
  expect(questions.map((each) => "weight" in each && each.weight)).toEqual([3, 2]);
  expect(notes).toHaveLength(1);
});

test("fatal, critical and commented questions", () => {
  const { questions, notes } = imported(
    group("A", 1, [question("a", { isKill: true, isCritical: true, commentsRequired: true, helpText: "Listen." })]),
  );
  expect(questions[0]).toMatchObject({
    guidance: "Listen.",
    tags: ["critical"],
    options: [
      { id: "yes", points: 1, comment: "required" },
      { id: "no", points: 0, fails: "call", comment: "required" },
    ],
  });
  expect(questions[0]).not.toHaveProperty("options.0.fails");
  expect(notes).toEqual([": The critical score has no equivalent."]);
});

test("default answers, N/A of groups and other types are reported", () => {
  const { questions, notes } = imported(
    group(
      "A",
      1,
      [
        question("a"),
        question("b", { type: "freeTextQuestion", answerOptions: undefined }),
        question("c", { type: "npsQuestion", answerOptions: undefined }),
        question("d", { type: "readOnlyTextBlockQuestion", answerOptions: undefined }),
        question("e", { answerOptions: answers(-1, 2) }),
      ],
      { naEnabled: true, defaultAnswersToHighest: true },
    ),
  );
  expect(questions.map(({ id, type, not_applicable }) => [id, type, not_applicable])).toEqual([
    ["a", "choice", true],
    ["b", "text", true],
    ["c", "number", true],
    ["e", "choice", true],
  ]);
  expect(notes).toEqual([
    "/questionGroups/0: Default answers have no equivalent.",
    "/questionGroups/0/naEnabled: A section cannot be not applicable as a whole.",
    "/questionGroups/0/questions/2: Questions of type npsQuestion have no equivalent.",
    "/questionGroups/0/questions/3: Text blocks have no equivalent.",
    "/questionGroups/0/questions/4: Negative points have no equivalent.",
  ]);
});

describe("multiple select", () => {
  const option = (text: string, selected: number, unselected: number) => ({
    text,
    answerOptions: [
      { builtInType: "Unselected", value: unselected },
      { builtInType: "Selected", value: selected },
    ],
  });
  const select = (...options: object[]) =>
    question("Which?", { type: "multipleSelectQuestion", answerOptions: [], multipleSelectOptionQuestions: options });

  test("points for selected options add up", () => {
    const { document, notes } = imported(group("A", 3, [select(option("x", 2, 0), option("y", 1, 0))]));
    expect(document.sections[0]?.questions[0]).toMatchObject({ type: "multiple", weight: 9 });
    expect(notes).toEqual([]);
    expect(scoreOf(document, { which: { value: ["x"] } })).toBe(6_667);
  });

  test("points for options that are not selected make questions of their own", () => {
    const { document, questions, notes } = imported(group("A", 1, [select(option("x", 0, 1), option("y", 1, 0))]));
    expect(questions.map(({ id, type }) => [id, type])).toEqual([
      ["which_x", "choice"],
      ["which_y", "choice"],
    ]);
    expect(scoreOf(document, { which_x: { value: "unselected" }, which_y: { value: "unselected" } })).toBe(5_000);
    expect(notes).toHaveLength(1);
  });
});

describe("visibility", () => {
  const visible = (combiningOperation: string, ...predicates: string[]) => ({
    visibilityCondition: { combiningOperation, predicates },
  });
  const whenOf = (condition: object, ofGroup: object = {}) =>
    imported(
      group("A", 1, [question("a"), question("b")]),
      group("B", 1, [question("c"), question("d", condition)], ofGroup),
    );

  test.each([
    ["one answer", visible("AND", "/form/questionGroup/0/question/0/answer/1"), { question: "a", is: ["no"] }],
    ["an answer of the same group", visible("AND", "../question/0/answer/0"), { question: "c", is: ["yes"] }],
    [
      "answers of one question",
      visible("OR", "/form/questionGroup/0/question/0/answer/0", "/form/questionGroup/0/question/0/answer/1"),
      { question: "a", is: ["yes", "no"] },
    ],
    [
      "all of several answers",
      visible("AND", "/form/questionGroup/0/question/0/answer/0", "/form/questionGroup/0/question/1/answer/1"),
      {
        all: [
          { question: "a", is: ["yes"] },
          { question: "b", is: ["no"] },
        ],
      },
    ],
  ])("depends on %s", (_, condition, when) => {
    expect(whenOf(condition).questions.at(-1)?.when).toEqual(when);
  });

  test("of a group applies to each of its questions", () => {
    const { questions } = whenOf(
      visible("AND", "../question/0/answer/0"),
      visible("OR", "/form/questionGroup/0/question/1/answer/1"),
    );
    expect(questions[2]?.when).toEqual({ question: "b", is: ["no"] });
    expect(questions[3]?.when).toEqual({
      all: [
        { question: "b", is: ["no"] },
        { question: "c", is: ["yes"] },
      ],
    });
  });

  test("that depends on a later question is left out and reported", () => {
    const { questions, notes } = whenOf(visible("AND", "/form/questionGroup/7/question/0/answer/1"));
    expect(questions.at(-1)?.when).toBeUndefined();
    expect(notes).toEqual(["/questionGroups/1/questions/1/visibilityCondition: The condition has no equivalent."]);
  });
});

test("what is no form is refused with problems", () => {
  expect(importGenesys([])).toMatchObject({ ok: false });
  expect(importGenesys({ name: "A", questionGroups: [{ name: "B", questions: [{ text: 1 }] }] })).toMatchObject({
    ok: false,
    problems: [{ path: "/questionGroups/0/questions/0/text", message: '"text" must be text.' }],
  });
});
