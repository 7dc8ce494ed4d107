import { describe, expect, test } from "vitest";
import type { Answer, Answers } from "./answers.ts";
import type { ScorecardDocument } from "./document.ts";
import { calculateResult } from "./formula.ts";
import { Result } from "./result.ts";
import { choice, oneSection, scorecard, yesNo } from "./testing/scorecard.ts";

const score = (document: ScorecardDocument, answers: Answers) => calculateResult(document, answers);
const yes = { value: "yes" };
const no = { value: "no" };
const notApplicable = { not_applicable: true } as const;
const optional = { not_applicable: true };

describe("score", () => {
  const form = (settings: object = {}) =>
    scorecard(
      [
        { id: "one", title: "One", questions: [yesNo("a", 30, optional), yesNo("b", 10, optional)] },
        { id: "two", title: "Two", questions: [choice("c", 60, [0, 1, 2], optional)] },
      ],
      settings,
    );
  const spread = { not_applicable: "spreads_over_form" };
  const cases: [title: string, settings: object, answers: Record<string, Answer>, score: number | null][] = [
    ["everything right", {}, { a: yes, b: yes, c: { value: "p2" } }, 10_000],
    ["everything wrong", {}, { a: no, b: no, c: { value: "p0" } }, 0],
    ["half the points of a question", {}, { a: yes, b: no, c: { value: "p1" } }, 6_000],
    ["N/A stays in the section", {}, { a: notApplicable, b: no, c: { value: "p2" } }, 6_000],
    ["N/A spreads over the form", spread, { a: notApplicable, b: no, c: { value: "p2" } }, 8_571],
    ["a whole section N/A", {}, { a: yes, b: no, c: notApplicable }, 7_500],
    ["everything N/A", {}, { a: notApplicable, b: notApplicable, c: notApplicable }, null],
    ["no answers yet", {}, {}, null],
    ["unanswered is not applicable yet", {}, { a: yes }, 10_000],
    ["an unknown option is no answer", {}, { a: yes, b: { value: "maybe" } }, 10_000],
    ["a comment is no answer", {}, { a: yes, b: { comment: "Listen again" } }, 10_000],
  ];
  test.each(cases)("%s", (_, settings, answers, expected) => {
    expect(score(form(settings), answers).score).toBe(expected);
  });

  test("section weights replace the sums of question weights", () => {
    const document = scorecard([
      { id: "one", title: "One", weight: 20, questions: [yesNo("a", 1), yesNo("b", 1)] },
      { id: "two", title: "Two", weight: 80, questions: [yesNo("c", 5)] },
    ]);
    expect(score(document, { a: yes, b: no, c: no }).score).toBe(1_000);
    expect(score(document, { a: no, b: no, c: yes }).score).toBe(8_000);
  });

  test("a section of weight 0 does not count; if nothing else is answered, nothing is scored", () => {
    const document = scorecard([
      { id: "one", title: "One", weight: 0, questions: [yesNo("a", 1)] },
      { id: "two", title: "Two", questions: [yesNo("b", 1)] },
    ]);
    expect(score(document, { a: no, b: yes }).score).toBe(10_000);
    expect(score(document, { a: yes })).toMatchObject({ score: null, outcome: "not_scored" });
    expect(score(document, { a: yes }).sections[0]).toMatchObject({ score: 10_000, weight: 0, applied_weight: 0 });
  });

  test.each([
    // 1/32 is 3.125 %, 3/32 is 9.375 %: exactly between two hundredths.
    [1, 313],
    [3, 938],
    [31, 9_688],
  ])("%i of 32 points is rounded half up to %i", (points, expected) => {
    const document = oneSection([choice("a", 1, [0, points, 32])]);
    expect(score(document, { a: { value: `p${points}` } }).score).toBe(expected);
  });

  test("is exact where floating point is not", () => {
    // 0.1 + 0.2 style sums: 3 of 150 equal questions is 2 %, every time.
    const questions = Array.from({ length: 150 }, (_, index) => choice(`q${index}`, 7, [0, 3, 7]));
    const answers = Object.fromEntries(questions.map(({ id }, index) => [id, { value: index < 3 ? "p7" : "p0" }]));
    expect(score(oneSection(questions), answers).score).toBe(200);
  });
});

describe("points", () => {
  const multiple = (more: object) => ({
    id: "a",
    title: "A",
    type: "multiple" as const,
    weight: 10,
    options: [
      { id: "x", label: "X", points: 3 },
      { id: "y", label: "Y", points: 2 },
      { id: "z", label: "Z" },
    ],
    ...more,
  });
  test.each([
    ["nothing selected", {}, [], 0],
    ["points add up", {}, ["x", "z"], 6_000],
    ["everything selected", {}, ["x", "y", "z"], 10_000],
    ["capped at max_points", { max_points: 4 }, ["x", "y"], 10_000],
    ["of max_points", { max_points: 4 }, ["x"], 7_500],
  ])("multiple: %s", (_, more, value, expected) => {
    expect(score(oneSection([multiple(more)]), { a: { value } }).score).toBe(expected);
  });

  test.each([
    [0, 10_000],
    [30, 10_000],
    [30.5, 5_000],
    [60, 5_000],
    [90, 0],
    [-1, null],
  ])("number %d: the first band that contains it", (value, expected) => {
    const bands = [
      { from: 0, to: 30, points: 2 },
      { from: 30, to: 60, points: 1 },
      { from: 60, points: 0 },
    ];
    const document = oneSection([{ id: "a", title: "A", type: "number", weight: 1, bands }]);
    expect(score(document, { a: { value } }).score).toBe(expected);
  });
});

describe("failing", () => {
  const form = (settings: object = {}) =>
    scorecard(
      [
        { id: "one", title: "One", questions: [yesNo("a", 40, { no: { fails: "section" } }), yesNo("b", 10)] },
        { id: "two", title: "Two", questions: [yesNo("c", 50, { no: { fails: "call" } })] },
      ],
      settings,
    );

  test("an answer that fails the call makes the score 0", () => {
    expect(score(form(), { a: yes, b: yes, c: no })).toMatchObject({
      score: 0,
      score_before_fail: 5_000,
      lost_by_fail: 5_000,
      outcome: "failed",
      failed_by: [{ question: "c", section: "two", option: "no", scope: "call" }],
    });
  });

  test("with keeps_score, only the outcome is failed", () => {
    const document = form({ fail: "keeps_score", passing_score: 50 });
    expect(score(document, { a: yes, b: yes, c: no })).toMatchObject({
      score: 5_000,
      outcome: "failed",
      lost_by_fail: 0,
    });
  });

  test("an answer that fails the call does not fail its section", () => {
    const questions = [yesNo("a", 1, { no: { fails: "call" } }), yesNo("b", 1)];
    const result = score(oneSection(questions, { fail: "keeps_score" }), { a: no, b: yes });
    expect(result).toMatchObject({ score: 5_000, outcome: "failed", lost_by_fail: 0 });
    expect(result.sections[0]).toMatchObject({ score: 5_000, failed: false });
  });

  test("a section that fails without scored questions has no score", () => {
    const unscored = { id: "a", title: "A", type: "yes_no" as const, no: { fails: "section" as const } };
    const result = score(oneSection([unscored]), { a: no });
    expect(result).toMatchObject({ score: null, lost_by_fail: 0, outcome: "not_scored" });
    expect(result.sections[0]).toMatchObject({ score: null, score_before_fail: null, failed: true });
  });

  test("an answer that fails the section makes it count 0", () => {
    const result = score(form(), { a: no, b: yes, c: yes });
    expect(result).toMatchObject({ score: 5_000, score_before_fail: 6_000, lost_by_fail: 1_000, outcome: "failed" });
    expect(result.sections[0]).toMatchObject({ score: 0, score_before_fail: 2_000, failed: true });
  });

  test("hidden, N/A and unanswered questions fail nothing", () => {
    const condition = { when: { question: "a", is: ["yes"] }, no: { fails: "call" } };
    const document = oneSection([yesNo("a", 1, optional), yesNo("b", 1, { ...condition, ...optional })]);
    expect(score(document, { a: no, b: no }).failed_by).toEqual([]);
    expect(score(document, { a: yes, b: notApplicable }).failed_by).toEqual([]);
    expect(score(document, { a: yes, b: no }).failed_by).toHaveLength(1);
  });

  test("an unscored question can fail the call, even if nothing is scored", () => {
    const document = oneSection([{ id: "a", title: "A", type: "yes_no", yes: { fails: "call" } }]);
    expect(score(document, { a: yes })).toMatchObject({
      score: 0,
      score_before_fail: null,
      lost_by_fail: 10_000,
      outcome: "failed",
    });
    expect(score(document, { a: no })).toMatchObject({ score: null, outcome: "not_scored" });
  });
});

test("a question without a valid answer is unanswered", () => {
  const document = oneSection([yesNo("a", 1), yesNo("b", 1), yesNo("c", 1)]);
  const { questions } = score(document, { a: yes, b: { value: "maybe" } });
  expect(questions.map(({ cause, points }) => [cause, points])).toEqual([
    [null, 1],
    ["unanswered", null],
    ["unanswered", null],
  ]);
});

test("passing compares the rounded score", () => {
  // 800.76 of 1001 is 79.996 %.
  const document = oneSection([choice("a", 1000, [0, 4, 5]), choice("b", 1, [0, 19, 25])], { passing_score: 80 });
  expect(score(document, { a: { value: "p4" }, b: { value: "p19" } })).toMatchObject({
    score: 8_000,
    outcome: "passed",
  });
  expect(score(document, { a: { value: "p4" }, b: { value: "p0" } })).toMatchObject({
    score: 7_992,
    outcome: "failed",
  });
});

test("the result explains every question", () => {
  const document = scorecard([
    {
      id: "one",
      title: "One",
      questions: [
        yesNo("a", 1, { tags: ["compliance"] }),
        yesNo("b", 1, { ...optional, tags: ["compliance", "tone"] }),
        yesNo("c", 1),
        { id: "note", title: "Note", type: "text" },
        yesNo("d", 1, { when: { question: "a", is: ["no"] } }),
      ],
    },
    { id: "two", title: "Two", questions: [choice("e", 2, [0, 1, 2])] },
  ]);
  const answers = { a: yes, b: notApplicable, c: no, note: { value: "Friendly" }, d: yes, e: { value: "p1" } };
  const result = score(document, answers);
  expect(Result.parse(result)).toEqual(result);
  expect(result).toEqual({
    formula: "hearback/1",
    score: 5_000,
    score_before_fail: 5_000,
    lost_by_fail: 0,
    outcome: "failed",
    failed_by: [],
    sections: [
      {
        section: "one",
        score: 5_000,
        score_before_fail: 5_000,
        failed: false,
        points: 1,
        maximum: 2,
        weight: 4,
        applied_weight: 6_667,
      },
      {
        section: "two",
        score: 5_000,
        score_before_fail: 5_000,
        failed: false,
        points: 1,
        maximum: 2,
        weight: 2,
        applied_weight: 3_333,
      },
    ],
    questions: [
      { question: "a", section: "one", points: 1, maximum: 1, weight: 1, applied_weight: 3_334, lost: 0, cause: null },
      {
        question: "b",
        section: "one",
        points: null,
        maximum: 1,
        weight: 1,
        applied_weight: 0,
        lost: 0,
        cause: "marked",
      },
      {
        question: "c",
        section: "one",
        points: 0,
        maximum: 1,
        weight: 1,
        applied_weight: 3_333,
        lost: 3_333,
        cause: null,
      },
      {
        question: "note",
        section: "one",
        points: null,
        maximum: 0,
        weight: 0,
        applied_weight: 0,
        lost: 0,
        cause: "unscored",
      },
      {
        question: "d",
        section: "one",
        points: null,
        maximum: 1,
        weight: 1,
        applied_weight: 0,
        lost: 0,
        cause: "hidden",
      },
      {
        question: "e",
        section: "two",
        points: 1,
        maximum: 2,
        weight: 2,
        applied_weight: 3_333,
        lost: 1_667,
        cause: null,
      },
    ],
    tags: [
      { tag: "compliance", score: 10_000, applied_weight: 3_334 },
      { tag: "tone", score: null, applied_weight: 0 },
    ],
  });
});
