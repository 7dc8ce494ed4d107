import { z } from "zod";
import { Answers } from "./answers.ts";
import { checkAnswers } from "./check-answers.ts";
import type { ScorecardDocument } from "./document.ts";
import { calculateResult } from "./formula.ts";
import { type Parsed, parseWith } from "./problem.ts";
import { outcomes } from "./result.ts";
import { strictObject } from "./strict-object.ts";
import { text } from "./text.ts";

const ExpectedScore = z
  .number("must be a number from 0 to 100, or null")
  .min(0, "must be at least 0")
  .max(100, "must be at most 100")
  .nullable()
  .meta({ description: "As people read it: 87.35. null: not scored." });

const TestCase = strictObject(
  {
    name: text(300),
    answers: Answers,
    expect: strictObject(
      {
        score: ExpectedScore.optional(),
        score_before_fail: ExpectedScore.optional(),
        outcome: z.enum(outcomes, `must be one of ${outcomes.join(", ")}`).optional(),
      },
      "must be an object with score or outcome",
    ).refine((expected) => Object.keys(expected).length > 0, {
      message: "must have score, score_before_fail or outcome",
      params: { code: "missing", fix: "Add what you expect." },
    }),
  },
  "must be an object with name, answers and expect",
);
export type TestCase = z.output<typeof TestCase>;

/**
 * Answers with the result that they must have, kept in a file beside the scorecard:
 *
 * ```yaml
 * format: hearback.scorecard-tests/1
 * cases:
 *   - name: A caller who is not verified fails the call
 *     answers: { identity: { value: "no" }, greeting: { value: "yes" } }
 *     expect: { score: 0, outcome: failed }
 * ```
 */
export const TestCases = strictObject(
  {
    format: z.literal("hearback.scorecard-tests/1", 'must be "hearback.scorecard-tests/1"'),
    cases: z.array(TestCase, "must be a list of test cases").max(1000, "must have at most 1000 cases"),
  },
  "must be an object",
);
export type TestCases = z.output<typeof TestCases>;

export const parseTestCases = (input: unknown): Parsed<TestCases> => parseWith(TestCases, input);

export interface TestCaseResult {
  readonly name: string;
  readonly passed: boolean;
  /** Sentences about what differs. Empty if the case passed. */
  readonly failures: readonly string[];
  /** Undefined: the answers do not fit the scorecard. */
  readonly actual: Actual | undefined;
}

/** As people read it: 87.35. null: not scored. */
interface Actual {
  readonly score: number | null;
  readonly score_before_fail: number | null;
  readonly outcome: (typeof outcomes)[number];
}

/** Calculates every case. Answers may be incomplete, but must be valid. */
export function runTestCases(document: ScorecardDocument, { cases }: TestCases): TestCaseResult[] {
  return cases.map(({ name, answers, expect }) => {
    const invalid = checkAnswers(document, answers, { complete: false }).map(({ message }) => message);
    const actual = invalid.length > 0 ? undefined : calculate(document, answers);
    const failures = actual ? differences(actual, expect) : invalid;
    return { name, passed: failures.length === 0, failures, actual };
  });
}

function calculate(document: ScorecardDocument, answers: Answers): Actual {
  const { score, score_before_fail, outcome } = calculateResult(document, answers);
  const inPoints = (hundredths: number | null) => (hundredths === null ? null : hundredths / 100);
  return { score: inPoints(score), score_before_fail: inPoints(score_before_fail), outcome };
}

const differences = (actual: Actual, expected: TestCase["expect"]): string[] =>
  (["score", "score_before_fail", "outcome"] as const).flatMap((member) =>
    expected[member] === undefined || expected[member] === actual[member]
      ? []
      : [`${member} is ${actual[member]}, not ${expected[member]}.`],
  );
