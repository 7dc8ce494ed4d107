import type { Answer, Moment } from "@hearback/scoring/answers";
import { answerLimits } from "@hearback/scoring/limits";

/** Adds a moment in order of time. The ends may be swapped: the reviewer can go back before marking the end. */
export function withMoment(answer: Answer, aMs: number, bMs: number): Answer {
  const [start_ms, end_ms] = [Math.round(Math.min(aMs, bMs)), Math.round(Math.max(aMs, bMs))];
  const others = (answer.moments ?? []).filter((each) => each.start_ms !== start_ms || each.end_ms !== end_ms);
  if (others.length >= answerLimits.moments) return answer;
  return withMoments(answer, [...others, { start_ms, end_ms }]);
}

export function withMoments({ moments: _, ...answer }: Answer, moments: readonly Moment[]): Answer {
  const sorted = [...moments].sort((a, b) => a.start_ms - b.start_ms || a.end_ms - b.end_ms);
  return sorted.length > 0 ? { ...answer, moments: sorted } : answer;
}

const stamp = /^\s*\d+(:\d\d){1,2}\s*$/;

/** Appends the current time to a comment, on a line of its own. */
export function withStamp(comment: string | undefined, time: string): string {
  const before = comment?.trimEnd() ?? "";
  return `${before === "" ? "" : `${before}\n`}${time} `;
}

/** Removes a time at the end of a comment that nothing was written after. */
export function withoutEmptyStamp(comment: string): string {
  const lines = comment.split("\n");
  return stamp.test(lines.at(-1) ?? "") ? lines.slice(0, -1).join("\n") : comment;
}
