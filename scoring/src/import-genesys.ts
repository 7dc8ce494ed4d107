import type { Condition } from "./condition.ts";
import type { ScorecardInput } from "./document.ts";
import { convertVisibility, positionKey } from "./import/genesys-conditions.ts";
import { GenesysForm, type GenesysGroup, type GenesysQuestion } from "./import/genesys-form.ts";
import { type ConvertedQuestion, convertQuestion } from "./import/genesys-questions.ts";
import { decimalFraction, integerWeights } from "./import/integer-weights.ts";
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
 * Converts an evaluation form of Genesys Cloud. Genesys divides the points times the weight of their group by the
 * possible points times that weight. So the weight of a question is its maximum times the weight of its group, spread over
 * the form.
 */
export function importGenesys(input: unknown): ImportedScorecard {
  const parsed = parseWith(GenesysForm, input);
  if (!parsed.ok) return parsed;
  const form = parsed.value;
  const notes: ImportNote[] = [];
  const note: Note = (where, what, instead) => notes.push({ where, what, instead });
  note("", "Genesys has no passing score.", `It was set to ${defaultPassingScore}.`);
  noteDefaults(form, note);
  const slug = uniqueSlugs();
  const places = convertQuestions(form, slug, note);
  const weights = convertWeights(form, places, note);
  const sections = form.questionGroups.flatMap((group, g) => {
    const questions = places.flatMap((place, index) =>
      place.group === g ? [toQuestion(place, weights[index], note)] : [],
    );
    const title = shorten(note, `/questionGroups/${g}/name`, group.name, 300);
    return questions.length > 0 ? [{ id: slug(group.name), title, questions }] : [];
  });
  const document = {
    format: "hearback.scorecard/1",
    name: shorten(note, "/name", form.name, 120),
    passing_score: defaultPassingScore,
    not_applicable: "spreads_over_form",
    sections,
  };
  return finishImport(document as ScorecardInput, notes);
}

function noteDefaults({ questionGroups }: GenesysForm, note: Note): void {
  questionGroups.forEach((group, index) => {
    const where = `/questionGroups/${index}`;
    if (
      group.defaultAnswersToHighest ||
      group.defaultAnswersToNA ||
      group.questions.some(({ defaultAnswer }) => defaultAnswer)
    )
      note(where, "Default answers have no equivalent.", "Reviewers answer every question.");
    if (group.naEnabled)
      note(`${where}/naEnabled`, "A section cannot be not applicable as a whole.", "Each of its questions can be.");
  });
  if (questionGroups.some(({ questions }) => questions.some(({ isCritical }) => isCritical)))
    note("", "The critical score has no equivalent.", 'Critical questions have the tag "critical", which has a score.');
}

interface PlacedQuestion {
  readonly id: string;
  readonly group: number;
  readonly where: string;
  readonly source: GenesysQuestion;
  readonly optional: boolean;
  readonly converted: ConvertedQuestion;
  readonly when: Condition | undefined;
}

/** All questions in order. A condition can only refer to questions that are already converted. */
function convertQuestions(form: GenesysForm, slug: (name: string) => string, note: Note): PlacedQuestion[] {
  const sources = new Map<string, { id: string; options: readonly string[] }>();
  return form.questionGroups.flatMap((group, g) => {
    const place = `/questionGroups/${g}`;
    const visibility = (of: GenesysGroup | GenesysQuestion, where: string) =>
      convertVisibility(of.visibilityCondition, { sources, group: g, note, where: `${where}/visibilityCondition` });
    const ofGroup = visibility(group, place);
    return group.questions.flatMap((source, q) => {
      const where = `${place}/questions/${q}`;
      const conditions = [ofGroup, visibility(source, where)].filter((each) => each !== undefined);
      const when = conditions.length > 1 ? { all: conditions } : conditions[0];
      const optional = Boolean(source.naEnabled || group.naEnabled);
      const placed = convertQuestion(source, { note, where }).map((converted) => ({
        id: slug(converted.title),
        group: g,
        where,
        source,
        optional,
        converted,
        when,
      }));
      const [only] = placed;
      if (only && placed.length === 1) sources.set(positionKey(g, q), { id: only.id, options: only.converted.options });
      return placed;
    });
  });
}

function convertWeights(form: GenesysForm, places: readonly PlacedQuestion[], note: Note): readonly number[] {
  const fractions = places.map(({ group, converted }) => {
    const maximum = decimalFraction(converted.maximum);
    const weight = decimalFraction(form.questionGroups[group]?.weight ?? 1);
    return { numerator: maximum.numerator * weight.numerator, denominator: maximum.denominator * weight.denominator };
  });
  const { weights, kind } = integerWeights(fractions);
  if (kind === "scaled")
    note("", "Points times group weights are too large or have decimals.", "Weights are in the same proportion.");
  if (kind === "rounded") note("", "Weights have too many digits.", "They were rounded: scores can differ slightly.");
  return weights;
}

function toQuestion(place: PlacedQuestion, weight: number | undefined, note: Note): object {
  const { id, where, source, converted, when, optional } = place;
  return {
    id,
    title: shorten(note, `${where}/text`, converted.title, 300),
    ...(source.helpText?.trim() ? { guidance: shorten(note, `${where}/helpText`, source.helpText, 4000) } : {}),
    ...converted.members,
    ...(weight ? { weight } : {}),
    ...(source.isCritical && weight ? { tags: ["critical"] } : {}),
    ...(optional ? { not_applicable: true } : {}),
    ...(when ? { when } : {}),
  };
}
