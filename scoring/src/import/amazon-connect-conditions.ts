import type { Condition } from "../condition.ts";
import { conditionLimits } from "../limits.ts";
import type { ConnectEnablement, ConnectExpression, ConnectQuestion } from "./amazon-connect-form.ts";
import type { Note } from "./report.ts";

/** A question above the dependent one, with the ids that it and its options have in the scorecard. */
export interface SourceQuestion {
  readonly id: string;
  readonly isMultiple: boolean;
  /** RefId to option id. */
  readonly options: ReadonlyMap<string, string>;
}

interface Context {
  readonly sources: ReadonlyMap<string, SourceQuestion>;
  readonly note: Note;
  readonly where: string;
}

/** The `when` of a question, or undefined if it is always visible or its condition has no equivalent. */
export function convertEnablement(question: ConnectQuestion, context: Context): Condition | undefined {
  const enablement = question.Enablement;
  if (!enablement || enablement.Action === enablement.DefaultAction) return undefined;
  const condition = convertCondition(enablement, context);
  if (!condition) {
    context.note(context.where, "The condition has no equivalent.", "The question is always visible.");
    return undefined;
  }
  if (enablement.Action === "DISABLE")
    context.note(
      context.where,
      "The question is visible until an answer disables it.",
      "It is hidden until one of the other answers is given.",
    );
  return condition;
}

function convertCondition({ Action, Condition: { Operator, Operands } }: ConnectEnablement, context: Context) {
  const isNegated = Action === "DISABLE";
  const entries = Operands.map(({ Expression }) => Expression && convertExpression(Expression, isNegated, context));
  const converted = entries.filter((entry) => entry !== null && entry !== undefined);
  if (converted.length !== Operands.length || converted.length === 0 || converted.length > conditionLimits.entries)
    return undefined;
  const [only] = converted;
  if (converted.length === 1) return only;
  // Not (a and b) is (not a) or (not b).
  const isAnd = (Operator ?? "AND") === "AND";
  return isAnd !== isNegated ? { all: converted } : { any: converted };
}

function convertExpression(
  { Source, Values, Comparator }: ConnectExpression,
  isNegated: boolean,
  { sources, note, where }: Context,
): Condition | undefined {
  const source = sources.get(Source.RefId ?? "");
  const values = Values.map(({ RefId }) => source?.options.get(RefId ?? "")).filter((id) => id !== undefined);
  if (!source || values.length === 0 || values.length !== Values.length) return undefined;
  const is = (ids: readonly string[]): Condition | undefined =>
    ids.length > 0 ? { question: source.id, is: [...ids] } : undefined;
  if (!source.isMultiple) {
    const others = [...source.options.values()].filter((id) => !values.includes(id));
    return is((Comparator === "NOT_IN") === isNegated ? values : others);
  }
  if (isNegated || Comparator === "NOT_IN") return undefined;
  if (Comparator === "IN") return is(values);
  if (Comparator === "EXACT")
    note(where, "The condition requires exactly these options.", "It is also true if more options are selected.");
  return { all: values.map((value) => ({ question: source.id, is: [value] })) };
}
