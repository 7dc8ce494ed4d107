import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Answers } from "@hearback/scoring/answers";
import { calculateResult } from "@hearback/scoring/formula";
import type { Question } from "@hearback/scoring/question";
import { causes, type QuestionResult, Result } from "@hearback/scoring/result";
import { arbitraryCase, type ScoredCase } from "@hearback/scoring/testing/arbitrary-scorecard";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formulaCases, formulaSeed } from "./run-scale.ts";

const script = join(import.meta.dirname, "formula.py");
const batchSize = 1_000;

/** The results of the second implementation. */
function calculateInPython(cases: readonly ScoredCase[]): unknown[] {
  const input = cases.map((each) => JSON.stringify(each)).join("\n");
  const { stdout, stderr, status, error } = spawnSync("python3", [script], { input, encoding: "utf8", maxBuffer: 1e9 });
  if (status !== 0) throw error ?? new Error(`formula.py failed: ${stderr}`);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Features that the random scorecards must cover. The test fails if one is too rare. */
const features: Record<string, (each: ScoredCase, result: Result) => boolean> = {
  passed: (_, { outcome }) => outcome === "passed",
  failed: (_, { outcome }) => outcome === "failed",
  "not scored": (_, { outcome }) => outcome === "not_scored",
  "stays in section": ({ document }) => document.not_applicable === "stays_in_section",
  "spreads over form": ({ document }) => document.not_applicable === "spreads_over_form",
  "fails the call": (_, result) => failsCall(result),
  "fails a section": (_, { failed_by }) => failed_by.some(({ scope }) => scope === "section"),
  "keeps its score": (_, result) => failsCall(result) && (result.score ?? 0) > 0,
  "fails without anything scored": (_, result) => result.score === 0 && result.score_before_fail === null,
  "section of weight 0 among others": (_, { score, sections }) =>
    score !== null && sections.some(({ weight, maximum }) => weight === 0 && maximum > 0),
  "capped points": ({ document, answers }) =>
    document.sections.some(({ questions }) => questions.some((question) => isCapped(question, answers))),
  "points of a band": ({ document }, { questions }) => {
    const numbers = new Set(
      document.sections.flatMap((section) => section.questions.filter(isNumber).map(({ id }) => id)),
    );
    return questions.some(({ question, points }) => numbers.has(question) && points !== null && points > 0);
  },
  "shown by a condition": ({ document }, { questions }) => {
    const hidden = new Set(questions.filter(({ cause }) => cause === "hidden").map(({ question }) => question));
    return document.sections.some((section) => section.questions.some(({ id, when }) => when && !hidden.has(id)));
  },
  "tag with another score": (_, { tags, score_before_fail }) =>
    tags.some(({ score }) => score !== null && score !== score_before_fail),
  "halfway between two hundredths": ({ document }, { questions }) =>
    document.not_applicable === "spreads_over_form" && isHalfway(questions),
  ...Object.fromEntries(
    causes.map((cause) => [
      cause,
      (_: ScoredCase, result: Result) => result.questions.some((each) => each.cause === cause),
    ]),
  ),
};

const failsCall = (result: Result) => result.failed_by.some(({ scope }) => scope === "call");
const isNumber = (question: Question) => question.type === "number";

function isCapped(question: Question, answers: Answers): boolean {
  const value = answers[question.id]?.value;
  if (question.type !== "multiple" || !Array.isArray(value) || !question.max_points) return false;
  const picked = question.options.filter((option) => value.includes(option.id));
  return picked.reduce((sum, option) => sum + (option.points ?? 0), 0) > question.max_points;
}

/** For questions of equal weight. */
function isHalfway(questions: readonly QuestionResult[]): boolean {
  const counted = questions.filter(({ cause }) => cause === null);
  if (counted.length === 0 || counted.some(({ weight }) => weight !== 1)) return false;
  const score = counted.reduce((sum, { points, maximum }) => sum + (points ?? 0) / maximum, 0) / counted.length;
  return Math.abs(((score * 10_000) % 1) - 0.5) < 1e-9;
}

const title = `agrees with the Python implementation on ${formulaCases} random scorecards (FORMULA_SEED=${formulaSeed})`;

test(title, { timeout: 60_000 + formulaCases * 20 }, () => {
  const reached = new Map(Object.keys(features).map((name) => [name, 0]));
  for (let first = 0; first < formulaCases; first += batchSize) {
    const numRuns = Math.min(batchSize, formulaCases - first);
    const cases = fc.sample(arbitraryCase, { numRuns, seed: formulaSeed + first });
    const inPython = calculateInPython(cases);
    expect(inPython.length).toBe(numRuns);
    for (const [index, each] of cases.entries()) {
      const result = Result.parse(calculateResult(each.document, each.answers));
      if (!isDeepStrictEqual(result, inPython[index])) expect(result, JSON.stringify(each)).toEqual(inPython[index]);
      for (const [name, isReached] of Object.entries(features))
        if (isReached(each, result)) reached.set(name, (reached.get(name) ?? 0) + 1);
    }
  }
  const rare = [...reached].filter(([, count]) => count < formulaCases / 500);
  expect(rare, "the generator hardly reaches these").toEqual([]);
});
