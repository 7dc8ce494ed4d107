import type { ScorecardDocument } from "./document.ts";
import { warning } from "./lint/finding.ts";
import { type Finding, lint } from "./lint.ts";
import type { Question } from "./question.ts";
import { optionsOf } from "./question-points.ts";

/** Lints a document that replaces a published version. Also warns about ids that now mean something else. */
export function lintNewVersion(previous: ScorecardDocument, next: ScorecardDocument): Finding[] {
  const before = new Map(
    previous.sections.flatMap(({ questions }) => questions.map((question) => [question.id, question])),
  );
  const reused = next.sections.flatMap((section, s) =>
    section.questions.flatMap((question, q) => {
      const old = before.get(question.id);
      return old ? lintReuse(old, question, `/sections/${s}/questions/${q}`) : [];
    }),
  );
  return [...lint(next), ...reused];
}

function lintReuse(old: Question, question: Question, path: string): Finding[] {
  if (old.type !== question.type)
    return [
      warning(
        `${path}/type`,
        "type_changed",
        `"${question.id}" was of type ${old.type} in the previous version. Old and new answers cannot be compared.`,
        "Give the question a new id.",
      ),
    ];
  const changes = changedOptions(old, question);
  if (changes.length > 0)
    return [
      warning(
        `${path}/options`,
        "options_changed",
        `The options of "${question.id}" changed (${changes.join("; ")}). Its scores and the agreement of reviewers before ` +
          "and after this version are not comparable.",
        "Give the question a new id if it now asks something else.",
      ),
    ];
  if (
    old.type === "number" &&
    question.type === "number" &&
    JSON.stringify(old.bands) !== JSON.stringify(question.bands)
  )
    return [
      warning(
        `${path}/bands`,
        "bands_changed",
        `The bands of "${question.id}" changed. Its scores before and after this version are not comparable.`,
        "Give the question a new id if it now asks something else.",
      ),
    ];
  return [];
}

const maximumOf = (question: Question) => (question.type === "multiple" ? question.max_points : undefined);

function changedOptions(old: Question, question: Question): string[] {
  const before = new Map(optionsOf(old).map((option) => [option.id, option]));
  const after = new Map(optionsOf(question).map((option) => [option.id, option]));
  const list = (title: string, ids: string[]) => (ids.length > 0 ? [`${title}: ${ids.join(", ")}`] : []);
  return [
    ...list(
      "added",
      [...after.keys()].filter((id) => !before.has(id)),
    ),
    ...list(
      "removed",
      [...before.keys()].filter((id) => !after.has(id)),
    ),
    ...list(
      "other points",
      [...after.values()]
        .filter(({ id, points }) => before.has(id) && before.get(id)?.points !== points)
        .map(({ id }) => id),
    ),
    ...(maximumOf(old) === maximumOf(question) ? [] : ["other maximum"]),
  ];
}
