import { questionLimits } from "../limits.ts";
import type { GenesysAnswer, GenesysOptionQuestion, GenesysQuestion } from "./genesys-form.ts";
import { decimalFraction, integerWeights } from "./integer-weights.ts";
import { type Note, shorten } from "./report.ts";
import { uniqueSlugs } from "./unique-slugs.ts";

/** A converted question without id and condition. */
export interface ConvertedQuestion {
  readonly title: string;
  /** The members that depend on the type. */
  readonly members: object;
  readonly options: readonly string[];
  /** The points of the best answer in Genesys. The weight is this times the weight of the group. */
  readonly maximum: number;
}

interface Context {
  readonly note: Note;
  readonly where: string;
}

/** The questions that one question becomes: none, one, or one for each option. */
export function convertQuestion(question: GenesysQuestion, { note, where }: Context): ConvertedQuestion[] {
  const title = question.text ?? "";
  const type =
    question.type ??
    (question.multipleSelectOptionQuestions?.length ? "multipleSelectQuestion" : "multipleChoiceQuestion");
  const unscored = (members: object) => [{ title, members, options: [], maximum: 0 }];
  if (type !== "multipleChoiceQuestion" && type !== "multipleSelectQuestion" && question.commentsRequired)
    note(`${where}/commentsRequired`, "Only options can require a comment.", "The comment is optional.");
  switch (type) {
    case "multipleChoiceQuestion":
      return [convertChoice(title, question.answerOptions ?? [], question, { note, where })];
    case "multipleSelectQuestion":
      return convertMultiple(question, { note, where });
    case "freeTextQuestion":
      return unscored({ type: "text" });
    case "npsQuestion":
      note(where, "Questions of type npsQuestion have no equivalent.", "It is a number without points.");
      return unscored({ type: "number" });
    case "readOnlyTextBlockQuestion":
      note(where, "Text blocks have no equivalent.", "It was left out. Put the text into the guidance of a question.");
      return [];
    default:
      note(where, `Questions of type ${type} have no equivalent.`, "It is a text question.");
      return unscored({ type: "text" });
  }
}

type Flags = Pick<GenesysQuestion, "isKill" | "commentsRequired">;

function convertChoice(
  title: string,
  all: readonly GenesysAnswer[],
  flags: Flags,
  { note, where }: Context,
): ConvertedQuestion {
  if (all.length > questionLimits.options)
    note(where, `The question has ${all.length} options.`, `Only the first ${questionLimits.options} were imported.`);
  if (all.some(({ assistanceConditions }) => assistanceConditions?.length))
    note(where, "Suggested answers have no equivalent.", "Reviewers answer the question.");
  const answers = all.slice(0, questionLimits.options);
  const values = pointsOf(answers, { note, where });
  const maximum = Math.max(0, ...answers.map(({ value }) => value ?? 0));
  const slug = uniqueSlugs();
  const options = answers.map(({ text, value, builtInType }, index) => {
    const label = shorten(note, where, text || builtInType || `Option ${index + 1}`, 200);
    return {
      id: slug(label),
      label,
      points: values[index] ?? 0,
      ...(flags.isKill && (value ?? 0) < maximum ? { fails: "call" } : {}),
      ...(flags.commentsRequired ? { comment: "required" } : {}),
    };
  });
  return { title, members: { type: "choice", options }, options: options.map(({ id }) => id), maximum };
}

function pointsOf(answers: readonly GenesysAnswer[], { note, where }: Context): readonly number[] {
  const values = answers.map(({ value }) => value ?? 0);
  if (values.some((value) => value < 0)) note(where, "Negative points have no equivalent.", "They were set to 0.");
  const { weights, kind } = integerWeights(values.map((value) => decimalFraction(Math.max(0, value))));
  if (kind === "rounded")
    note(where, "Points have too many decimals.", "They were rounded: scores can differ slightly.");
  return weights;
}

const selectedOf = ({ answerOptions }: GenesysOptionQuestion) =>
  answerOptions?.find(({ builtInType }) => builtInType === "Selected") ?? answerOptions?.[0];
const unselectedOf = ({ answerOptions }: GenesysOptionQuestion) =>
  answerOptions?.find(({ builtInType }) => builtInType === "Unselected") ?? answerOptions?.[1];

/** Points for leaving an option out have no equivalent in one question: each option then becomes a choice. */
function convertMultiple(question: GenesysQuestion, { note, where }: Context): ConvertedQuestion[] {
  const children = question.multipleSelectOptionQuestions ?? [];
  const title = question.text ?? "";
  const fits = children.every(
    (child) => (unselectedOf(child)?.value ?? 0) === 0 && (selectedOf(child)?.value ?? 0) >= 0,
  );
  if (!fits || question.isKill) {
    note(where, "Options that are not selected have points or fail.", "Each option is a question of its own.");
    return children.map((child) =>
      convertChoice(`${title}: ${child.text ?? ""}`, child.answerOptions ?? [], question, { note, where }),
    );
  }
  const selected = children.map((child) => ({ ...selectedOf(child), text: child.text }));
  const { members, options } = convertChoice(
    title,
    selected,
    { commentsRequired: question.commentsRequired },
    { note, where },
  );
  const maximum = selected.slice(0, questionLimits.options).reduce((sum, { value }) => sum + (value ?? 0), 0);
  return [{ title, members: { ...members, type: "multiple" }, options, maximum }];
}
