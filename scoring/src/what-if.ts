import type { Answers } from "./answers.ts";
import { canonicalJson } from "./canonical-json.ts";
import { type Change, compareVersions } from "./compare-versions.ts";
import {
  type CompiledDocument,
  type CompiledQuestion,
  compileDocument,
  compileQuestion,
  type Scored,
} from "./compiled-score.ts";
import type { ScorecardDocument, Section } from "./document.ts";
import type { Question } from "./question.ts";

/** A part of a scorecard that differs and can change a score or an outcome. */
export interface WhatIfPart {
  readonly kind: "question" | "section" | "setting";
  /** The id of the question or section, or the name of the setting. */
  readonly id: string;
  readonly change: Change["kind"];
}

interface WhatIfReview {
  readonly id: string;
  readonly answers: Answers;
}

/** A review that would be on the other side of the passing score. Scores are in hundredths. */
interface WhatIfCrossing {
  readonly review_id: string;
  readonly to: "failed" | "passed";
  readonly before: number | null;
  readonly after: number | null;
}

interface SideSums {
  scored: number;
  /** Sum of the scores. */
  total: number;
  passed: number;
  failed: number;
  not_scored: number;
  /** Reviews with a score from 0 to below 5, from 5 to below 10, …, from 95 to 100. */
  readonly bins: number[];
}

interface PartSums {
  /** Reviews with a score before and after. */
  scored: number;
  /** Sum of the differences of their scores. */
  total: number;
  changed: number;
  passed_to_failed: number;
  failed_to_passed: number;
  not_comparable: number;
}

/** Sums over the reviews so far. JSON of a bounded size, so that a job can store it and continue later. */
export interface WhatIfSums {
  reviews: number;
  not_comparable: number;
  changed: number;
  passed_to_failed: number;
  failed_to_passed: number;
  readonly before: SideSums;
  readonly after: SideSums;
  /** In the order of `whatIfParts`. */
  readonly parts: readonly PartSums[];
  /** The first of each direction. */
  readonly crossings: WhatIfCrossing[];
}

export const whatIfLimits = { bins: 20, binWidth: 500, crossingsEachWay: 100 } as const;

/** Replays reviews on a published document and on a changed one. */
export interface WhatIf {
  readonly sums: WhatIfSums;
  readonly add: (review: WhatIfReview) => void;
}

/**
 * Compiles both documents, and for each difference the published document with this difference alone. Answers stay as they are: a
 * question that is new, or whose answer is no longer valid, is not applicable, and the review counts as not comparable.
 */
export function openWhatIf(before: ScorecardDocument, after: ScorecardDocument, stored?: WhatIfSums): WhatIf {
  // Equal questions are compiled, and their answers read, once for all documents.
  const shared = new Map<string, CompiledQuestion>();
  // The documents with one difference have the same objects, hundreds of times.
  const known = new Map<Question, CompiledQuestion>();
  const compiled = (question: Question): CompiledQuestion => {
    const same = known.get(question);
    if (same) return same;
    const key = canonicalJson(question);
    const found = shared.get(key) ?? compileQuestion(question);
    shared.set(key, found);
    known.set(question, found);
    return found;
  };
  const parts = whatIfParts(before, after);
  const [published, changed] = [compileDocument(before, compiled), compileDocument(after, compiled)];
  const variants = parts.map((part) => compileDocument(applyPart(before, after, part), compiled));
  const questions = [...shared.values()];
  const sums = stored ?? emptySums(parts.length);
  const incomparable = compileComparison(published, changed, parts);
  return {
    sums,
    add({ id, answers }) {
      for (const question of questions) question.read(answers);
      const [old, replayed] = [published.score(), changed.score()];
      sums.reviews += 1;
      addSide(sums.before, old);
      addSide(sums.after, replayed);
      if (countChange(sums, old, replayed)) addCrossing(sums.crossings, id, old, replayed);
      if (incomparable(sums.parts)) sums.not_comparable += 1;
      for (const [index, variant] of variants.entries()) addPart(sums.parts[index], old, variant.score());
    },
  };
}

const emptySide = (): SideSums => ({
  scored: 0,
  total: 0,
  passed: 0,
  failed: 0,
  not_scored: 0,
  bins: Array.from({ length: whatIfLimits.bins }, () => 0),
});

const emptySums = (parts: number): WhatIfSums => ({
  reviews: 0,
  not_comparable: 0,
  changed: 0,
  passed_to_failed: 0,
  failed_to_passed: 0,
  before: emptySide(),
  after: emptySide(),
  parts: Array.from({ length: parts }, () => ({
    scored: 0,
    total: 0,
    changed: 0,
    passed_to_failed: 0,
    failed_to_passed: 0,
    not_comparable: 0,
  })),
  crossings: [],
});

function addSide(side: SideSums, { score, outcome }: Scored): void {
  side[outcome] += 1;
  if (score === null) return;
  side.scored += 1;
  side.total += score;
  const bin = Math.min(whatIfLimits.bins - 1, Math.floor(score / whatIfLimits.binWidth));
  side.bins[bin] = (side.bins[bin] ?? 0) + 1;
}

type ChangeCounts = Pick<PartSums, "changed" | "passed_to_failed" | "failed_to_passed">;

/** Counts a change of the score or the outcome. Returns whether the review crosses the passing score. */
function countChange(counts: ChangeCounts, before: Scored, after: Scored): boolean {
  if (before.score === after.score && before.outcome === after.outcome) return false;
  counts.changed += 1;
  if (before.outcome === "passed" && after.outcome === "failed") counts.passed_to_failed += 1;
  else if (before.outcome === "failed" && after.outcome === "passed") counts.failed_to_passed += 1;
  else return false;
  return true;
}

function addPart(part: PartSums | undefined, before: Scored, after: Scored): void {
  if (!part) return;
  countChange(part, before, after);
  if (before.score === null || after.score === null) return;
  part.scored += 1;
  part.total += after.score - before.score;
}

function addCrossing(crossings: WhatIfCrossing[], id: string, before: Scored, after: Scored): void {
  const to = after.outcome === "failed" ? "failed" : "passed";
  if (crossings.filter((crossing) => crossing.to === to).length >= whatIfLimits.crossingsEachWay) return;
  crossings.push({ review_id: id, to, before: before.score, after: after.score });
}

/** Returns whether the answers that were read last do not fit both documents, and counts the questions that are the cause. */
function compileComparison(before: CompiledDocument, after: CompiledDocument, parts: readonly WhatIfPart[]) {
  const placesOf = ({ questions }: CompiledDocument) =>
    new Map(questions.map((question, position) => [question.id, { question, position }]));
  const [oldPlaces, newPlaces] = [placesOf(before), placesOf(after)];
  const indexes = new Map(parts.map(({ kind, id }, index) => [`${kind} ${id}`, index]));
  const pairs = [...new Set([...oldPlaces.keys(), ...newPlaces.keys()])].map((id) => ({
    old: oldPlaces.get(id),
    replayed: newPlaces.get(id),
    index: indexes.get(`question ${id}`),
  }));
  const isSeen = (document: CompiledDocument, position: number) => document.isVisible[position] === true;
  const isUnanswered = ({ earned }: CompiledQuestion) => !earned.marked && earned.points === undefined;
  const isIncomparable = ({ old, replayed }: (typeof pairs)[number]): boolean => {
    const oldSeen = old && isSeen(before, old.position) ? old.question : undefined;
    // Removed: an answer that counted is lost.
    if (!replayed) return oldSeen?.counts === true && oldSeen.earned.points !== undefined;
    const { question, position } = replayed;
    if (!question.counts || !isSeen(after, position)) return false;
    if (isUnanswered(question)) return !(oldSeen && isUnanswered(oldSeen));
    // Marked as not applicable, which the changed question does not allow.
    return question.earned.marked && !question.question.not_applicable && oldSeen?.question.not_applicable === true;
  };
  return (counts: readonly PartSums[]): boolean => {
    let found = false;
    for (const pair of pairs) {
      if (!isIncomparable(pair)) continue;
      found = true;
      const part = pair.index === undefined ? undefined : counts[pair.index];
      if (part) part.not_comparable += 1;
    }
    return found;
  };
}

/** The differences that can change a score or an outcome: settings, weights of sections, questions. */
export function whatIfParts(before: ScorecardDocument, after: ScorecardDocument): WhatIfPart[] {
  const parts = new Map<string, WhatIfPart>();
  for (const { subject, kind, id, question, affectsComparability } of compareVersions(before, after)) {
    if (!affectsComparability) continue;
    const part: WhatIfPart =
      subject === "option"
        ? { kind: "question", id: question ?? id, change: "changed" }
        : { kind: subject, id, change: kind };
    const key = `${part.kind} ${part.id}`;
    // A question that moved and changed is changed.
    parts.set(key, parts.has(key) ? { ...part, change: "changed" } : part);
  }
  return [...parts.values()];
}

/** The published document with one difference. */
export function applyPart(
  before: ScorecardDocument,
  after: ScorecardDocument,
  { kind, id }: WhatIfPart,
): ScorecardDocument {
  if (kind === "setting") return { ...before, [id]: after[id as keyof ScorecardDocument] };
  if (kind === "section") {
    const weight = after.sections.find((section) => section.id === id)?.weight;
    return {
      ...before,
      sections: before.sections.map((section) => (section.id === id ? withWeight(section, weight) : section)),
    };
  }
  return { ...before, sections: applyQuestion(before.sections, after.sections, id) };
}

function withWeight({ weight: _, ...section }: Section, weight: number | undefined): Section {
  return weight === undefined ? section : { ...section, weight };
}

/** Replaces the question, or removes it, or adds it at the end of its section, which is below everything that it depends on. */
function applyQuestion(before: readonly Section[], after: readonly Section[], id: string): Section[] {
  const home = after.find(({ questions }) => questions.some((question) => question.id === id));
  const changed = home?.questions.find((question) => question.id === id);
  const stays = before.some(
    (section) => section.id === home?.id && section.questions.some((question) => question.id === id),
  );
  const sections = before.map((section) => {
    const questions = section.questions.flatMap((question) => {
      if (question.id !== id) return [question];
      return stays && changed ? [changed] : [];
    });
    return {
      ...section,
      questions: section.id === home?.id && changed && !stays ? [...questions, changed] : questions,
    };
  });
  const isNewSection = home !== undefined && !before.some((section) => section.id === home.id);
  return isNewSection && changed ? [...sections, { ...home, questions: [changed] }] : sections;
}

/** In hundredths. null: no review has a score. */
const meanOf = ({ total, scored }: { readonly total: number; readonly scored: number }): number | null =>
  // Adding 0 turns -0 into 0.
  scored === 0 ? null : Math.round(total / scored) + 0;

const sideResult = ({ total, ...side }: SideSums) => ({ ...side, mean: meanOf({ ...side, total }) });

/** What would change, in the form in which it is sent. The parts with the largest effect come first. */
export function whatIfResult(parts: readonly WhatIfPart[], { before, after, parts: partSums, ...sums }: WhatIfSums) {
  const effects = parts.flatMap((part, index) => {
    const counted = partSums[index];
    if (!counted) return [];
    const { total, scored, ...counts } = counted;
    return [{ ...part, ...counts, mean_change: meanOf({ total, scored }) }];
  });
  const crossed = (effect: (typeof effects)[number]) => effect.passed_to_failed + effect.failed_to_passed;
  return {
    ...sums,
    before: sideResult(before),
    after: sideResult(after),
    parts: effects.toSorted(
      (a, b) => Math.abs(b.mean_change ?? 0) - Math.abs(a.mean_change ?? 0) || crossed(b) - crossed(a),
    ),
  };
}
export type WhatIfResult = ReturnType<typeof whatIfResult>;
