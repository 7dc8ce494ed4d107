import { answerTo } from "./answer-to.ts";
import type { Answer, Answers } from "./answers.ts";
import type { Condition } from "./condition.ts";
import type { ScorecardDocument } from "./document.ts";
import { passingScore } from "./passing-score.ts";
import type { Question } from "./question.ts";
import { maximumPoints, optionsOf, pointsFor, selectedOptions, weightOf } from "./question-points.ts";
import type { Result } from "./result.ts";

/*
 * The score and outcome of the formula hearback/1 for many reviews: questions are compiled once, and several documents share what the
 * answers to them earned. Gives the same numbers as `calculateResult`, which is tested with random documents.
 */

/** What the answer to a question does, whether or not the question is visible. */
interface Earned {
  /** Undefined: unanswered, or not valid. */
  points: number | undefined;
  marked: boolean;
  failsCall: boolean;
  failsSection: boolean;
  /** Ids of the selected options, for conditions. Undefined: none can be true. */
  selected: readonly string[] | undefined;
}

export interface CompiledQuestion {
  readonly id: string;
  readonly question: Question;
  readonly weight: number;
  readonly maximum: number;
  /** Whether answers can change a score or an outcome. */
  readonly counts: boolean;
  /** For the answers that were read last. */
  readonly earned: Earned;
  readonly read: (answers: Answers) => void;
}

/** Compiles a question. Call `read` for each review before a document with the question is scored. */
export function compileQuestion(question: Question): CompiledQuestion {
  const maximum = maximumPoints(question);
  const weight = weightOf(question, maximum);
  const earned: Earned = noAnswer();
  const earn = compileAnswer(question);
  return {
    id: question.id,
    question,
    weight,
    maximum,
    counts: weight > 0 || optionsOf(question).some(({ fails }) => fails),
    earned,
    read(answers) {
      const answer = answerTo(answers, question.id);
      const given = answer?.value === undefined ? nothing : earn(answer);
      earned.points = given.points;
      earned.failsCall = given.failsCall;
      earned.failsSection = given.failsSection;
      earned.selected = given.selected;
      earned.marked = answer?.not_applicable === true;
    },
  };
}

const noAnswer = (): Earned => ({
  points: undefined,
  marked: false,
  failsCall: false,
  failsSection: false,
  selected: undefined,
});
const nothing: Readonly<Earned> = noAnswer();

/** What an answer with a value earns. Precomputed for questions with one option to choose. */
function compileAnswer(question: Question): (answer: Answer) => Readonly<Earned> {
  const earn = ({ value }: Answer): Earned => {
    const selected = value === undefined ? undefined : selectedOptions(question, value);
    return {
      points: value === undefined ? undefined : pointsFor(question, value, selected),
      marked: false,
      failsCall: selected?.some(({ fails }) => fails === "call") ?? false,
      failsSection: selected?.some(({ fails }) => fails === "section") ?? false,
      selected: selected?.map(({ id }) => id),
    };
  };
  if (question.type !== "yes_no" && question.type !== "choice" && question.type !== "scale") return earn;
  const byOption = new Map<unknown, Earned>(optionsOf(question).map(({ id }) => [id, earn({ value: id })]));
  return ({ value }) => byOption.get(value) ?? nothing;
}

export interface Scored {
  /** In hundredths. null: nothing was scored. */
  readonly score: number | null;
  readonly outcome: Result["outcome"];
}

interface CompiledSection {
  readonly weight: number | undefined;
  readonly questions: readonly CompiledQuestion[];
}

export interface CompiledDocument {
  /** In the order of the document. */
  readonly questions: readonly CompiledQuestion[];
  /** Whether each of the questions is visible with the answers that were read last. Set by `score`. */
  readonly isVisible: readonly boolean[];
  /** Scores the answers that the questions have read last. */
  readonly score: () => Scored;
}

/** Compiles a document. `compiled` can return the same question for several documents. */
export function compileDocument(
  document: ScorecardDocument,
  compiled: (question: Question) => CompiledQuestion = compileQuestion,
): CompiledDocument {
  const sections = document.sections.map((section) => {
    const questions = section.questions.map(compiled);
    const ownWeight = section.weight ?? questions.reduce((total, { weight }) => total + weight, 0);
    return { weight: document.not_applicable === "spreads_over_form" ? undefined : ownWeight, questions };
  });
  const questions = sections.flatMap((section) => section.questions);
  const isVisible = questions.map(() => true);
  const updateVisibility = compileVisibility(questions, isVisible);
  const passing = passingScore(document);
  return {
    questions,
    isVisible,
    score() {
      updateVisibility();
      const { failsCall, gained, total } = addUp(sections, isVisible);
      const score = failsCall && document.fail === "zeroes_score" ? 0 : total === 0 ? null : round(gained / total);
      return { score, outcome: failsCall ? "failed" : outcomeOf(score, passing) };
    },
  };

  /** Rounds half up. A double is precise enough unless the score is close to the middle between two hundredths. */
  function round(share: number): number {
    const hundredths = share * 10_000;
    const below = Math.floor(hundredths);
    if (Math.abs(hundredths - below - 0.5) > 1e-5) return Math.round(hundredths);
    return exactScore(sections, isVisible);
  }
}

function outcomeOf(score: number | null, passing: number): Result["outcome"] {
  if (score === null) return "not_scored";
  return score < passing ? "failed" : "passed";
}

/** Updates `isVisible`. Only questions with conditions change. */
function compileVisibility(questions: readonly CompiledQuestion[], isVisible: boolean[]): () => void {
  const positions = new Map(questions.map(({ id }, position) => [id, position]));
  const conditional = questions.flatMap(({ question: { when } }, position) =>
    when ? [{ position, holds: compileCondition(when, position) }] : [],
  );
  return () => {
    for (const { position, holds } of conditional) isVisible[position] = holds();
  };

  function compileCondition(condition: Condition, dependent: number): () => boolean {
    if ("all" in condition) {
      const entries = condition.all.map((entry) => compileCondition(entry, dependent));
      return () => entries.every((holds) => holds());
    }
    if ("any" in condition) {
      const entries = condition.any.map((entry) => compileCondition(entry, dependent));
      return () => entries.some((holds) => holds());
    }
    const position = positions.get(condition.question);
    const earned = position === undefined ? undefined : questions[position]?.earned;
    if (position === undefined || position >= dependent || !earned) return () => false;
    return () => isVisible[position] === true && (earned.selected?.some((id) => condition.is.includes(id)) ?? false);
  }
}

const isApplicable = ({ weight, earned }: CompiledQuestion): boolean =>
  weight > 0 && !earned.marked && earned.points !== undefined;

interface Sums {
  readonly failsCall: boolean;
  readonly gained: number;
  /** Sum of the weights of sections with an applicable question. */
  readonly total: number;
}

function addUp(sections: readonly CompiledSection[], isVisible: readonly boolean[]): Sums {
  let position = 0;
  let failsCall = false;
  let gained = 0;
  let total = 0;
  for (const { weight, questions } of sections) {
    let applicable = 0;
    let earnedInSection = 0;
    let failed = false;
    for (const question of questions) {
      if (!isVisible[position++]) continue;
      const { earned } = question;
      failsCall ||= earned.failsCall;
      failed ||= earned.failsSection;
      if (!isApplicable(question)) continue;
      applicable += question.weight;
      earnedInSection += (question.weight * (earned.points ?? 0)) / question.maximum;
    }
    if (applicable === 0) continue;
    const own = weight ?? applicable;
    total += own;
    if (!failed) gained += (own * earnedInSection) / applicable;
  }
  return { failsCall, gained, total };
}

/** The score as an exact fraction, rounded half up. At least one section has an applicable question and a weight. */
function exactScore(sections: readonly CompiledSection[], isVisible: readonly boolean[]): number {
  let position = 0;
  let total = 0n;
  // Of what is gained.
  let numerator = 0n;
  let denominator = 1n;
  for (const { weight, questions } of sections) {
    const visible = questions.filter(() => isVisible[position++]);
    const applicable = visible.filter(isApplicable);
    if (applicable.length === 0) continue;
    const sum = applicable.reduce((before, question) => before + question.weight, 0);
    const own = BigInt(weight ?? sum);
    total += own;
    if (visible.some(({ earned }) => earned.failsSection)) continue;
    for (const question of applicable) {
      const divisor = BigInt(sum) * BigInt(question.maximum);
      numerator =
        numerator * divisor + own * BigInt(question.weight) * BigInt(question.earned.points ?? 0) * denominator;
      denominator *= divisor;
      const common = greatestCommonDivisor(numerator, denominator);
      numerator /= common;
      denominator /= common;
    }
  }
  denominator *= total;
  return Number((20_000n * numerator + denominator) / (2n * denominator));
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
