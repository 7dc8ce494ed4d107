import type { Answer } from "../answers.ts";
import type { Question } from "../question.ts";
import { bandOf, optionsOf } from "../question-points.ts";
import { gwetCoefficient, rawAgreement } from "./gwet-coefficient.ts";
import { type Interval, jackknifeInterval } from "./intervals.ts";
import { krippendorffAlpha } from "./krippendorff-alpha.ts";
import { addUnit, comparedUnits, countCalls, type RatedUnit, type Statistic, type UnitGroups } from "./ratings.ts";

/** With fewer calls, agreement says too little to be interpreted. */
export const fewestCalls = 8;

/** A statistic with its 95 % interval. */
export interface Estimate {
  /** Null: it cannot be calculated. */
  readonly value: number | null;
  /** Null: the calls tell nothing about the spread, for example if all of them agree. */
  readonly interval: Interval | null;
}

export interface Agreement {
  /** Calls that were rated twice or more. */
  readonly calls: number;
  readonly tooFew: boolean;
  /** Share of pairs of ratings that are equal. */
  readonly raw: Estimate;
  /** Krippendorff's α. Null if all ratings are equal. It has no interval, because none covers if a category is rare. */
  readonly alpha: number | null;
  /** Gwet's AC1; AC2 for a scale. */
  readonly ac: Estimate;
}

export interface QuestionAgreement {
  /** On whether the question is applicable. Null: it cannot be marked as not applicable, or is answered with text. */
  readonly applicability: Agreement | null;
  /** On the answer, among those who thought the question applicable. Null: it is answered with text. */
  readonly answer: Agreement | null;
}

/** Collects the answers to one question, call by call. Memory grows with different ratings, not with calls. */
export interface AgreementCollector {
  /** The answers to one call, one per reviewer. Undefined or without a value: not answered, for example hidden. */
  readonly add: (answers: readonly (Answer | undefined)[]) => void;
  readonly result: () => QuestionAgreement;
}

const noBand = "no band";

type AnswerValue = NonNullable<Answer["value"]>;

/** Identifies the category of a value: the option, the set of options, the band or the number. */
function categoryKey(question: Question, value: AnswerValue): string | undefined {
  if (question.type === "multiple") return Array.isArray(value) ? `set ${value.toSorted().join(" ")}` : undefined;
  if (question.type !== "number") return typeof value === "string" ? value : undefined;
  if (typeof value !== "number") return undefined;
  if (!question.bands) return `value ${value}`;
  const band = bandOf(question.bands, value);
  return band ? `band ${question.bands.indexOf(band)}` : noBand;
}

/**
 * Whether two answers to a question are equal. Not applicable is an answer like others. Undefined: they cannot be compared, because one
 * is missing or the question is answered with text.
 */
export function isSameAnswer(question: Question, a: Answer | undefined, b: Answer | undefined): boolean | undefined {
  if (question.type === "text") return undefined;
  const keyOf = (answer: Answer | undefined) => {
    if (answer?.not_applicable) return "";
    return answer?.value === undefined ? undefined : categoryKey(question, answer.value);
  };
  const [first, second] = [keyOf(a), keyOf(b)];
  return first === undefined || second === undefined ? undefined : first === second;
}

/** Numbers of categories. Options have the order of the scorecard; other values are numbered as they occur. */
function numberCategories(question: Question) {
  const places = new Map(optionsOf(question).map(({ id }, place) => [id, place]));
  const fixed = places.size;
  const placeOf = (key: string) => {
    const place = places.get(key) ?? places.size;
    places.set(key, place);
    return place;
  };
  const isOpen = question.type === "multiple" || question.type === "number";
  const categoryOf = (value: AnswerValue): number | undefined => {
    const key = categoryKey(question, value);
    if (key === undefined) return undefined;
    return isOpen ? placeOf(key) : places.get(key);
  };
  /** How many there are to choose from. */
  const count = () => {
    if (question.type === "multiple") return Math.max(2, places.size - fixed);
    if (question.type !== "number") return fixed;
    return Math.max(2, question.bands ? question.bands.length + (places.has(noBand) ? 1 : 0) : places.size);
  };
  return { categoryOf, count };
}

/** Agreement of reviewers on one question. */
export function collectAgreement(question: Question): AgreementCollector {
  const { categoryOf, count } = numberCategories(question);
  const values: UnitGroups = new Map();
  const applicability: UnitGroups = new Map();
  const isText = question.type === "text";
  return {
    add: (answers) => {
      if (isText) return;
      addUnit(
        values,
        answers.map((answer) => (answer?.value === undefined ? undefined : categoryOf(answer.value))),
      );
      if (!question.not_applicable) return;
      addUnit(
        applicability,
        answers.map((answer) => (answer?.not_applicable ? 0 : answer?.value === undefined ? undefined : 1)),
      );
    },
    result: () => ({
      applicability:
        isText || !question.not_applicable ? null : agreementOf([...applicability.values()], { categories: 2 }),
      answer: isText
        ? null
        : agreementOf([...values.values()], { categories: count(), ordered: question.type === "scale" }),
    }),
  };
}

/** Agreement on one question over calls, each with one answer per reviewer. */
export function agreement(question: Question, calls: readonly (readonly (Answer | undefined)[])[]): QuestionAgreement {
  const collector = collectAgreement(question);
  for (const answers of calls) collector.add(answers);
  return collector.result();
}

function agreementOf(
  units: readonly RatedUnit[],
  { categories, ordered = false }: { readonly categories: number; readonly ordered?: boolean },
): Agreement {
  // The interval is over all calls that have a rating; for raw agreement, those with one rating change nothing.
  const compared = comparedUnits(units);
  const calls = countCalls(compared);
  return {
    calls,
    tooFew: calls < fewestCalls,
    raw: estimate(rawAgreement(compared), compared, 0),
    alpha: krippendorffAlpha(compared, ordered ? "ordinal" : "nominal"),
    ac: estimate(gwetCoefficient(units, { categories, ordered }), units, -1),
  };
}

/** The statistic can be from `lowest` to 1. */
function estimate({ value, without }: Statistic, units: readonly RatedUnit[], lowest: number): Estimate {
  const leftOut = units.map((unit) => ({ value: without(unit), calls: unit.calls }));
  return { value, interval: jackknifeInterval(value, leftOut, { lowest, highest: 1 }) };
}
