import type { ReviewBody } from "@hearback/sdk";

/** Search parameters of the review screen that open this draft. */
export const draftSearch = ({ scorecard, calibration_id }: Pick<ReviewBody, "scorecard" | "calibration_id">) => ({
  scorecard: scorecard.id,
  ...(calibration_id && { calibration: calibration_id }),
});
