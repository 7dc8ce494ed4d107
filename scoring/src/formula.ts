import { answerTo } from "./answer-to.ts";
import type { Answer, Answers } from "./answers.ts";
import type { ScorecardDocument, Section } from "./document.ts";
import { roundToTotal } from "./largest-remainder.ts";
import { passingScore } from "./passing-score.ts";
import type { Question } from "./question.ts";
import { maximumPoints, pointsFor, selectedOptions, weightOf } from "./question-points.ts";
import type { FailedBy, QuestionResult, Result } from "./result.ts";
import { visibleQuestions } from "./visibility.ts";

/** 100.00 points in hundredths. */
const full = 10_000;

/**
 * The formula hearback/1, the only place that calculates scores. Exact: all shares are integers over one common
 * denominator. Scores are rounded once, half up; applied and lost weights are rounded so that they add up.
 *
 * Questions that are unanswered, or whose answer is not valid, are not applicable yet. So it also gives the running score
 * of an incomplete review.
 */
export function calculateResult(document: ScorecardDocument, answers: Answers): Result {
  const sections = assessSections(document, answers);
  const shares = divide(sections);
  const failedBy = sections.flatMap((section) => section.questions.flatMap((question) => question.failedBy));
  const failsCall = failedBy.some(({ scope }) => scope === "call");
  const scoreOf = (kept: readonly QuestionShare[]) => ratio(gainedBy(kept), shares.denominator);
  const before = scoreOf(shares.questions);
  const afterSections = scoreOf(shares.questions.filter((share) => !share.section.failed));
  const score = failsCall && document.fail === "zeroes_score" ? 0 : afterSections;
  const rounded = roundShares(shares, before);
  return {
    formula: "hearback/1",
    score,
    score_before_fail: before,
    lost_by_fail: score === null ? 0 : (before ?? full) - score,
    outcome: failsCall ? "failed" : outcomeOf(score, passingScore(document)),
    failed_by: failedBy,
    sections: sections.map((section) => sectionResult(section, rounded.applied)),
    questions: sections.flatMap((section) =>
      section.questions.map((question) => ({
        question: question.id,
        section: section.id,
        points: question.points,
        maximum: question.maximum,
        weight: question.weight,
        applied_weight: rounded.applied.get(question.id) ?? 0,
        lost: rounded.lost.get(question.id) ?? 0,
        cause: question.cause,
      })),
    ),
    tags: tagResults(sections, shares, rounded.applied),
  };
}

/** Compares the rounded score, because that is what people see. */
function outcomeOf(score: number | null, passing: number): Result["outcome"] {
  if (score === null) return "not_scored";
  return score < passing ? "failed" : "passed";
}

interface AssessedQuestion {
  readonly id: string;
  readonly tags: readonly string[];
  readonly weight: number;
  readonly maximum: number;
  /** null: not applicable, for the cause given. */
  readonly points: number | null;
  readonly cause: QuestionResult["cause"];
  readonly failedBy: readonly FailedBy[];
}

interface AssessedSection {
  readonly id: string;
  readonly questions: readonly AssessedQuestion[];
  readonly applicable: readonly (AssessedQuestion & { readonly points: number })[];
  readonly weight: number;
  /** The sum of the weights of the applicable questions. */
  readonly applicableWeight: number;
  readonly failed: boolean;
}

function assessSections(document: ScorecardDocument, answers: Answers): AssessedSection[] {
  const visible = visibleQuestions(document, answers);
  return document.sections.map((section) => {
    const questions = section.questions.map((question) =>
      assessQuestion(section, question, answerTo(answers, question.id), visible.has(question.id)),
    );
    const applicable = questions.filter(
      (question) => question.points !== null,
    ) as AssessedSection["applicable"][number][];
    const applicableWeight = applicable.reduce((total, question) => total + question.weight, 0);
    const ownWeight = section.weight ?? questions.reduce((total, question) => total + question.weight, 0);
    return {
      id: section.id,
      questions,
      applicable,
      weight: document.not_applicable === "spreads_over_form" ? applicableWeight : ownWeight,
      applicableWeight,
      failed: questions.some(({ failedBy }) => failedBy.some(({ scope }) => scope === "section")),
    };
  });
}

function assessQuestion(
  section: Section,
  question: Question,
  answer: Answer | undefined,
  isVisible: boolean,
): AssessedQuestion {
  const maximum = maximumPoints(question);
  const weight = weightOf(question, maximum);
  const value = isVisible ? answer?.value : undefined;
  const selected = value === undefined ? undefined : selectedOptions(question, value);
  const points = value === undefined ? undefined : pointsFor(question, value, selected);
  const causeOf = () => {
    if (!isVisible) return "hidden";
    if (answer?.not_applicable) return "marked";
    if (weight === 0) return "unscored";
    return points === undefined ? "unanswered" : null;
  };
  const cause = causeOf();
  return {
    id: question.id,
    tags: "tags" in question ? question.tags : [],
    weight,
    maximum,
    points: cause === null ? (points ?? null) : null,
    cause,
    failedBy: (selected ?? []).flatMap(({ id, fails }) =>
      fails ? [{ question: question.id, section: section.id, option: id, scope: fails }] : [],
    ),
  };
}

/** An applicable question's part of the total: `share` is its applied weight, `gained` what the answer earned of it. */
interface QuestionShare {
  readonly question: AssessedQuestion;
  readonly section: AssessedSection;
  readonly share: bigint;
  readonly gained: bigint;
}

interface Shares {
  readonly questions: readonly QuestionShare[];
  /** The denominator of all shares. 0: nothing is scored. */
  readonly denominator: bigint;
}

/**
 * With W the weight of the section, ΣW that of all sections with an applicable question, w the weight of the question
 * and Σw that of the applicable questions of the section, the applied weight is W/ΣW · w/Σw. The answer earns the part
 * points/maximum of it. The common denominator is ΣW · L, where L is a multiple of every Σw · maximum.
 */
function divide(sections: readonly AssessedSection[]): Shares {
  const counting = sections.filter((section) => section.applicable.length > 0);
  const multiple = counting.reduce((total, section) => leastCommonMultiple(total, sectionDenominator(section)), 1n);
  const questions = counting.flatMap((section) =>
    section.applicable.map((question) => {
      const weight = BigInt(section.weight) * BigInt(question.weight);
      const part = multiple / BigInt(section.applicableWeight);
      return {
        question,
        section,
        share: weight * part,
        gained: (weight * part * BigInt(question.points)) / BigInt(question.maximum),
      };
    }),
  );
  return { questions, denominator: sum(counting, (section) => BigInt(section.weight)) * multiple };
}

/** A multiple of Σw · maximum for every applicable question of the section. */
function sectionDenominator(section: AssessedSection): bigint {
  const maxima = section.applicable.map((question) => BigInt(question.maximum));
  return BigInt(section.applicableWeight) * maxima.reduce(leastCommonMultiple, 1n);
}

interface RoundedShares {
  readonly applied: ReadonlyMap<string, number>;
  readonly lost: ReadonlyMap<string, number>;
}

function roundShares({ questions, denominator }: Shares, before: number | null): RoundedShares {
  if (before === null) return { applied: new Map(), lost: new Map() };
  const round = (numerator: (share: QuestionShare) => bigint, total: number) =>
    roundToTotal(
      questions.map((share) => ({ id: share.question.id, numerator: numerator(share) * BigInt(full) })),
      denominator,
      total,
    );
  return {
    applied: round(({ share }) => share, full),
    lost: round(({ share, gained }) => share - gained, full - before),
  };
}

function sectionResult(section: AssessedSection, applied: ReadonlyMap<string, number>): Result["sections"][number] {
  const denominator = sectionDenominator(section);
  const earned = sum(
    section.applicable,
    ({ weight, points, maximum }) =>
      ((denominator / BigInt(section.applicableWeight)) * BigInt(weight) * BigInt(points)) / BigInt(maximum),
  );
  const before = ratio(earned, denominator);
  return {
    section: section.id,
    score: before !== null && section.failed ? 0 : before,
    score_before_fail: before,
    failed: section.failed,
    points: section.applicable.reduce((total, question) => total + question.points, 0),
    maximum: section.applicable.reduce((total, question) => total + question.maximum, 0),
    weight: section.weight,
    applied_weight: section.applicable.reduce((total, question) => total + (applied.get(question.id) ?? 0), 0),
  };
}

function tagResults(
  sections: readonly AssessedSection[],
  shares: Shares,
  applied: ReadonlyMap<string, number>,
): Result["tags"] {
  const tags = new Set(sections.flatMap((section) => section.questions.flatMap((question) => question.tags)));
  return [...tags].map((tag) => {
    const tagged = shares.questions.filter(({ question }) => question.tags.includes(tag));
    const total = sum(tagged, ({ share }) => share);
    return {
      tag,
      score: ratio(gainedBy(tagged), total),
      applied_weight: tagged.reduce((weight, { question }) => weight + (applied.get(question.id) ?? 0), 0),
    };
  });
}

const gainedBy = (shares: readonly QuestionShare[]) => sum(shares, ({ gained }) => gained);

/** The part numerator / denominator of 100 points in hundredths, rounded half up. null: the denominator is 0. */
function ratio(numerator: bigint, denominator: bigint): number | null {
  return denominator === 0n ? null : Number((2n * BigInt(full) * numerator + denominator) / (2n * denominator));
}

function sum<Item>(items: readonly Item[], value: (item: Item) => bigint): bigint {
  return items.reduce((total, item) => total + value(item), 0n);
}

function leastCommonMultiple(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return (a / x) * b;
}
