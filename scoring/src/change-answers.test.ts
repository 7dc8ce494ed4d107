import { expect, test } from "vitest";
import { bareAnswer, changeAnswers, isWorse } from "./change-answers.ts";

const moments = [{ start_ms: 0, end_ms: 1000 }];

test("a change keeps comment and moments unless it has its own, and {} removes an answer", () => {
  const answers = { greeting: { value: "no", comment: "No name.", moments }, identity: { value: "full" } };
  expect(changeAnswers(answers, { greeting: { value: "yes" } })).toEqual({
    greeting: { value: "yes", comment: "No name.", moments },
    identity: { value: "full" },
  });
  expect(changeAnswers(answers, { greeting: { not_applicable: true, comment: "Transferred." } }).greeting).toEqual({
    not_applicable: true,
    comment: "Transferred.",
    moments,
  });
  expect(changeAnswers(answers, { identity: {} }).identity).toEqual({});
});

test("a bare answer has neither comment nor moments", () => {
  expect(bareAnswer({ value: ["a"], comment: "C", moments })).toEqual({ value: ["a"] });
  expect(bareAnswer({ not_applicable: true, comment: "C" })).toEqual({ not_applicable: true });
  expect(bareAnswer({ comment: "C" })).toEqual({});
});

const rated = (score: number | null, outcome: "passed" | "failed" | "not_scored") => ({ score, outcome });
test.each([
  [rated(8000, "passed"), rated(7999, "passed"), true],
  [rated(8000, "passed"), rated(8000, "passed"), false],
  [rated(8000, "passed"), rated(null, "not_scored"), true],
  [rated(9000, "passed"), rated(9000, "failed"), true],
  [rated(null, "not_scored"), rated(0, "failed"), true],
  [rated(null, "not_scored"), rated(9000, "passed"), false],
  [rated(0, "failed"), rated(5000, "failed"), false],
])("from %j to %j is worse: %s", (before, after, expected) => {
  expect(isWorse(after, before)).toBe(expected);
});
