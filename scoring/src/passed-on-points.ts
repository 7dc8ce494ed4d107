import type { ScorecardDocument } from "./document.ts";
import type { Result } from "./result.ts";

/**
 * Points that questions gain because others are not applicable or hidden, by question, in hundredths. Applied weights are
 * rounded, so a difference of one hundredth is none.
 */
export function passedOnPoints(
  document: ScorecardDocument,
  { questions }: Pick<Result, "questions">,
): ReadonlyMap<string, number> {
  const total = (weights: readonly { readonly weight: number }[]) =>
    weights.reduce((sum, { weight }) => sum + weight, 0);
  const sections = document.sections.map((section) => {
    const own = questions.filter((question) => question.section === section.id);
    const questionWeight = total(own);
    const given = document.not_applicable === "spreads_over_form" ? undefined : section.weight;
    return { own, questionWeight, weight: questionWeight === 0 ? 0 : (given ?? questionWeight) };
  });
  const all = total(sections);
  return new Map(
    sections.flatMap(({ own, questionWeight, weight }) =>
      own.flatMap(({ question, weight: part, applied_weight }) => {
        const gained = applied_weight - Math.round((10_000 * weight * part) / (all * questionWeight));
        return gained > 1 ? [[question, gained] as const] : [];
      }),
    ),
  );
}
