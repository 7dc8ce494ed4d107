import { expect, test } from "vitest";
import { applyDecisions, type Decision, isDecided } from "./decisions.ts";

const changed = (answer: Decision["answer"]): Decision => ({ choice: "changed", answer, explanation: "Heard again." });

test("changed answers keep the reviewer's comment and moments; upheld ones stay", () => {
  const moments = [{ start_ms: 0, end_ms: 1000 }];
  const answers = { a: { value: "no", comment: "Missing.", moments }, b: { value: "no" }, c: { value: "yes" } };
  const upheld: Decision = { choice: "upheld", answer: { value: "yes" }, explanation: "It was not said." };
  const decisions = [
    ["a", changed({ value: "yes", comment: "by the agent" })],
    ["b", upheld],
    ["c", changed({ not_applicable: true })],
  ] as const;
  expect(applyDecisions(answers, decisions)).toEqual({
    a: { value: "yes", comment: "Missing.", moments },
    b: { value: "no" },
    c: { not_applicable: true },
  });
});

test.each([
  [changed({ value: "yes" }), true],
  [changed({ not_applicable: true }), true],
  [changed({}), false],
  [{ ...changed({ value: "yes" }), explanation: "  " }, false],
  [{ choice: "upheld", answer: {}, explanation: "Right." } as Decision, true],
  [{ choice: undefined, answer: { value: "yes" }, explanation: "Right." } as Decision, false],
])("%j is decided: %s", (decision, is) => {
  expect(isDecided(decision)).toBe(is);
});
