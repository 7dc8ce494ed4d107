import type { ScorecardInput } from "./document.ts";
import { convertEnablement, type SourceQuestion } from "./import/amazon-connect-conditions.ts";
import {
  ConnectForm,
  type ConnectItem,
  type ConnectQuestion,
  type ConnectSection,
} from "./import/amazon-connect-form.ts";
import { convertQuestion, isScoredInConnect } from "./import/amazon-connect-questions.ts";
import { decimalFraction, type Fraction, integerWeights } from "./import/integer-weights.ts";
import {
  defaultPassingScore,
  finishImport,
  type ImportedScorecard,
  type ImportNote,
  type Note,
  shorten,
} from "./import/report.ts";
import { uniqueSlugs } from "./import/unique-slugs.ts";
import { parseWith } from "./problem.ts";

/**
 * Converts an evaluation form of Amazon Connect: the JSON of CreateEvaluationForm or DescribeEvaluationForm. Connect
 * spreads the weight of questions that are not applicable over the form, and so does the result.
 */
export function importAmazonConnect(input: unknown): ImportedScorecard {
  const parsed = parseWith(ConnectForm, input);
  if (!parsed.ok) return parsed;
  const form = parsed.value;
  const notes: ImportNote[] = [];
  const note: Note = (where, what, instead) => notes.push({ where, what, instead });
  const groups = groupQuestions(form, note);
  const weights = convertWeights(form, groups, note);
  const slug = uniqueSlugs();
  const sources = new Map<string, SourceQuestion>();
  note("", "Amazon Connect has no passing score.", `It was set to ${defaultPassingScore}.`);
  if (form.AutoEvaluationConfiguration?.Enabled)
    note("/AutoEvaluationConfiguration", "Automatic evaluation has no equivalent.", "It was left out.");
  const sections = groups.map((group) => ({
    id: slug(group.id),
    title: shorten(note, `${group.where}/Title`, group.title, 300),
    questions: group.questions.map(({ question, where }, index) => {
      const id = slug(question.RefId);
      const instructions = [index === 0 ? group.instructions : undefined, question.Instructions]
        .filter(Boolean)
        .join("\n\n");
      const when = convertEnablement(question, { sources, note, where: `${where}/Enablement` });
      const converted = convertQuestion(question, { section: group.id, note, where });
      sources.set(question.RefId, { id, ...converted.source });
      return {
        ...converted.question,
        id,
        title: shorten(note, `${where}/Title`, question.Title, 300),
        ...(instructions.trim() ? { guidance: shorten(note, `${where}/Instructions`, instructions, 4000) } : {}),
        ...(question.NotApplicableEnabled ? { not_applicable: true } : {}),
        ...(weights.has(question) ? { weight: weights.get(question) } : {}),
        ...(when ? { when } : {}),
      };
    }),
  }));
  const document = {
    format: "hearback.scorecard/1",
    name: shorten(note, "/Title", form.Title, 120),
    ...(form.Description?.trim() ? { description: shorten(note, "/Description", form.Description, 4000) } : {}),
    passing_score: defaultPassingScore,
    not_applicable: "spreads_over_form",
    sections,
  };
  return finishImport(document as ScorecardInput, notes);
}

interface LocatedQuestion {
  readonly question: ConnectQuestion;
  readonly where: string;
}

/** A section at the top level with all its questions. */
interface Group {
  readonly id: string;
  readonly title: string;
  readonly where: string;
  readonly instructions: string | undefined;
  readonly weight: number | undefined;
  readonly questions: readonly LocatedQuestion[];
}

function groupQuestions(form: ConnectForm, note: Note): Group[] {
  const outside = form.Items.flatMap(({ Question }, index) =>
    Question ? [{ question: Question, where: `/Items/${index}/Question` }] : [],
  );
  const title = form.Title;
  const general = { id: "general", title, where: "", instructions: undefined, weight: undefined, questions: outside };
  const groups = form.Items.flatMap(({ Section }, index) =>
    Section ? [groupOf(Section, `/Items/${index}/Section`, note)] : [],
  );
  if (outside.length === 0) return groups;
  note("/Items", "Questions outside of sections have no equivalent.", `They are in a section "${title}".`);
  return [general, ...groups];
}

function groupOf(section: ConnectSection, where: string, note: Note): Group {
  if (section.Instructions?.trim())
    note(
      `${where}/Instructions`,
      "Sections have no instructions.",
      "They were added to the guidance of the first question.",
    );
  return {
    id: section.RefId,
    title: section.Title,
    where,
    instructions: section.Instructions?.trim() || undefined,
    weight: section.Weight ?? undefined,
    questions: questionsIn(section.Items, `${where}/Items`, note),
  };
}

function questionsIn(items: readonly ConnectItem[], where: string, note: Note): LocatedQuestion[] {
  return items.flatMap(({ Question, Section }, index) => {
    if (Question) return [{ question: Question, where: `${where}/${index}/Question` }];
    if (!Section) return [];
    const place = `${where}/${index}/Section`;
    const shares = Section.Weight ? ", and share its weight" : "";
    note(
      place,
      `The section "${Section.Title}" is within another.`,
      `Its questions were moved to the section around it${shares}.`,
    );
    return questionsIn(Section.Items, `${place}/Items`, note);
  });
}

/** The weight of every scored question. With weights by section, each question of a section has the same. */
function convertWeights(form: ConnectForm, groups: readonly Group[], note: Note): ReadonlyMap<ConnectQuestion, number> {
  const { Mode = "", Status = "DISABLED" } = form.ScoringStrategy ?? {};
  if (Status !== "ENABLED") return new Map();
  if (Mode !== "QUESTION_ONLY" && Mode !== "SECTION_ONLY") {
    note("/ScoringStrategy/Mode", `The mode ${Mode} has no equivalent.`, "Questions have no weights: set them.");
    return new Map();
  }
  const exact = groups.flatMap((group) => {
    const scored = group.questions.map(({ question }) => question).filter(isScoredInConnect);
    const share = decimalFraction(group.weight ?? 0);
    return scored.map((question): [ConnectQuestion, Fraction] => [
      question,
      Mode === "QUESTION_ONLY"
        ? decimalFraction(question.Weight ?? 0)
        : { ...share, denominator: share.denominator * BigInt(scored.length) },
    ]);
  });
  const { weights, kind } = integerWeights(exact.map(([, fraction]) => fraction));
  if (kind === "scaled") note("", "Weights have decimals.", "They are integers in the same proportion.");
  if (kind === "rounded") note("", "Weights have too many decimals.", "They were rounded: scores can differ slightly.");
  return new Map(exact.map(([question], index) => [question, weights[index] ?? 0]));
}
