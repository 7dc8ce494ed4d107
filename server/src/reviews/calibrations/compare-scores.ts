import type { CalibrationResultsBody } from "@hearback/contract";

type Call = CalibrationResultsBody["calls"][number];
type Participant = CalibrationResultsBody["participants"][number];

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((total, value) => total + value, 0) / values.length;

export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return mean(middle);
}

/** Each participant's distance from the expert's score, or from the median of all, over the calls that have both. */
export function compareScores(
  calls: readonly Call[],
  participants: readonly string[],
  expertId: string | null,
): { readonly calls: Call[]; readonly participants: Participant[] } {
  const referenced = calls.map((call) => {
    const scores = call.scores.filter(({ user_id }) => expertId === null || user_id === expertId);
    return { ...call, reference_score: median(scores.map(({ score }) => score).filter((score) => score !== null)) };
  });
  const compare = (userId: string): Participant => {
    const differences = referenced.flatMap(({ reference_score, scores }) => {
      const score = scores.find(({ user_id }) => user_id === userId)?.score ?? null;
      // The expert is not compared with themselves.
      return score === null || reference_score === null || userId === expertId ? [] : [score - reference_score];
    });
    return {
      user_id: userId,
      calls: differences.length,
      distance: mean(differences.map(Math.abs)),
      bias: mean(differences),
    };
  };
  return { calls: referenced, participants: participants.map(compare) };
}
