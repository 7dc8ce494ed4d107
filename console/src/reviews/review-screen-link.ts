import type { ReviewBody } from "@hearback/sdk";

/** Link to the screen where the call is reviewed. It opens the draft of this scorecard. */
export const reviewScreenLink = ({ call_id, scorecard }: Pick<ReviewBody, "call_id" | "scorecard">) => ({
  to: `/calls/${call_id}/review` as string,
  search: { scorecard: scorecard.id },
});
