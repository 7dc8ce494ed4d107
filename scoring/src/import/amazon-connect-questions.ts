import { questionLimits } from "../limits.ts";
import type { SourceQuestion } from "./amazon-connect-conditions.ts";
import type { ConnectOption, ConnectQuestion, ConnectRange } from "./amazon-connect-form.ts";
import { type Note, shorten } from "./report.ts";
import { uniqueSlugs } from "./unique-slugs.ts";

interface Context {
  /** RefId of the section. */
  readonly section: string;
  readonly note: Note;
  readonly where: string;
}

interface ConvertedQuestion {
  readonly question: object;
  readonly source: Pick<SourceQuestion, "isMultiple" | "options">;
}

/** Whether an answer to the question has points. */
export function isScoredInConnect({ QuestionType, QuestionTypeProperties: properties }: ConnectQuestion): boolean {
  const byType = {
    SINGLESELECT: properties?.SingleSelect,
    MULTISELECT: properties?.MultiSelect,
    NUMERIC: properties?.Numeric,
  };
  const answers = Object.hasOwn(byType, QuestionType)
    ? byType[QuestionType as keyof typeof byType]?.Options
    : undefined;
  return (answers ?? []).some(({ Score }) => (Score ?? 0) > 0);
}

/** The members of a question that depend on its type. */
export function convertQuestion(question: ConnectQuestion, context: Context): ConvertedQuestion {
  const { SingleSelect, MultiSelect, Numeric, Text } = question.QuestionTypeProperties ?? {};
  const { note, where } = context;
  if ([SingleSelect, MultiSelect, Numeric, Text].some((each) => each?.Automation))
    note(`${where}/QuestionTypeProperties`, "Automatic answers have no equivalent.", "Reviewers answer the question.");
  if (question.QuestionType === "SINGLESELECT" && SingleSelect)
    return convertOptions("choice", SingleSelect.Options, context);
  if (question.QuestionType === "MULTISELECT" && MultiSelect) {
    if (isScoredInConnect(question))
      note(where, "Scores of multiple answers may be combined in another way.", "They add up.");
    return convertOptions("multiple", MultiSelect.Options, context);
  }
  const source = { isMultiple: false, options: new Map() };
  if (question.QuestionType === "NUMERIC") return { question: convertNumber(Numeric?.Options ?? [], context), source };
  if (question.QuestionType !== "TEXT")
    note(where, `Questions of type ${question.QuestionType} have no equivalent.`, "It is a text question.");
  return { question: { type: "text" }, source };
}

function convertOptions(
  type: "choice" | "multiple",
  all: readonly ConnectOption[],
  context: Context,
): ConvertedQuestion {
  const { note, where } = context;
  if (all.length > questionLimits.options)
    note(where, `The question has ${all.length} options.`, `Only the first ${questionLimits.options} were imported.`);
  const slug = uniqueSlugs();
  const kept = all.slice(0, questionLimits.options).map((option) => ({ option, id: slug(option.RefId) }));
  const options = kept.map(({ option, id }) => ({
    id,
    label: shorten(note, where, option.Text || option.RefId, 200),
    ...(typeof option.Score === "number" ? { points: option.Score } : {}),
    ...failsOf(option, context),
  }));
  const source = {
    isMultiple: type === "multiple",
    options: new Map(kept.map(({ option, id }) => [option.RefId, id])),
  };
  return { question: { type, options }, source };
}

const failsAutomatically = ({ AutomaticFail, AutomaticFailConfiguration }: ConnectOption | ConnectRange) =>
  AutomaticFail ?? Boolean(AutomaticFailConfiguration);

function failsOf(answer: ConnectOption | ConnectRange, context: Context): object {
  if (!failsAutomatically(answer)) return {};
  const target = answer.AutomaticFailConfiguration?.TargetSection;
  if (!target) return { fails: "call" };
  if (target === context.section) return { fails: "section" };
  context.note(context.where, "An answer fails another section.", "It fails nothing.");
  return {};
}

/** Ranges become bands. Bands cannot fail: with an automatic fail, ranges become options. */
function convertNumber(ranges: readonly ConnectRange[], context: Context): object {
  if (ranges.length === 0) return { type: "number" };
  if (ranges.some(failsAutomatically)) {
    context.note(
      context.where,
      "A range of numbers fails automatically.",
      "Reviewers choose a range instead of a number.",
    );
    const options = ranges.map((range, index) => ({
      id: `range_${index + 1}`,
      label: range.MinValue === range.MaxValue ? `${range.MinValue}` : `${range.MinValue} – ${range.MaxValue}`,
      points: range.Score ?? 0,
      ...failsOf(range, context),
    }));
    return { type: "choice", options };
  }
  const bands = ranges.map(({ MinValue, MaxValue, Score }) => ({ from: MinValue, to: MaxValue, points: Score ?? 0 }));
  return { type: "number", bands };
}
