import type { AnswerValue } from "./answers.ts";
import type { Band, FailScope, Question } from "./question.ts";

/** An answer that can be selected, and what it does. */
export interface SelectableOption {
  readonly id: string;
  readonly points?: number | undefined;
  readonly fails?: FailScope | undefined;
  readonly comment?: "required" | undefined;
}

/** The options of a question; `yes` and `no` for yes_no, none for number and text. */
export function optionsOf(question: Question): readonly SelectableOption[] {
  if (question.type === "yes_no")
    return [
      { ...question.yes, id: "yes", points: 1 },
      { ...question.no, id: "no", points: 0 },
    ];
  return "options" in question ? question.options : [];
}

/** The points of the best answer; 0 if no answer has points. */
export function maximumPoints(question: Question): number {
  const points = optionsOf(question).map((option) => option.points ?? 0);
  switch (question.type) {
    case "multiple":
      return question.max_points !== undefined && Math.max(0, ...points) > 0
        ? question.max_points
        : points.reduce((sum, each) => sum + each, 0);
    case "number":
      return Math.max(0, ...(question.bands ?? []).map((band) => band.points));
    default:
      return Math.max(0, ...points);
  }
}

/** The weight of a question; 0 for a question that is not scored, because it has no weight or no points. */
export function weightOf(question: Question): number {
  const weight = "weight" in question ? (question.weight ?? 0) : 0;
  return weight > 0 && maximumPoints(question) > 0 ? weight : 0;
}

/** The options that an answer selects, or undefined if the value is not a valid answer to the question. */
export function selectedOptions(question: Question, value: AnswerValue): readonly SelectableOption[] | undefined {
  if (question.type === "number") return typeof value === "number" ? [] : undefined;
  if (question.type === "text") return typeof value === "string" ? [] : undefined;
  const isList = Array.isArray(value);
  if (isList !== (question.type === "multiple")) return undefined;
  const ids = isList ? value : [value];
  const options = optionsOf(question);
  const selected = options.filter((option) => ids.includes(option.id));
  return selected.length === ids.length ? selected : undefined;
}

/** The points of an answer, or undefined if the value is not a valid answer to the question. */
export function pointsFor(question: Question, value: AnswerValue): number | undefined {
  const selected = selectedOptions(question, value);
  if (!selected) return undefined;
  if (question.type === "number") return question.bands ? bandOf(question.bands, Number(value))?.points : 0;
  const sum = selected.reduce((total, option) => total + (option.points ?? 0), 0);
  return question.type === "multiple" ? Math.min(sum, maximumPoints(question)) : sum;
}

/** The first band that contains the value. Both limits belong to the band. */
function bandOf(bands: readonly Band[], value: number): Band | undefined {
  return bands.find(({ from = -Infinity, to = Infinity }) => from <= value && value <= to);
}
