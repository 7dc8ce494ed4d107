import type { CalibrationDetailBody } from "@hearback/sdk";
import { isBeingSubmitted } from "../queue/submitted-calls.ts";

type SessionCall = CalibrationDetailBody["call_list"][number];

/** Whether the user still has to score the call. */
export const isToScore = ({ erased, review }: SessionCall): boolean =>
  !erased && (review === null || review.state === "draft");

/** The next call that the user has to score: after this one, then from the start. Undefined: none is left. */
export function findNextCall(
  { call_list }: Pick<CalibrationDetailBody, "call_list">,
  afterId?: string,
): SessionCall | undefined {
  const at = call_list.findIndex(({ call_id }) => call_id === afterId);
  const ordered = [...call_list.slice(at + 1), ...call_list.slice(0, Math.max(0, at))];
  return ordered.find((call) => isToScore(call) && !isBeingSubmitted(call.call_id));
}
