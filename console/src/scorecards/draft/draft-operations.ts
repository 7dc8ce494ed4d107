import type { Condition } from "@hearback/scoring/condition";
import { toSlug, uniqueSlug } from "@hearback/scoring/slug";
import type {
  DraftDocument,
  DraftOption,
  DraftQuestion,
  DraftSection,
  DraftSettings,
  QuestionType,
} from "./draft-document.ts";

// Every operation returns a new document, or the same one if it changes nothing.

/** Merges members. Undefined removes one. */
export function patch<Value extends object>(value: Value, change: Partial<Value>): Value {
  const merged = Object.entries({ ...value, ...change }).filter(([, member]) => member !== undefined);
  return Object.fromEntries(merged) as Value;
}

export const changeSettings = (document: DraftDocument, change: Partial<DraftSettings>): DraftDocument =>
  patch<DraftDocument>(document, change);

/** An operation that adds an element, and the id of that element. */
export interface Added {
  readonly document: DraftDocument;
  readonly id: string;
}

interface Place {
  readonly section: number;
  readonly index: number;
}

export const sectionIndex = (document: DraftDocument, id: string): number =>
  document.sections.findIndex((section) => section.id === id);

export function placeOf(document: DraftDocument, id: string): Place | undefined {
  for (const [section, { questions }] of document.sections.entries()) {
    const index = questions.findIndex((question) => question.id === id);
    if (index !== -1) return { section, index };
  }
  return undefined;
}

export function findQuestion(document: DraftDocument, id: string): DraftQuestion | undefined {
  const place = placeOf(document, id);
  return place && document.sections[place.section]?.questions[place.index];
}

/** Sections and questions share one namespace. */
function takenIds(document: DraftDocument): Set<string> {
  return new Set(document.sections.flatMap(({ id, questions }) => [id, ...questions.map((question) => question.id)]));
}

/** An id from a title, unique in the document. */
export function newId(document: DraftDocument, title: string): string {
  const taken = takenIds(document);
  return uniqueSlug(title, (id) => taken.has(id));
}

const withSections = (document: DraftDocument, sections: readonly DraftSection[]): DraftDocument => ({
  ...document,
  sections,
});

const inserted = <Item>(items: readonly Item[], index: number, item: Item): Item[] => items.toSpliced(index, 0, item);

function moved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const target = Math.max(0, Math.min(to, items.length - 1));
  const item = items[from];
  if (item === undefined || target === from) return items;
  return items.toSpliced(from, 1).toSpliced(target, 0, item);
}

export function addSection(document: DraftDocument, title: string): Added {
  const id = newId(document, title);
  return { document: withSections(document, [...document.sections, { id, title, questions: [] }]), id };
}

export function changeSection(document: DraftDocument, id: string, change: Partial<DraftSection>): DraftDocument {
  return withSections(
    document,
    document.sections.map((section) => (section.id === id ? patch(section, change) : section)),
  );
}

/** Moves a section to an index, counted without it. */
export function moveSection(document: DraftDocument, id: string, to: number): DraftDocument {
  const sections = moved(document.sections, sectionIndex(document, id), to);
  return sections === document.sections ? document : withSections(document, sections);
}

export const deleteSection = (document: DraftDocument, id: string): DraftDocument =>
  withSections(
    document,
    document.sections.filter((section) => section.id !== id),
  );

/** Copies a section with its questions. Conditions among the copied questions refer to the copies. */
export function duplicateSection(document: DraftDocument, id: string, title: string): Added {
  const index = sectionIndex(document, id);
  const source = document.sections[index];
  if (!source) return { document, id };
  const copyId = newId(document, title);
  const taken = takenIds(document).add(copyId);
  const ids = new Map<string, string>();
  for (const question of source.questions) {
    const next = uniqueSlug(question.id, (candidate) => taken.has(candidate));
    taken.add(next);
    ids.set(question.id, next);
  }
  const questions = source.questions.map((question) => ({
    ...withCondition(question, (name) => ids.get(name) ?? name),
    id: ids.get(question.id) ?? question.id,
  }));
  const copy = { ...source, id: copyId, title, questions };
  return { document: withSections(document, inserted(document.sections, index + 1, copy)), id: copyId };
}

export interface NewQuestion {
  readonly title: string;
  readonly type: QuestionType;
  /** Labels of the first options, worst or best first, with their points. */
  readonly options?: readonly Omit<DraftOption, "id">[];
}

/** Weight of a new question, unless the section has questions already. */
const firstWeight = 5;

const isScoredType = (type: QuestionType) => type !== "text" && type !== "number";

/** Adds a question to the end of a section. It weighs as much as the question above it. */
export function addQuestion(document: DraftDocument, section: string, { title, type, options }: NewQuestion): Added {
  const id = newId(document, title);
  const question: DraftQuestion = {
    id,
    title,
    type,
    ...(isScoredType(type) && type !== "multiple" && { weight: weightAbove(document, section) }),
    ...(hasOptions(type) && { options: withIds(options ?? []) }),
  };
  const added = document.sections.map((each) =>
    each.id === section ? { ...each, questions: [...each.questions, question] } : each,
  );
  return { document: withSections(document, added), id };
}

function weightAbove(document: DraftDocument, section: string): number {
  const questions = document.sections[sectionIndex(document, section)]?.questions ?? [];
  return questions.findLast(({ weight }) => weight !== undefined)?.weight ?? firstWeight;
}

export const hasOptions = (type: QuestionType): boolean => ["choice", "scale", "multiple"].includes(type);

function withIds(options: readonly Omit<DraftOption, "id">[]): DraftOption[] {
  const taken = new Set<string>();
  return options.map((option) => {
    const id = uniqueSlug(option.label || "option", (candidate) => taken.has(candidate));
    taken.add(id);
    return { ...option, id };
  });
}

function updateQuestion(
  document: DraftDocument,
  id: string,
  update: (question: DraftQuestion) => DraftQuestion,
): DraftDocument {
  const place = placeOf(document, id);
  const section = place && document.sections[place.section];
  const question = section?.questions[place?.index ?? -1];
  if (!place || !section || !question) return document;
  const next = update(question);
  if (next === question) return document;
  const questions = section.questions.with(place.index, next);
  return withSections(document, document.sections.with(place.section, { ...section, questions }));
}

export const changeQuestion = (document: DraftDocument, id: string, change: Partial<DraftQuestion>): DraftDocument =>
  updateQuestion(document, id, (question) => patch(question, change));

/** Changes the type. Members that the new type does not have are removed; options stay among types that have them. */
export function changeType(
  document: DraftDocument,
  id: string,
  type: QuestionType,
  options: NewQuestion["options"] = [],
): DraftDocument {
  return updateQuestion(document, id, (question) => {
    if (question.type === type) return question;
    const { yes, no, max_points, bands, weight, tags, options: before, ...rest } = question;
    return patch<DraftQuestion>(
      { ...rest, type },
      {
        ...(type !== "text" && { weight, tags }),
        ...(hasOptions(type) && { options: before ?? withIds(options) }),
      },
    );
  });
}

/** Moves a question to an index of a section, counted without it. */
export function moveQuestion(document: DraftDocument, id: string, section: string, to: number): DraftDocument {
  const from = placeOf(document, id);
  const target = sectionIndex(document, section);
  const question = findQuestion(document, id);
  if (!from || !question || target === -1) return document;
  if (from.section === target) {
    const source = document.sections[target];
    if (!source) return document;
    const questions = moved(source.questions, from.index, to);
    if (questions === source.questions) return document;
    return withSections(document, document.sections.with(target, { ...source, questions }));
  }
  return withSections(
    document,
    document.sections.map((each, index) => {
      if (index === from.section) return { ...each, questions: each.questions.toSpliced(from.index, 1) };
      if (index !== target) return each;
      const at = Math.max(0, Math.min(to, each.questions.length));
      return { ...each, questions: inserted(each.questions, at, question) };
    }),
  );
}

/** Moves a question by one, into the neighbouring section at the end of its own. */
export function stepQuestion(document: DraftDocument, id: string, by: -1 | 1): DraftDocument {
  const from = placeOf(document, id);
  const own = from && document.sections[from.section];
  if (!from || !own) return document;
  const to = from.index + by;
  if (to >= 0 && to < own.questions.length) return moveQuestion(document, id, own.id, to);
  const next = document.sections[from.section + by];
  return next ? moveQuestion(document, id, next.id, by === 1 ? 0 : next.questions.length) : document;
}

/** Copies a question to the place below it. */
export function duplicateQuestion(document: DraftDocument, id: string, title: string): Added {
  const place = placeOf(document, id);
  const question = findQuestion(document, id);
  const section = place && document.sections[place.section];
  if (!place || !question || !section) return { document, id };
  const copyId = newId(document, title);
  const questions = inserted(section.questions, place.index + 1, { ...question, id: copyId, title });
  return {
    document: withSections(document, document.sections.with(place.section, { ...section, questions })),
    id: copyId,
  };
}

export function deleteQuestion(document: DraftDocument, id: string): DraftDocument {
  const place = placeOf(document, id);
  const section = place && document.sections[place.section];
  if (!place || !section) return document;
  const questions = section.questions.toSpliced(place.index, 1);
  return withSections(document, document.sections.with(place.section, { ...section, questions }));
}

/** The question that takes the focus when this one is deleted: the next one of the section, else the previous one. */
export function neighbourOf(document: DraftDocument, id: string): string | undefined {
  const place = placeOf(document, id);
  const questions = place && document.sections[place.section]?.questions;
  return place && (questions?.[place.index + 1] ?? questions?.[place.index - 1])?.id;
}

/** Gives a question a new id from its title, so that its answers are not compared with earlier ones. */
export function renewId(document: DraftDocument, id: string): Added {
  const question = findQuestion(document, id);
  if (!question) return { document, id };
  const next = newId(document, toSlug(question.title) === id ? `${question.title} 2` : question.title);
  const sections = document.sections.map((section) => ({
    ...section,
    questions: section.questions.map((each) => {
      const renamed = withCondition(each, (name) => (name === id ? next : name));
      return each.id === id ? { ...renamed, id: next } : renamed;
    }),
  }));
  return { document: withSections(document, sections), id: next };
}

/** Renames the questions, and their answers, that the condition of a question refers to. */
function withCondition(
  question: DraftQuestion,
  questionName: (name: string) => string,
  answerName = (_question: string, answer: string) => answer,
): DraftQuestion {
  if (!question.when) return question;
  const rename = (condition: Condition): Condition => {
    if ("all" in condition) return { all: condition.all.map(rename) };
    if ("any" in condition) return { any: condition.any.map(rename) };
    const name = condition.question;
    return { question: questionName(name), is: condition.is.map((answer) => answerName(name, answer)) };
  };
  const when = rename(question.when);
  return JSON.stringify(when) === JSON.stringify(question.when) ? question : { ...question, when };
}

const provisionalOption = /^option(_\d+)?$/;

/** Adds an option without a label. Its id is provisional until the label is written. */
export function addOption(document: DraftDocument, id: string): DraftDocument {
  return updateQuestion(document, id, (question) => {
    const options = question.options ?? [];
    const isScored = options.some(({ points }) => points !== undefined);
    // A scale goes up.
    const points = question.type === "scale" ? (options.at(-1)?.points ?? -1) + 1 : 0;
    const taken = new Set(options.map((option) => option.id));
    const added = { id: uniqueSlug("option", (slug) => taken.has(slug)), label: "", ...(isScored && { points }) };
    return { ...question, options: [...options, added] };
  });
}

export const changeOption = (
  document: DraftDocument,
  id: string,
  index: number,
  change: Partial<DraftOption>,
): DraftDocument =>
  updateQuestion(document, id, (question) => {
    const option = question.options?.[index];
    return option ? { ...question, options: question.options?.with(index, patch(option, change)) } : question;
  });

/** Replaces the provisional id of an option by one from its label. `isPublished`: the id is part of a version and stays. */
export function settleOptionId(
  document: DraftDocument,
  id: string,
  index: number,
  isPublished: (option: string) => boolean,
): DraftDocument {
  const options = findQuestion(document, id)?.options ?? [];
  const option = options[index];
  if (!option || option.label.trim() === "" || !provisionalOption.test(option.id) || isPublished(option.id))
    return document;
  const others = new Set(options.filter((each) => each !== option).map((each) => each.id));
  const next = uniqueSlug(option.label, (slug) => others.has(slug));
  if (next === option.id) return document;
  const renamed = changeOption(document, id, index, { id: next });
  const answer = (question: string, name: string) => (question === id && name === option.id ? next : name);
  return withSections(
    renamed,
    renamed.sections.map((section) => ({
      ...section,
      questions: section.questions.map((question) => withCondition(question, (name) => name, answer)),
    })),
  );
}

export const moveOption = (document: DraftDocument, id: string, from: number, to: number): DraftDocument =>
  updateQuestion(document, id, (question) => {
    const options = question.options ?? [];
    const next = moved(options, from, to);
    return next === options ? question : { ...question, options: next };
  });

export const deleteOption = (document: DraftDocument, id: string, index: number): DraftDocument =>
  updateQuestion(document, id, (question) => ({ ...question, options: question.options?.toSpliced(index, 1) }));

/** Questions above this one that can be a condition. */
export function possibleConditions(document: DraftDocument, id: string): readonly DraftQuestion[] {
  const all = document.sections.flatMap(({ questions }) => questions);
  const index = all.findIndex((question) => question.id === id);
  return all.slice(0, Math.max(0, index)).filter(({ type }) => type !== "number" && type !== "text");
}
