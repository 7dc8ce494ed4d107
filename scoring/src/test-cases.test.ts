import { expect, test } from "vitest";
import { parseTestCases, runTestCases, type TestCases } from "./test-cases.ts";
import { choice, oneSection, yesNo } from "./testing/scorecard.ts";

const document = oneSection([
  yesNo("greeting", 25),
  choice("identity", 75, [0, 1, 3], {
    options: [
      { id: "full", label: "Fully", points: 3 },
      { id: "no", label: "No", points: 0, fails: "call" },
      { id: "partly", label: "Partly", points: 1 },
    ],
  }),
]);
const answers = { greeting: { value: "yes" }, identity: { value: "partly" } };

const run = (expected: object, given: object = answers) => {
  const parsed = parseTestCases({
    format: "hearback.scorecard-tests/1",
    cases: [{ name: "A case", answers: given, expect: expected }],
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return runTestCases(document, parsed.value)[0]?.failures;
};

test.each([
  ["the score and outcome", { score: 50, outcome: "failed" }, answers],
  ["incomplete answers", { score: 100, outcome: "passed" }, { greeting: { value: "yes" } }],
  ["a score before failing", { score: 0, score_before_fail: 25 }, { ...answers, identity: { value: "no" } }],
  ["no score", { score: null, outcome: "not_scored" }, {}],
])("passes with %s", (_, expected, given) => {
  expect(run(expected, given)).toEqual([]);
});

test("says what differs", () => {
  expect(run({ score: 87.35, outcome: "passed" })).toEqual([
    "score is 50, not 87.35.",
    "outcome is failed, not passed.",
  ]);
  expect(run({ score: 50 }, {})).toEqual(["score is null, not 50."]);
});

test("answers that do not fit the scorecard fail the case", () => {
  expect(run({ score: 50 }, { ...answers, farewell: { value: "yes" } })).toEqual([
    'The scorecard has no question "farewell". Remove the answer.',
  ]);
});

test("cases that expect nothing and unknown members are refused", () => {
  const parse = (more: object) =>
    parseTestCases({
      format: "hearback.scorecard-tests/1",
      cases: [{ name: "A", answers: {}, expect: { score: 1 }, ...more }],
    });
  expect(parse({}).ok).toBe(true);
  expect(parse({ expect: {} })).toMatchObject({ ok: false, problems: [{ path: "/cases/0/expect", code: "missing" }] });
  expect(parse({ expects: {} })).toMatchObject({ ok: false, problems: [{ path: "/cases/0/expects" }] });
});

test("every case has a result", () => {
  const cases: TestCases["cases"] = ["one", "two"].map((name) => ({
    name,
    answers,
    expect: { score: name === "one" ? 50 : 51 },
  }));
  const actual = { score: 50, score_before_fail: 50, outcome: "failed" };
  expect(runTestCases(document, { format: "hearback.scorecard-tests/1", cases })).toEqual([
    { name: "one", passed: true, failures: [], actual },
    { name: "two", passed: false, failures: ["score is 50, not 51."], actual },
  ]);
});
