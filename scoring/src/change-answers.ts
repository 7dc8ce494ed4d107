import { answerTo } from "./answer-to.ts";
import type { Answer, Answers } from "./answers.ts";
import type { Result } from "./result.ts";

/** The answer itself, without comment and moments. Empty: no answer. */
export const bareAnswer = ({ value, not_applicable }: Answer): Answer =>
  not_applicable ? { not_applicable } : value === undefined ? {} : { value };

const isEmpty = (answer: Answer) => Object.keys(answer).length === 0;

/** The answers after a correction or a decision. Comments and moments stay unless the change has its own; `{}` removes an answer. */
export function changeAnswers(answers: Answers, changes: Answers): Answers {
  const changed = Object.entries(changes).map(([question, change]) => {
    const { comment, moments } = answerTo(answers, question) ?? {};
    const kept = { ...(comment && { comment }), ...(moments && { moments }) };
    return [question, isEmpty(change) ? change : { ...kept, ...change }];
  });
  return { ...answers, ...Object.fromEntries(changed) };
}

const rank = { failed: 0, not_scored: 1, passed: 2 } as const;
type Rated = Pick<Result, "score" | "outcome">;

/** Whether a result is worse for the agent than the one before: a lower score, or a worse outcome. */
export const isWorse = (after: Rated, before: Rated): boolean =>
  rank[after.outcome] < rank[before.outcome] ||
  (before.score !== null && (after.score === null || after.score < before.score));
