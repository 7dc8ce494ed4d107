import type { AnswerCondition, Condition } from "../condition.ts";
import type { ScorecardDocument } from "../document.ts";
import { jsonPointer } from "../problem.ts";
import type { Question } from "../question.ts";
import { optionsOf } from "../question-points.ts";
import { error, type Finding, warning } from "./finding.ts";

/** Conditions on questions that cannot have that answer, and conditions that are never or always true. */
export function lintConditions(document: ScorecardDocument): Finding[] {
  const all = new Map(
    document.sections.flatMap((section) => section.questions.map((question) => [question.id, question])),
  );
  const earlier = new Map<string, Question>();
  const neverVisible = new Set<string>();
  return document.sections.flatMap((section, s) =>
    section.questions.flatMap((question, q) => {
      const { when } = question;
      const path = ["sections", s, "questions", q, "when"];
      const found = when ? located(when, path).flatMap((each) => lintAnswer(each, earlier, all)) : [];
      if (when && !found.some(({ severity }) => severity === "error") && !canBeTrue(when, earlier, neverVisible)) {
        neverVisible.add(question.id);
        found.push(
          error(
            jsonPointer(path),
            "never_visible",
            `The condition of "${question.title}" can never be true: nobody can answer the question.`,
            "Change the condition, or remove the question.",
          ),
        );
      }
      earlier.set(question.id, question);
      return found;
    }),
  );
}

interface LocatedCondition {
  readonly condition: AnswerCondition;
  readonly path: readonly (string | number)[];
}

function located(condition: Condition, path: readonly (string | number)[]): LocatedCondition[] {
  if ("question" in condition) return [{ condition, path }];
  const name = "all" in condition ? "all" : "any";
  const entries = "all" in condition ? condition.all : condition.any;
  return entries.flatMap((entry, index) => located(entry, [...path, name, index]));
}

type Questions = ReadonlyMap<string, Question>;

function lintAnswer({ condition, path }: LocatedCondition, earlier: Questions, all: Questions): Finding[] {
  const at = (...steps: (string | number)[]) => jsonPointer([...path, ...steps]);
  const { question: id, is } = condition;
  const question = earlier.get(id);
  if (!question) {
    const useEarlier = "Use the id of a question above this one.";
    return all.has(id)
      ? [
          error(
            at("question"),
            "condition_later_question",
            `"${id}" does not come before this question.`,
            "Move it up, or use another question.",
          ),
        ]
      : [error(at("question"), "condition_unknown_question", `There is no question "${id}".`, useEarlier)];
  }
  if (question.type === "number" || question.type === "text")
    return [
      error(
        at("question"),
        "condition_wrong_type",
        `"${id}" is a ${question.type} question, which cannot be a condition.`,
        "Use a yes_no, choice, scale or multiple question.",
      ),
    ];
  const known = optionsOf(question).map((option) => option.id);
  const found = is.flatMap((value, index) =>
    known.includes(value)
      ? []
      : [
          error(
            at("is", index),
            "condition_unknown_value",
            `"${id}" has no answer "${value}".`,
            `Use one of ${known.join(", ")}.`,
          ),
        ],
  );
  if (question.not_applicable)
    found.push(
      warning(
        at("question"),
        "condition_on_optional_question",
        `"${id}" can be marked as not applicable: this question is then hidden.`,
        `Remove not_applicable from "${id}", or check that this is meant.`,
      ),
    );
  if (question.type !== "multiple" && known.length > 0 && known.every((value) => is.includes(value)))
    found.push(
      warning(
        at("is"),
        "condition_always_true",
        `Every answer to "${id}" makes this true.`,
        "Remove the condition, or some values.",
      ),
    );
  return found;
}

/** A condition on 20 answers can have 1458 alternatives, which would take long for 150 questions. */
const maxAlternatives = 200;

/**
 * Whether some answers make a condition true. Each question is looked at separately, except in the same condition. Conditions with
 * too many alternatives are assumed to be possible.
 */
function canBeTrue(condition: Condition, questions: Questions, neverVisible: ReadonlySet<string>): boolean {
  if (countAlternatives(condition) > maxAlternatives) return true;
  return alternatives(condition).some((required) => {
    const names = new Set(required.map(({ question }) => question));
    return [...names].every((name) => {
      const question = questions.get(name);
      if (!question || neverVisible.has(name)) return false;
      if (question.type === "multiple") return true;
      const conditions = required.filter((each) => each.question === name);
      return optionsOf(question).some(({ id }) => conditions.every(({ is }) => is.includes(id)));
    });
  });
}

/** The disjunctive normal form: a condition is true if all answers of one of the alternatives are given. */
function alternatives(condition: Condition): AnswerCondition[][] {
  if ("question" in condition) return [[condition]];
  if ("any" in condition) return condition.any.flatMap(alternatives);
  return condition.all
    .map(alternatives)
    .reduce((left, right) => left.flatMap((some) => right.map((more) => [...some, ...more])));
}

function countAlternatives(condition: Condition): number {
  if ("question" in condition) return 1;
  if ("any" in condition) return condition.any.reduce((count, entry) => count + countAlternatives(entry), 0);
  return condition.all.reduce((count, entry) => count * countAlternatives(entry), 1);
}
