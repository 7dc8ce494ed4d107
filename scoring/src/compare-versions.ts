import { canonicalJson } from "./canonical-json.ts";
import { answerConditions } from "./condition.ts";
import type { ScorecardDocument, Section } from "./document.ts";
import { longestIncreasing } from "./longest-increasing.ts";
import type { Option, Question } from "./question.ts";
import { optionsOf, weightOf } from "./question-points.ts";

/** One difference between two versions of a scorecard. */
export interface Change {
  readonly subject: "setting" | "section" | "question" | "option";
  readonly kind: "added" | "removed" | "moved" | "changed";
  /** The name of the setting, or the id of the section, question or option. */
  readonly id: string;
  /** The question of an option. */
  readonly question?: string;
  /** The changed field, such as `weight`. A question that moved to another section has the field `section`. */
  readonly field?: string;
  /** Values before and after the change. Absent: there was none, or there is none. */
  readonly before?: unknown;
  readonly after?: unknown;
  /** Whether the same call can get another score or outcome, so that old and new results are not comparable. */
  readonly affectsComparability: boolean;
}

/** The differences between two versions: settings first, then sections, questions and their options in order. */
export function compareVersions(before: ScorecardDocument, after: ScorecardDocument): Change[] {
  return [...compareSettings(before, after), ...compareSections(before, after), ...compareQuestions(before, after)];
}

type Members = Readonly<Record<string, unknown>>;
type Subject = Pick<Change, "subject" | "id" | "question">;

/** Changes of members, except those that are compared one by one. */
function compareMembers(
  subject: Subject | undefined,
  [before, after]: readonly [before: Members, after: Members],
  ignored: readonly string[],
  affects: (field: string) => boolean,
): Change[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (field) => !ignored.includes(field),
  );
  return fields
    .filter((field) => !isEqual(before[field], after[field]))
    .map((field) => ({
      ...(subject ? { ...subject, field } : { subject: "setting", id: field }),
      kind: "changed",
      ...(before[field] === undefined ? {} : { before: before[field] }),
      ...(after[field] === undefined ? {} : { after: after[field] }),
      affectsComparability: affects(field),
    }));
}

const isEqual = (a: unknown, b: unknown) =>
  a === undefined || b === undefined ? a === b : canonicalJson(a) === canonicalJson(b);

const scoringSettings = ["passing_score", "not_applicable", "fail"];

const compareSettings = (before: ScorecardDocument, after: ScorecardDocument) =>
  compareMembers(undefined, [before, after], ["sections"], (field) => scoringSettings.includes(field));

interface HasId {
  readonly id: string;
}

const missingFrom = <Item extends HasId>(list: readonly HasId[], items: readonly Item[]): Item[] => {
  const ids = new Set(list.map(({ id }) => id));
  return items.filter(({ id }) => !ids.has(id));
};

/** The fewest items that must move to bring those in both lists into their new order. */
function movedItems<Item extends HasId>(before: readonly HasId[], after: readonly Item[]): Item[] {
  const positions = new Map(before.map(({ id }, index) => [id, index]));
  const common = after.filter(({ id }) => positions.has(id));
  const inOrder = longestIncreasing(common.map(({ id }) => positions.get(id) ?? 0));
  return common.filter((_, index) => !inOrder.has(index));
}

/** Entries added to, removed from and moved within one list. */
function compareList<Item extends HasId>(
  before: readonly Item[],
  after: readonly Item[],
  change: (kind: "added" | "removed" | "moved", item: Item) => Change,
): Change[] {
  return [
    ...missingFrom(after, before).map((item) => change("removed", item)),
    ...missingFrom(before, after).map((item) => change("added", item)),
    ...movedItems(before, after).map((item) => change("moved", item)),
  ];
}

function compareSections(before: ScorecardDocument, after: ScorecardDocument): Change[] {
  const old = new Map(before.sections.map((section) => [section.id, section]));
  return [
    ...compareList(before.sections, after.sections, (kind, { id }) => ({
      subject: "section",
      kind,
      id,
      // Its questions are listed on their own.
      affectsComparability: false,
    })),
    ...after.sections.flatMap((section) => {
      const same = old.get(section.id);
      const affects = (field: string) => field === "weight";
      return same
        ? compareMembers({ subject: "section", id: section.id }, [same, section], ["id", "questions"], affects)
        : [];
    }),
  ];
}

interface PlacedQuestion extends HasId {
  readonly question: Question;
  readonly section: string;
}

const placed = (sections: readonly Section[]): PlacedQuestion[] =>
  sections.flatMap((section) =>
    section.questions.map((question) => ({ id: question.id, question, section: section.id })),
  );

/** The ids of questions that can change a result: scored, with failing answers, or the condition of another question. */
function influentialQuestions(document: ScorecardDocument): string[] {
  const questions = document.sections.flatMap((section) => section.questions);
  const counting = questions.filter(
    (question) => weightOf(question) > 0 || optionsOf(question).some(({ fails }) => fails),
  );
  const conditions = questions.flatMap(({ when }) => (when ? answerConditions(when) : []));
  return [...counting.map(({ id }) => id), ...conditions.map(({ question }) => question)];
}

function compareQuestions(before: ScorecardDocument, after: ScorecardDocument): Change[] {
  const [oldPlaces, newPlaces] = [placed(before.sections), placed(after.sections)];
  const old = new Map(oldPlaces.map((place) => [place.id, place]));
  const influential = new Set([before, after].flatMap(influentialQuestions));
  const change = (kind: Change["kind"], { id }: HasId, more: Partial<Change> = {}): Change => ({
    subject: "question",
    kind,
    id,
    affectsComparability: influential.has(id),
    ...more,
  });
  // Questions that stay in their section may have another order there, which changes nothing.
  const reordered = after.sections.flatMap(({ id }) => {
    const [left, right] = [oldPlaces, newPlaces].map((places) => places.filter(({ section }) => section === id));
    return movedItems(left ?? [], right ?? []);
  });
  const elsewhere = newPlaces.filter(({ id, section }) => old.has(id) && old.get(id)?.section !== section);
  return [
    ...missingFrom(newPlaces, oldPlaces).map((place) => change("removed", place)),
    ...missingFrom(oldPlaces, newPlaces).map((place) => change("added", place)),
    ...reordered.map((place) => change("moved", place, { affectsComparability: false })),
    ...elsewhere.map((place) =>
      change("moved", place, { field: "section", before: old.get(place.id)?.section, after: place.section }),
    ),
    ...newPlaces.flatMap(({ id, question }) => {
      const same = old.get(id)?.question;
      return same ? compareQuestion(same, question, influential.has(id)) : [];
    }),
  ];
}

const harmlessFields = ["title", "guidance"];

function compareQuestion(before: Question, after: Question, affects: boolean): Change[] {
  const [oldOptions, newOptions] = [before, after].map((question) => ("options" in question ? question.options : []));
  const subject = { subject: "question", id: after.id } as const;
  return [
    ...compareMembers(subject, [before, after], ["id", "options"], (field) => {
      if (harmlessFields.includes(field)) return false;
      // What `yes` and `no` do: a required comment changes no result.
      if (field === "yes" || field === "no") return failsOf(before, field) !== failsOf(after, field);
      return affects;
    }),
    ...compareOptions(after, affects, oldOptions ?? [], newOptions ?? []),
  ];
}

const failsOf = (question: Question, answer: "yes" | "no") =>
  optionsOf(question).find(({ id }) => id === answer)?.fails;

function compareOptions(
  question: Question,
  affects: boolean,
  before: readonly Option[],
  after: readonly Option[],
): Change[] {
  const old = new Map(before.map((option) => [option.id, option]));
  return [
    ...compareList(before, after, (kind, { id }) => ({
      subject: "option",
      kind,
      id,
      question: question.id,
      // The order of a scale is part of its meaning.
      affectsComparability: kind === "moved" ? question.type === "scale" : affects,
    })),
    ...after.flatMap((option) => {
      const same = old.get(option.id);
      const subject = { subject: "option", id: option.id, question: question.id } as const;
      const isScored = (field: string) => field === "fails" || (field === "points" && affects);
      return same ? compareMembers(subject, [same, option], ["id"], isScored) : [];
    }),
  ];
}
