import type { ReviewBody } from "@hearback/sdk";

/** What identifies the draft that the review screen opens. */
export type OpenedDraft = Pick<ReviewBody, "call_id" | "scorecard" | "calibration_id">;

/** Link to the screen where the call is reviewed. It opens the draft of this scorecard, for its calibration session. */
export const reviewScreenLink = ({ call_id, scorecard, calibration_id }: OpenedDraft) => ({
  to: `/calls/${call_id}/review` as string,
  search: { scorecard: scorecard.id, ...(calibration_id && { calibration: calibration_id }) },
});
