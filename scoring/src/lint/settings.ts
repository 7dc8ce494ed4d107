import type { ScorecardDocument, Section } from "../document.ts";
import { weightOf } from "../question-points.ts";
import { error, type Finding, repeated, warning } from "./finding.ts";

const scoredWeight = (section: Section) => section.questions.reduce((sum, question) => sum + weightOf(question), 0);

/** Settings, sections and weights. */
export function lintSettings(document: ScorecardDocument): Finding[] {
  if (document.sections.every((section) => section.questions.length === 0))
    return [error("/sections", "no_questions", "The scorecard has no questions.", "Add a question.")];
  const found: Finding[] = [];
  if (document.dispute_days === 0 && document.dispute_levels > 1)
    found.push(
      warning(
        "/dispute_levels",
        "dispute_levels_unused",
        "Disputes have two levels, but dispute_days is 0: there are no disputes.",
        "Set dispute_days, or remove dispute_levels.",
      ),
    );
  return [
    ...found,
    ...lintWeights(document),
    ...document.sections.flatMap((section, s) => lintSection(document, section, s)),
  ];
}

function lintWeights(document: ScorecardDocument): Finding[] {
  const scored = document.sections.filter((section) => scoredWeight(section) > 0);
  if (scored.length === 0)
    return [
      warning(
        "/sections",
        "nothing_scored",
        "No question is scored, so reviews have no score.",
        "Give questions a weight, and options points.",
      ),
    ];
  const found: Finding[] = [];
  if (document.passing_score === 0)
    found.push(
      warning(
        "/passing_score",
        "passing_score_zero",
        "With a passing score of 0, every score passes.",
        "Set a passing score.",
      ),
    );
  const usesSections = document.not_applicable === "stays_in_section";
  const total = scored.reduce((sum, each) => sum + ((usesSections ? each.weight : undefined) ?? scoredWeight(each)), 0);
  if (total !== 100)
    found.push(
      warning(
        "/sections",
        "weights_not_100",
        `The weights add up to ${total}, not 100.`,
        "Change weights, so that a weight is the number of points that a question is worth.",
      ),
    );
  return found;
}

function lintSection(document: ScorecardDocument, section: Section, s: number): Finding[] {
  const path = `/sections/${s}`;
  if (section.questions.length === 0)
    return [
      warning(
        path,
        "empty_section",
        `The section "${section.title}" has no questions.`,
        "Add questions, or remove it.",
      ),
    ];
  const titles = section.questions.map((question) => question.title);
  return [
    ...lintSectionWeight(document, section, `${path}/weight`),
    ...repeated(titles, (q, title) =>
      warning(
        `${path}/questions/${q}/title`,
        "duplicate_title",
        `"${title}" appears twice in the section "${section.title}".`,
        "Remove one of the questions, or say how they differ.",
      ),
    ),
  ];
}

function lintSectionWeight(document: ScorecardDocument, section: Section, path: string): Finding[] {
  if (section.weight === undefined) return [];
  if (scoredWeight(section) === 0)
    return [
      warning(
        path,
        "section_weight_unused",
        `The section "${section.title}" has a weight, but none of its questions is scored.`,
        "Give its questions a weight and points, or remove the section's weight.",
      ),
    ];
  if (document.not_applicable === "spreads_over_form")
    return [
      warning(
        path,
        "section_weight_ignored",
        "Section weights are ignored with not_applicable: spreads_over_form.",
        "Remove the weight, or use not_applicable: stays_in_section.",
      ),
    ];
  if (section.weight === 0)
    return [
      warning(
        path,
        "section_weight_zero",
        `The section "${section.title}" has weight 0: its questions do not count.`,
        "Set a weight, or remove the weights of its questions.",
      ),
    ];
  return [];
}
