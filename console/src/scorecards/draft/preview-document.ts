import type { ScorecardDocument } from "@hearback/scoring/document";
import type { Question } from "@hearback/scoring/question";
import { weightOf } from "@hearback/scoring/question-points";
import type { DraftDocument, DraftQuestion, DraftSection } from "./draft-document.ts";

/** Shown in the preview instead of texts that are not written yet. */
interface Placeholders {
  readonly question: string;
  readonly section: string;
  readonly option: string;
}

const questions = new WeakMap<DraftQuestion, Question>();

/**
 * The draft as a document that can be shown and scored, also while it is incomplete. A question that did not change stays
 * the same object, so that only the changed ones are rendered again.
 */
export function previewDocument(draft: DraftDocument, placeholders: Placeholders): ScorecardDocument {
  return {
    not_applicable: "stays_in_section",
    fail: "zeroes_score",
    release: "on_submit",
    dispute_days: 14,
    dispute_levels: 1,
    ...draft,
    format: "hearback.scorecard/1",
    passing_score: draft.passing_score ?? 0,
    sections: draft.sections.map((section) => ({
      ...section,
      title: section.title.trim() || placeholders.section,
      questions: section.questions.map((question) => previewQuestion(question, placeholders)),
    })),
  } as ScorecardDocument;
}

function previewQuestion(question: DraftQuestion, placeholders: Placeholders): Question {
  const known = questions.get(question);
  if (known) return known;
  const { options, bands } = question;
  const preview = {
    not_applicable: false,
    ...(question.type !== "text" && { tags: [] }),
    ...question,
    title: question.title.trim() || placeholders.question,
    ...(options && {
      options: options.map((option, index) => ({
        ...option,
        label: option.label.trim() || `${placeholders.option} ${index + 1}`,
      })),
    }),
    ...(bands && { bands: bands.map((band) => ({ ...band, points: band.points ?? 0 })) }),
  } as unknown as Question;
  questions.set(question, preview);
  return preview;
}

/** The weights of the scored questions of a section. */
export const questionWeights = (section: DraftSection): number =>
  section.questions.reduce((sum, question) => sum + weightOf(question as unknown as Question), 0);

/** The weight of a section in the whole form: its own weight, if it has one that is used. */
export function sectionWeight(draft: DraftDocument, section: DraftSection): number {
  const sum = questionWeights(section);
  const usesOwn = draft.not_applicable !== "spreads_over_form" && sum > 0;
  return (usesOwn ? section.weight : undefined) ?? sum;
}

export const totalWeight = (draft: DraftDocument): number =>
  draft.sections.reduce((sum, section) => sum + sectionWeight(draft, section), 0);
