import { describe, expect, test } from "vitest";
import { Answers } from "./answers.ts";
import { checkAnswers } from "./check-answers.ts";
import { parseWith } from "./problem.ts";
import { choice, oneSection, yesNo } from "./testing/scorecard.ts";

const document = oneSection([
  yesNo("greeting", 4, { not_applicable: true }),
  choice("identity", 15, [], {
    options: [
      { id: "full", label: "Fully", points: 2 },
      { id: "partly", label: "Partly", points: 1, comment: "required" },
      { id: "no", label: "Not at all", points: 0, fails: "call" },
    ],
  }),
  {
    id: "missing_parts",
    title: "What was missing?",
    type: "multiple",
    options: ["birthday", "address"].map((id) => ({ id, label: id })),
    when: { question: "identity", is: ["partly", "no"] },
  },
  {
    id: "holds",
    title: "Holds",
    type: "number",
    weight: 1,
    bands: [
      { from: 0, to: 2, points: 1 },
      { from: 3, points: 0 },
    ],
  },
  { id: "summary", title: "Summary", type: "text" },
]);
const good: Answers = {
  greeting: { value: "yes" },
  identity: { value: "full" },
  holds: { value: 1 },
  summary: { value: "Refund" },
};
const codes = (answers: Answers, complete = true) =>
  checkAnswers(document, answers, { complete }).map(({ question, code }) => `${question} ${code}`);

test("complete answers have no problems", () => {
  expect(codes(good)).toEqual([]);
  expect(codes({ ...good, greeting: { not_applicable: true } })).toEqual([]);
});

test.each<[title: string, change: Answers, code: string]>([
  ["an unknown question", { colour: { value: "red" } }, "colour unknown_question"],
  ["text for yes_no", { greeting: { value: "maybe" } }, "greeting unknown_option"],
  ["a list for yes_no", { greeting: { value: ["yes"] } }, "greeting wrong_type"],
  ["a number for a choice", { identity: { value: 2 } }, "identity wrong_type"],
  ["an unknown option", { identity: { value: "half" } }, "identity unknown_option"],
  ["text for multiple", { missing_parts: { value: "address" } }, "missing_parts wrong_type"],
  ["an unknown option of multiple", { missing_parts: { value: ["address", "phone"] } }, "missing_parts unknown_option"],
  ["text for a number", { holds: { value: "two" } }, "holds wrong_type"],
  ["a number outside all bands", { holds: { value: 2.5 } }, "holds no_band"],
  ["a number for text", { summary: { value: 3 } }, "summary wrong_type"],
  ["N/A where it is not allowed", { identity: { not_applicable: true } }, "identity not_applicable_forbidden"],
])("reports %s, also while incomplete", (_, change, code) => {
  expect(codes({ ...good, ...change }, false)).toEqual([code]);
});

test("only complete answers need every visible question", () => {
  expect(codes({}, false)).toEqual([]);
  expect(codes({})).toEqual(["greeting missing", "identity missing", "holds missing", "summary missing"]);
  const partly = { ...good, identity: { value: "partly", comment: "No address" } };
  expect(codes(partly)).toEqual(["missing_parts missing"]);
  expect(codes({ ...partly, missing_parts: { value: [] } })).toEqual([]);
  expect(codes({ ...good, greeting: { comment: "Which one?" } })).toEqual(["greeting missing"]);
});

test("answers to hidden questions are allowed", () => {
  expect(codes({ ...good, missing_parts: { value: ["address"] } })).toEqual([]);
});

test("comments are required where the option says so, and for every answer that fails", () => {
  const answered = { ...good, missing_parts: { value: [] } };
  for (const value of ["partly", "no"]) {
    expect(codes({ ...answered, identity: { value } })).toEqual(["identity comment_required"]);
    expect(codes({ ...answered, identity: { value } }, false)).toEqual([]);
    expect(codes({ ...answered, identity: { value, comment: "Asked for the name only" } })).toEqual([]);
  }
});

test("messages name the question by its title", () => {
  expect(checkAnswers(document, { identity: { value: "half" } }, { complete: false })[0]?.message).toBe(
    '"Title of identity" has no option "half".',
  );
});

describe("schema", () => {
  const refuses = (answer: unknown) => !parseWith(Answers, { a: answer }).ok;
  test.each([
    ["value and N/A", { value: "yes", not_applicable: true }],
    ["N/A that is false", { not_applicable: false }],
    ["an infinite number", { value: Number.POSITIVE_INFINITY }],
    ["a huge number", { value: 1e10 }],
    ["an option twice", { value: ["a", "a"] }],
    ["a long comment", { value: "yes", comment: "x".repeat(4001) }],
    ["a blank comment", { value: "yes", comment: "  " }],
    ["a blank text", { value: " " }],
    ["21 moments", { value: "yes", moments: Array(21).fill({ start_ms: 0, end_ms: 1 }) }],
    ["a moment that ends before it starts", { value: "yes", moments: [{ start_ms: 2, end_ms: 1 }] }],
    ["an unknown member", { value: "yes", stars: 5 }],
    ["a value without its object", "yes"],
  ])("refuses %s", (_, answer) => expect(refuses(answer)).toBe(true));

  test("accepts comments and moments on a question that has no answer yet", () => {
    expect(refuses({ comment: "Listen again", moments: [{ start_ms: 1000, end_ms: 1000 }] })).toBe(false);
  });

  test("never reads __proto__ as a question, and refuses other ids that are not slugs", () => {
    expect(parseWith(Answers, JSON.parse('{"__proto__": {"value": "yes"}}'))).toEqual({ ok: true, value: {} });
    expect(parseWith(Answers, { "Not a slug": { value: "yes" } }).ok).toBe(false);
  });
});
