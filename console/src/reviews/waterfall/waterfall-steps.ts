import type { ReviewResult } from "@hearback/sdk";

/** One loss of points, in hundredths. */
export interface Step {
  /** null: what failing the call or a section cost. */
  readonly question: string | null;
  readonly lost: number;
  /** The score after this loss. */
  readonly left: number;
}

type Losses = Pick<ReviewResult, "questions" | "lost_by_fail">;

/** From 100 down to the score, the largest loss first, failing last. The losses add up to 10000 minus the score. */
export function waterfallSteps({ questions, lost_by_fail }: Losses): Step[] {
  const losses = questions
    .filter(({ lost }) => lost > 0)
    .map(({ question, lost }): { question: string | null; lost: number } => ({ question, lost }))
    .sort((a, b) => b.lost - a.lost);
  if (lost_by_fail > 0) losses.push({ question: null, lost: lost_by_fail });
  let left = 10_000;
  return losses.map(({ question, lost }) => {
    left -= lost;
    return { question, lost, left };
  });
}
