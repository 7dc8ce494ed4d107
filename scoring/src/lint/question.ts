import type { Section } from "../document.ts";
import type { Option, Question } from "../question.ts";
import { maximumPoints, optionsOf, weightOf } from "../question-points.ts";
import { lintBands } from "./bands.ts";
import { error, type Finding, repeated, warning } from "./finding.ts";

type OptionsQuestion = Extract<Question, { options: unknown }>;

/** One question by itself. */
export function lintQuestion(section: Section, question: Question, path: string): Finding[] {
  return [
    ...lintGuidance(question, path),
    ...lintWeight(question, path),
    ...lintFails(section, question, path),
    ...("options" in question ? lintOptions(question, path) : []),
    ...(question.type === "number" && question.bands ? lintBands(question.bands, `${path}/bands`) : []),
  ];
}

function lintGuidance({ guidance = "" }: Question, path: string): Finding[] {
  if (!/<\/?[a-z][^<>]*>/i.test(guidance)) return [];
  const fix = "Use Markdown: **bold**, *italic*, lists and links.";
  return [warning(`${path}/guidance`, "html_in_guidance", "HTML in guidance is shown as text.", fix)];
}

function lintWeight(question: Question, path: string): Finding[] {
  if (question.type === "text") return [];
  const { weight = 0, title } = question;
  const hasPoints = maximumPoints(question) > 0;
  if (weight > 0 && !hasPoints)
    return [
      warning(
        `${path}/weight`,
        "weight_without_points",
        `"${title}" has a weight, but no answer has points: it is not scored.`,
        "Give the answers points, or remove the weight.",
      ),
    ];
  if (weight === 0 && hasPoints && question.type !== "yes_no")
    return [
      warning(
        path,
        "points_without_weight",
        `The answers to "${title}" have points, but the question has no weight: it is not scored.`,
        "Give the question a weight, or remove the points.",
      ),
    ];
  return [];
}

function lintFails(section: Section, question: Question, path: string): Finding[] {
  const sectionCounts = section.weight !== 0 && section.questions.some((each) => weightOf(each) > 0);
  const isScored = weightOf(question) > 0;
  return optionsOf(question).flatMap((option, index) => {
    const optionPath = question.type === "yes_no" ? `${path}/${option.id}/fails` : `${path}/options/${index}/fails`;
    if (option.fails === "section" && !sectionCounts)
      return [
        warning(
          optionPath,
          "fail_without_effect",
          `Failing the section "${section.title}" has no effect: the section does not count.`,
          "Use fails: call, or remove it.",
        ),
      ];
    if (option.fails && isScored && option.points === maximumPoints(question))
      return [
        warning(
          optionPath,
          "fails_with_full_points",
          `The answer "${option.id}" to "${question.title}" gives full points and fails.`,
          "Move fails to the wrong answer, or remove the weight of the question.",
        ),
      ];
    return [];
  });
}

function lintOptions(question: OptionsQuestion, path: string): Finding[] {
  const { options, title, type } = question;
  if (options.length === 0)
    return [
      error(
        `${path}/options`,
        "no_options",
        `"${title}" has no options: nobody can answer it.`,
        "Add at least two options.",
      ),
    ];
  const found = repeated(
    options.map((option) => option.label),
    (index, label) =>
      warning(
        `${path}/options/${index}/label`,
        "duplicate_label",
        `"${title}" has two options "${label}": reviewers cannot tell them apart.`,
        "Rename one of them.",
      ),
  );
  if (type !== "multiple" && options.length === 1)
    found.push(
      warning(
        `${path}/options`,
        "single_option",
        `"${title}" has only one option: there is nothing to choose.`,
        "Add another.",
      ),
    );
  return weightOf(question) > 0 ? [...found, ...lintPoints(question, path)] : found;
}

function lintPoints(question: OptionsQuestion, path: string): Finding[] {
  const missing = question.options.flatMap((option, index) =>
    option.points === undefined && question.type !== "multiple"
      ? [pointsMissing(option, `${path}/options/${index}`)]
      : [],
  );
  return [...missing, ...(question.type === "multiple" ? lintCap(question, path) : lintOrder(question, path))];
}

const pointsMissing = (option: Option, path: string) =>
  warning(
    path,
    "option_without_points",
    `The option "${option.label}" has no points: it counts as 0.`,
    "Add points: 0, or more.",
  );

/** `max_points` of a multiple question. */
function lintCap(question: Extract<Question, { type: "multiple" }>, path: string): Finding[] {
  const cap = question.max_points;
  if (cap === undefined) return [];
  const sum = question.options.reduce((total, option) => total + (option.points ?? 0), 0);
  const found: Finding[] = [];
  if (sum < cap)
    found.push(
      warning(
        `${path}/max_points`,
        "maximum_unreachable",
        `All options of "${question.title}" together have ${sum} points: nobody can reach ${cap}.`,
        `Set max_points to at most ${sum}, or remove it.`,
      ),
    );
  question.options.forEach(({ label, points = 0 }, index) => {
    if (points > cap)
      found.push(
        warning(
          `${path}/options/${index}/points`,
          "points_above_maximum",
          `The option "${label}" has ${points} points, of which ${cap} count.`,
          "Lower its points, or raise max_points.",
        ),
      );
  });
  return found;
}

function lintOrder(question: OptionsQuestion, path: string): Finding[] {
  const points = question.options.map((option) => option.points ?? 0);
  const place = `${path}/options`;
  if (points.length > 1 && new Set(points).size === 1)
    return [
      warning(
        place,
        "same_points",
        `All options of "${question.title}" have the same points: the answer never changes the score.`,
        "Give worse answers fewer points, or remove the weight.",
      ),
    ];
  const follows = (compare: (a: number, b: number) => boolean) =>
    points.every((each, index) => index === 0 || compare(points[index - 1] ?? 0, each));
  if (question.type === "scale" && !follows((a, b) => a <= b) && !follows((a, b) => a >= b))
    return [
      warning(
        place,
        "scale_order",
        `The points of the scale "${question.title}" go up and down.`,
        "Order the options from worst to best, or use type: choice.",
      ),
    ];
  return [];
}
