import type { AnswerCondition, Condition } from "../condition.ts";
import { conditionLimits } from "../limits.ts";
import type { GenesysVisibility } from "./genesys-form.ts";
import type { Note } from "./report.ts";

/** The id and the option ids of a converted question, by its position in the form. */
export type SourceQuestions = ReadonlyMap<string, { readonly id: string; readonly options: readonly string[] }>;

export const positionKey = (group: number, question: number) => `${group}/${question}`;

interface Context {
  readonly sources: SourceQuestions;
  /** The position of the group that relative predicates refer to. */
  readonly group: number;
  readonly note: Note;
  readonly where: string;
}

/** The condition, or undefined if there is none or it has no equivalent. */
export function convertVisibility(
  visibility: GenesysVisibility | null | undefined,
  context: Context,
): Condition | undefined {
  const predicates = visibility?.predicates ?? [];
  if (predicates.length === 0) return undefined;
  const answers = predicates
    .map((predicate) => convertPredicate(predicate, context))
    .filter((each) => each !== undefined);
  const isAnd = visibility?.combiningOperation !== "OR";
  const entries = isAnd ? answers : mergeAnswers(answers);
  const [only] = entries;
  if (!only || answers.length !== predicates.length || entries.length > conditionLimits.entries) {
    context.note(context.where, "The condition has no equivalent.", "What it hides is always visible.");
    return undefined;
  }
  if (entries.length === 1) return only;
  return isAnd ? { all: entries } : { any: entries };
}

const predicateForm = /^(?:\/form\/questionGroup\/(\d+)|[.][.])\/question\/(\d+)\/answer\/(\d+)$/;

function convertPredicate(predicate: unknown, { sources, group }: Context): AnswerCondition | undefined {
  const match = typeof predicate === "string" ? predicateForm.exec(predicate) : null;
  if (!match) return undefined;
  const [, otherGroup, question, answer] = match;
  const source = sources.get(positionKey(otherGroup === undefined ? group : Number(otherGroup), Number(question)));
  const option = source?.options[Number(answer)];
  return source && option !== undefined ? { question: source.id, is: [option] } : undefined;
}

/** One condition per question instead of one per answer. */
function mergeAnswers(conditions: readonly AnswerCondition[]): AnswerCondition[] {
  const byQuestion = Map.groupBy(conditions, ({ question }) => question);
  return [...byQuestion].map(([question, same]) => ({ question, is: [...new Set(same.flatMap(({ is }) => is))] }));
}
