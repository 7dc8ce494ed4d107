import type { AnswerValue } from "./answers.ts";
import type { Band, FailScope, Question } from "./question.ts";

/** An answer that can be selected, and what it does. */
export interface SelectableOption {
  readonly id: string;
  readonly points?: number | undefined;
  readonly fails?: FailScope | undefined;
  readonly comment?: "required" | undefined;
}

type YesNoQuestion = Extract<Question, { type: "yes_no" }>;

const yesOption = ({ yes }: YesNoQuestion): SelectableOption => ({ ...yes, id: "yes", points: 1 });
const noOption = ({ no }: YesNoQuestion): SelectableOption => ({ ...no, id: "no", points: 0 });

/** The options of a question; `yes` and `no` for yes_no, none for number and text. */
export function optionsOf(question: Question): readonly SelectableOption[] {
  if (question.type === "yes_no") return [yesOption(question), noOption(question)];
  return "options" in question ? question.options : [];
}

/** The points of the best answer; 0 if no answer has points. */
export function maximumPoints(question: Question): number {
  switch (question.type) {
    case "yes_no":
      return 1;
    case "choice":
    case "scale":
      return Math.max(0, ...question.options.map((option) => option.points ?? 0));
    case "multiple": {
      const sum = question.options.reduce((total, option) => total + (option.points ?? 0), 0);
      return sum > 0 ? (question.max_points ?? sum) : 0;
    }
    case "number":
      return Math.max(0, ...(question.bands ?? []).map((band) => band.points));
    case "text":
      return 0;
  }
}

/** The weight of a question; 0 for a question that is not scored, because it has no weight or no points. */
export function weightOf(question: Question, maximum = maximumPoints(question)): number {
  return maximum > 0 && "weight" in question ? (question.weight ?? 0) : 0;
}

/** The options that an answer selects, or undefined if the value is not a valid answer to the question. */
export function selectedOptions(question: Question, value: AnswerValue): readonly SelectableOption[] | undefined {
  switch (question.type) {
    case "yes_no":
      if (value === "yes") return [yesOption(question)];
      return value === "no" ? [noOption(question)] : undefined;
    case "choice":
    case "scale": {
      const selected = question.options.find((option) => option.id === value);
      return selected ? [selected] : undefined;
    }
    case "multiple": {
      if (!Array.isArray(value)) return undefined;
      const selected = question.options.filter((option) => value.includes(option.id));
      return selected.length === value.length ? selected : undefined;
    }
    case "number":
      return typeof value === "number" ? [] : undefined;
    case "text":
      return typeof value === "string" ? [] : undefined;
  }
}

/** The points of an answer, or undefined if the value is not a valid answer to the question. */
export function pointsFor(
  question: Question,
  value: AnswerValue,
  selected = selectedOptions(question, value),
): number | undefined {
  if (!selected) return undefined;
  if (question.type === "number") return question.bands ? bandOf(question.bands, Number(value))?.points : 0;
  const sum = selected.reduce((total, option) => total + (option.points ?? 0), 0);
  return question.type === "multiple" ? Math.min(sum, maximumPoints(question)) : sum;
}

/** The first band that contains the value. Both limits belong to the band. */
export function bandOf(bands: readonly Band[], value: number): Band | undefined {
  return bands.find(({ from = -Infinity, to = Infinity }) => from <= value && value <= to);
}
