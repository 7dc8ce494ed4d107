import type { ScorecardDocument } from "./document.ts";
import { lintConditions } from "./lint/conditions.ts";
import type { Finding } from "./lint/finding.ts";
import { lintQuestion } from "./lint/question.ts";
import { lintSettings } from "./lint/settings.ts";

export type { Finding } from "./lint/finding.ts";

/**
 * Mistakes that the schema cannot see. A scorecard with errors cannot be published: a reviewer could not complete it, or
 * would see a question that makes no sense. Warnings point out what is probably not meant.
 */
export function lint(document: ScorecardDocument): Finding[] {
  return [
    ...lintSettings(document),
    ...document.sections.flatMap((section, s) =>
      section.questions.flatMap((question, q) => lintQuestion(section, question, `/sections/${s}/questions/${q}`)),
    ),
    ...lintConditions(document),
  ];
}
