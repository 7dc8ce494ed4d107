import type { CalibrationBody } from "@hearback/sdk";
import { type SearchParams, uuid } from "../search-params.ts";

/** The calibration session in the search parameters of the review screen. Undefined: the review is for none. */
export const calibrationOf = ({ calibration }: SearchParams): string | undefined =>
  typeof calibration === "string" && uuid.test(calibration) ? calibration : undefined;

/** Link to the screen where a call of a session is scored. It continues with the session. */
export const calibrationLink = ({ id, scorecard }: Pick<CalibrationBody, "id" | "scorecard">, callId: string) => ({
  to: `/calls/${callId}/review` as string,
  search: { scorecard: scorecard.id, calibration: id },
});
