import type { CalibrationResultsBody } from "@hearback/contract";
import { decisiveCall, intraclassCorrelation } from "@hearback/scoring/statistics/intraclass-correlation";

type Result = Pick<CalibrationResultsBody, "icc" | "no_icc">;
type Reason = NonNullable<Result["no_icc"]>["reason"];

/** With fewer calls, each of them decides the ICC. */
const fewestCalls = 10;

const without = (reason: Reason, callId: string | null = null): Result => ({
  icc: null,
  no_icc: { reason, call_id: callId },
});

/** Agreement of participants on total scores, or why it cannot be told from these calls. */
export function scoreAgreement(calls: CalibrationResultsBody["calls"], participants: readonly string[]): Result {
  const table = calls.map(({ scores }) =>
    participants.map((userId) => scores.find(({ user_id }) => user_id === userId)?.score ?? undefined),
  );
  if (!isFull(table) || participants.length < 2) return without("missing_scores");
  if (table.length < fewestCalls) return without("too_few_calls");
  const icc = intraclassCorrelation(table);
  if (icc === null) return without("no_differences");
  const decisive = decisiveCall(table);
  return decisive === undefined ? { icc, no_icc: null } : without("one_call", calls[decisive]?.call_id ?? null);
}

const isFull = (table: (number | undefined)[][]): table is number[][] =>
  table.every((row) => row.every((score) => score !== undefined));
