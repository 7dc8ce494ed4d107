import { describe, expect, test } from "vitest";
import type { Answers } from "./answers.ts";
import type { ScorecardDocument } from "./document.ts";
import { calculateResult } from "./formula.ts";
import { importAmazonConnect } from "./import-amazon-connect.ts";
import { lint } from "./lint.ts";

const options = [10, 5, 0].map((Score, index) => ({ RefId: `A${index + 1}`, Text: `Answer ${index + 1}`, Score }));
const question = (RefId: string, more: object = {}) => ({
  Question: {
    RefId,
    Title: `Question ${RefId}`,
    QuestionType: "SINGLESELECT",
    NotApplicableEnabled: true,
    QuestionTypeProperties: { SingleSelect: { Options: options, DisplayAs: "RADIO" } },
    ...more,
  },
});
const section = (RefId: string, Items: object[], more: object = {}) => ({
  Section: { RefId, Title: `Section ${RefId}`, Items, ...more },
});
const form = (Items: object[], Mode = "QUESTION_ONLY") => ({
  Title: "Compliance",
  Items,
  ScoringStrategy: { Mode, Status: "ENABLED" },
});

function imported(input: unknown) {
  const result = importAmazonConnect(input);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const reported = result.notes.filter(({ what }) => !what.includes("passing score"));
  return {
    document: result.document,
    notes: reported.map(({ where, what, instead }) => `${where}: ${what} ${instead}`),
  };
}
const questionsOf = (document: ScorecardDocument) => document.sections.flatMap(({ questions }) => questions);
const scoreOf = (document: ScorecardDocument, answers: Answers) => calculateResult(document, answers);

// https://docs.aws.amazon.com/connect/latest/adminguide/about-scoring-and-weights.html
describe("the example of Amazon Connect's documentation", () => {
  const weights: Record<string, number> = { Q1: 40, Q2: 20, Q3: 20, Q4: 20 };
  const questions = Object.entries(weights).map(([id, Weight]) => question(id, { Weight }));
  const { document, notes } = imported(form([section("S1", questions)]));
  const answers: Answers = { q1: { value: "a1" }, q2: { value: "a2" }, q3: { value: "a2" }, q4: { value: "a3" } };
  const applied = (given: Answers) => scoreOf(document, given).questions.map(({ applied_weight }) => applied_weight);

  test("is converted without loss", () => {
    expect(notes).toEqual([]);
    expect(lint(document)).toEqual([]);
  });

  test("gives 60 %", () => {
    expect(applied(answers)).toEqual([4_000, 2_000, 2_000, 2_000]);
    expect(scoreOf(document, answers).score).toBe(6_000);
  });

  test("with the fourth question not applicable, weights are 50/25/25 and the score 75 %", () => {
    const given: Answers = { ...answers, q4: { not_applicable: true } };
    expect(applied(given)).toEqual([5_000, 2_500, 2_500, 0]);
    expect(scoreOf(document, given).score).toBe(7_500);
  });
});

test("the response of DescribeEvaluationForm is accepted as well", () => {
  const { document } = imported({ EvaluationForm: form([section("S1", [question("Q1", { Weight: 100 })])]) });
  expect(document).toMatchObject({
    name: "Compliance",
    sections: [{ id: "s1", questions: [{ id: "q1", weight: 100 }] }],
  });
});

describe("weights", () => {
  const weightsOf = (input: unknown) =>
    questionsOf(imported(input).document).map((each) => "weight" in each && each.weight);

  test("with decimals are scaled exactly", () => {
    const input = form([
      section(
        "S",
        [33.4, 33.3, 33.3].map((Weight, i) => question(`Q${i}`, { Weight })),
      ),
    ]);
    expect(weightsOf(input)).toEqual([334, 333, 333]);
    expect(imported(input).notes).toEqual([": Weights have decimals. They are integers in the same proportion."]);
  });

  test("that need more than 1000 are rounded and reported", () => {
    const input = form([
      section(
        "S",
        [66.667, 33.333].map((Weight, i) => question(`Q${i}`, { Weight })),
      ),
    ]);
    expect(weightsOf(input)).toEqual([1000, 500]);
    expect(imported(input).notes[0]).toMatch("rounded");
  });

  test("by section are divided among the scored questions of the section", () => {
    const text = question("T", { QuestionType: "TEXT", QuestionTypeProperties: undefined });
    const input = form(
      [
        section("S1", [question("Q1"), question("Q2"), question("Q3"), text], { Weight: 50 }),
        section("S2", [question("Q4")], { Weight: 50 }),
      ],
      "SECTION_ONLY",
    );
    expect(weightsOf(input)).toEqual([1, 1, 1, false, 3]);
  });

  test("are left out without scoring", () => {
    const input = { ...form([section("S", [question("Q1", { Weight: 100 })])]), ScoringStrategy: undefined };
    expect(questionsOf(imported(input).document)[0]).not.toHaveProperty("weight");
  });

  test("of an unknown mode are left out and reported", () => {
    expect(imported(form([section("S", [question("Q1")])], "POINTS_BASED")).notes).toEqual([
      "/ScoringStrategy/Mode: The mode POINTS_BASED has no equivalent. Questions have no weights: set them.",
    ]);
  });
});

describe("questions", () => {
  const convert = (more: object, others: object[] = []) => {
    const { document, notes } = imported(
      form([section("S1", [...others, question("Q", { Weight: 1, ...more })]), section("S2", [])]),
    );
    return { question: questionsOf(document).at(-1), notes };
  };
  const first = "/Items/0/Section/Items/0/Question";

  test("automatic fail of the form and of its own section", () => {
    const Options = [
      { RefId: "A", Text: "A", Score: 10 },
      { RefId: "B", Text: "B", Score: 0, AutomaticFail: true },
      { RefId: "C", Text: "C", Score: 0, AutomaticFail: true, AutomaticFailConfiguration: { TargetSection: "S1" } },
      { RefId: "D", Text: "D", Score: 0, AutomaticFail: true, AutomaticFailConfiguration: { TargetSection: "S2" } },
    ];
    const { question: converted, notes } = convert({ QuestionTypeProperties: { SingleSelect: { Options } } });
    expect(converted).toMatchObject({ options: [{}, { fails: "call" }, { fails: "section" }, {}] });
    expect(notes).toEqual([`${first}: An answer fails another section. It fails nothing.`]);
  });

  test("numbers become bands, or options if a range fails", () => {
    const Options = [
      { MinValue: 0, MaxValue: 5, Score: 10 },
      { MinValue: 6, MaxValue: 10, Score: 0 },
    ];
    const numeric = (ranges: object[]) => ({
      QuestionType: "NUMERIC",
      QuestionTypeProperties: { Numeric: { MinValue: 0, MaxValue: 10, Options: ranges } },
    });
    expect(convert(numeric(Options)).question).toMatchObject({
      type: "number",
      bands: [
        { from: 0, to: 5, points: 10 },
        { from: 6, to: 10, points: 0 },
      ],
    });
    const failing = convert(numeric(Options.map((each, index) => ({ ...each, AutomaticFail: index === 1 }))));
    expect(failing.question).toMatchObject({ type: "choice", options: [{ label: "0 – 5" }, { fails: "call" }] });
    expect(failing.notes).toHaveLength(1);
  });

  test("automation, dates and long titles are reported", () => {
    const properties = { SingleSelect: { Options: options, Automation: { Options: [] } } };
    expect(convert({ QuestionTypeProperties: properties }).notes[0]).toMatch("Automatic answers");
    expect(convert({ QuestionType: "DATETIME" }).question).toMatchObject({ type: "text" });
    const long = convert({ Title: "x".repeat(350) });
    expect(long.question?.title).toHaveLength(300);
    expect(long.notes).toEqual([`${first}/Title: The text has more than 300 characters. It was cut.`]);
  });

  const enable = (Comparator: string, values: string[], more: object = {}) => ({
    Enablement: {
      Action: "ENABLE",
      DefaultAction: "DISABLE",
      Condition: {
        Operands: [
          {
            Expression: {
              Source: { Type: "QUESTION_REF_ID", RefId: "Q1" },
              Values: values.map((RefId) => ({ Type: "OPTION_REF_ID", RefId })),
              Comparator,
            },
          },
        ],
      },
      ...more,
    },
  });
  test.each([
    ["IN", enable("IN", ["A1", "A2"]), { question: "q1", is: ["a1", "a2"] }],
    ["NOT_IN", enable("NOT_IN", ["A1"]), { question: "q1", is: ["a2", "a3"] }],
    [
      "DISABLE",
      enable("IN", ["A1"], { Action: "DISABLE", DefaultAction: "ENABLE" }),
      { question: "q1", is: ["a2", "a3"] },
    ],
    ["an unknown option", enable("IN", ["A9"]), undefined],
  ])("condition: %s", (_, enablement, when) => {
    expect(convert(enablement, [question("Q1", { Weight: 1 })]).question?.when).toEqual(when);
  });

  test("a condition on a later question is left out and reported", () => {
    const { document, notes } = imported(form([section("S", [question("Q0", enable("IN", ["A1"])), question("Q1")])]));
    expect(questionsOf(document)[0]?.when).toBeUndefined();
    expect(notes).toEqual([`${first}/Enablement: The condition has no equivalent. The question is always visible.`]);
  });
});

test("sections within sections and instructions of sections", () => {
  const inner = section("S2", [question("Q2", { Instructions: "Listen." })], { Title: "Inner" });
  const { document, notes } = imported(
    form([section("S1", [inner, question("Q3")], { Instructions: "Be fair." }), question("Q4")]),
  );
  expect(document.sections.map(({ id, questions }) => [id, questions.map((each) => each.id)])).toEqual([
    ["general", ["q4"]],
    ["s1", ["q2", "q3"]],
  ]);
  expect(document.sections[1]?.questions[0]?.guidance).toBe("Be fair.\n\nListen.");
  expect(notes).toHaveLength(3);
});

test("what is no form is refused with problems", () => {
  expect(importAmazonConnect({ Items: [{ Section: { RefId: 1 } }] })).toEqual({
    ok: false,
    problems: expect.arrayContaining([
      { path: "/Title", code: "missing", message: '"Title" is missing.', fix: "Add it: it must be text." },
      expect.objectContaining({ path: "/Items/0/Section/RefId", message: '"RefId" must be text.' }),
    ]),
  });
});
